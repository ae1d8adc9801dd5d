/** The archive: every sealed deal, by month. */

import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { all, call } from "./api.js";
import { calendar, monthAfter } from "./calendar.js";
import { today } from "./clock.js";
import { signedIn } from "./identity.js";
import "./shell.js";
import { challengeTitle, longDate, monthName, number, t } from "./texts.js";

const page = document.querySelector("[data-archive]");
const challenges = JSON.parse(document.getElementById("challenges").textContent);

let challenge = new URLSearchParams(location.search).get("challenge") ?? challenges[0].id;
let month = today().slice(0, 7);
let problem = "";

/** By challenge: its sealed deals by day, and where the list goes on. */
const known = new Map();
/** By challenge and day: how the player's ranked attempt ended. */
const own = new Map();

/** Reads on until the month that is looked at is whole. */
async function read() {
  const archive = known.get(challenge) ?? { deals: new Map(), cursor: "", oldest: null };
  known.set(challenge, archive);
  try {
    while (archive.cursor !== null && (!archive.oldest || archive.oldest >= `${month}-01`)) {
      const query = new URLSearchParams({ challenge, limit: 100 });
      if (archive.cursor) query.set("cursor", archive.cursor);
      const { items, next } = await call(`/deals?${query}`);
      for (const deal of items) archive.deals.set(deal.date, deal);
      archive.oldest = items.at(-1)?.date ?? archive.oldest ?? "0000";
      archive.cursor = next;
    }
    problem = "";
  } catch {
    problem = t("board.unreachable");
  }
  draw();
}

async function readOwn() {
  if (!signedIn()) return;
  try {
    for (const attempt of await all("/me/attempts?limit=100", 400)) {
      if (attempt.ranked) own.set(`${attempt.challenge} ${attempt.date}`, attempt.status);
    }
  } catch {
    return; // the calendar is whole without it
  }
  draw();
}

function look(next) {
  ({ challenge, month } = { challenge, month, ...next });
  history.replaceState(null, "", `?challenge=${challenge}`);
  draw();
  read();
}

function draw() {
  const archive = known.get(challenge);
  const isFirst = archive?.cursor === null && (archive.oldest ?? "") >= `${month}-01`;
  render(html`
    <div class="choices" role="group" aria-label=${t("archive.choose")}>
      ${challenges.map(({ id, title }) => html`<button type="button" class="choice" aria-pressed=${String(id === challenge)}
        @click=${() => look({ challenge: id })}>${challengeTitle(id, title)}</button>`)}
    </div>
    <div class="months">
      <button type="button" class="button is-quiet" aria-disabled=${isFirst ? "true" : nothing}
        @click=${() => isFirst || look({ month: monthAfter(month, -1) })}><span aria-hidden="true">‹</span><span class="unseen">${t("archive.before")}</span></button>
      <h2 aria-live="polite" .textContent=${monthName(`${month}-01`)}></h2>
      <button type="button" class="button is-quiet" aria-disabled=${month >= today().slice(0, 7) ? "true" : nothing}
        @click=${() => month >= today().slice(0, 7) || look({ month: monthAfter(month, 1) })}><span aria-hidden="true">›</span><span class="unseen">${t("archive.after")}</span></button>
    </div>
    ${calendar(month, (day) => cell(archive?.deals.get(day), day))}
    <p class="empty" .textContent=${problem}></p>`, page.querySelector("[data-calendar]"));
}

function cell(deal, day) {
  const date = html`<span class="day" .textContent=${Number(day.slice(8))}></span>`;
  if (!deal) return html`<span class="cell ${day === today() ? "is-today" : ""}">${date}</span>`;
  const status = own.get(`${challenge} ${day}`);
  const label = [
    longDate(day), t(`difficulty.${deal.difficulty ?? "unknown"}`),
    t("archive.cleared", { cleared: number(deal.cleared), players: number(deal.players) }),
    ...(status ? [t(`archive.own_${status}`)] : []),
  ].join(", ");
  return html`<a class="cell is-deal is-${deal.difficulty ?? "unknown"} ${status ? `is-own-${status}` : ""}" href="/leaderboard/${day}/${challenge}" aria-label="${Number(day.slice(8))}: ${label}">
    ${date}<span class="level" aria-hidden="true"></span></a>`;
}

draw();
await Promise.all([read(), readOwn()]);
