/** The visitor's own page: streak, times and attempts. */

import { html, nothing, render } from "lit-html";
import { all, call } from "./api.js";
import { histogram, streakCalendar } from "./charts.js";
import { today } from "./clock.js";
import { element } from "./dom.js";
import { onPlayerChange, signedIn } from "./identity.js";
import { summary } from "./outcome.js";
import "./shell.js";
import { statsTable } from "./stats.js";
import { challengeTitle, longDate, shortDate, t } from "./texts.js";

/** @import { Attempt, Me } from "api-types" */

const page = element("[data-profile]");
const RECENT = 12;

/** @type {Me|null} */
let me = null;
/** @type {Attempt[]} */
let attempts = [];
/** @type {string|undefined} */
let chosen; // the challenge whose times are shown

async function read() {
  if (!signedIn()) return render(nobody(), page);
  try {
    /** @type {[Promise<Me>, Promise<Attempt[]>]} */
    const calls = [call("/me"), all("/me/attempts?limit=100", 400)];
    [me, attempts] = await Promise.all(calls);
  } catch {
    const unreachable = html`<p class="empty">${t("board.unreachable")}</p>`;
    return render(signedIn() ? unreachable : nobody(), page);
  }
  draw();
}

const nobody = () => html`<p class="empty">${t("profile.nobody")}</p>
  <p class="actions"><a class="button" href="/">${t("profile.play")}</a><a class="button is-quiet" href="/account">${t("account.sign_in")}</a></p>`;

function draw() {
  if (!me) return;
  const cleared = attempts.filter(({ ranked, status }) => ranked && status === "cleared");
  render(
    html`${person(me)} ${streak(me, cleared)}
    <section class="panel" aria-labelledby="stats">
      <h2 id="stats">${t("profile.stats")}</h2>
      ${me.stats.length ? statsTable(me.stats) : html`<p class="empty">${t("profile.no_stats")}</p>`}
    </section>
    ${cleared.length ? times(cleared) : nothing}
    ${attempts.length ? recent() : nothing}`,
    page,
  );
}

/** @param {Me} me */
function person({ player: { name, guest, joined_at } }) {
  const since = t("profile.since", { date: longDate(joined_at.slice(0, 10)) });
  return html`<div class="person">
    <p class="who" translate="no" .textContent=${name}></p>
    <p class="soft"><span .textContent=${guest ? t("profile.guest") : since}></span>
      <a href="/account" .textContent=${t(guest ? "profile.claim" : "profile.account")}></a></p>
  </div>`;
}

/**
 * @param {Me} me
 * @param {Attempt[]} cleared
 */
const streak = (
  { streak, longest_streak },
  cleared,
) => html`<section class="panel" aria-labelledby="streak">
  <h2 id="streak">${t("profile.streak")}</h2>
  <p class="big" .textContent=${t("finish.days", { count: streak })}></p>
  <p class="soft" .textContent=${t("profile.longest", { count: longest_streak })}></p>
  ${streakCalendar(new Set(cleared.map(({ date }) => date)), today())}
</section>`;

/** @param {Attempt[]} cleared */
function times(cleared) {
  const played = [...new Set(cleared.map(({ challenge }) => challenge))];
  chosen ??= played[0];
  const shown = cleared.filter(({ challenge }) => challenge === chosen);
  return html`<section class="panel" aria-labelledby="times">
    <h2 id="times">${t("profile.times")}</h2>
    ${played.length > 1 ? choices(played) : nothing}
    ${histogram(shown.map(({ elapsed_ms }) => elapsed_ms))}
  </section>`;
}

/** @param {string[]} played */
const choices = (
  played,
) => html`<div class="choices" role="group" aria-label=${t("archive.choose")}>
  ${played.map(
    (id) => html`<button type="button" class="choice" aria-pressed=${String(id === chosen)}
      @click=${() => choose(id)} .textContent=${challengeTitle(id)}></button>`,
  )}</div>`;

/** @param {string} challenge */
function choose(challenge) {
  chosen = challenge;
  draw();
}

const recent = () => html`<section class="panel" aria-labelledby="recent">
  <h2 id="recent">${t("profile.recent")}</h2>
  <ul class="recent">${attempts.slice(0, RECENT).map(line)}</ul>
</section>`;

/** @param {Attempt} attempt */
function line(attempt) {
  const { id, date, challenge, status } = attempt;
  const isActive = status === "active";
  return html`<li><span class="when" .textContent=${shortDate(date)}></span> <span class="what" .textContent=${challengeTitle(challenge)}></span>
    <span class="how" .textContent=${summary(attempt)}></span>
    <a href=${isActive ? `/play/${date}/${challenge}` : `/replay/${id}`}><span .textContent=${t(isActive ? "today.resume" : "board.replay")}></span><span class="unseen" .textContent=${` ${challengeTitle(challenge)}, ${longDate(date)}`}></span></a></li>`;
}

let shown = signedIn()?.player.id;
onPlayerChange(() => {
  if (shown === signedIn()?.player.id) return;
  shown = signedIn()?.player.id;
  chosen = undefined;
  read();
});
await read();
