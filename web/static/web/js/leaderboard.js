/** A board: the fastest first, live until it is final. */

import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { Refused, Unreachable, call } from "./api.js";
import { bars } from "./charts.js";
import { signedIn } from "./identity.js";
import "./shell.js";
import { duration, number, spokenDuration, t } from "./texts.js";

const page = document.querySelector("[data-leaderboard]");
const { day, challenge } = page.dataset;
const LIMIT = 25;

const deal = `/deals/${day}/${challenge}/leaderboard`;
const BOARDS = [
  ["overall", deal, {}],
  ["clean", deal, { board: "clean" }],
  ["around", deal, { around: "me" }],
  ...["week", "month", "all-time"].map((period) => [period, `/leaderboards/${challenge}/${period}`, {}]),
];

let chosen = "overall";
let shown = null; // the board as it was last read
let problem = "";
let etag = "";

async function read({ cursor = null } = {}) {
  const [asked, path, query] = BOARDS.find(([name]) => name === chosen);
  const search = new URLSearchParams({ ...query, limit: LIMIT, ...(cursor && { cursor }) });
  try {
    const found = await call(`${path}?${search}`, {
      etag: cursor ? "" : etag,
      onEtag: (version) => asked === chosen && !cursor && (etag = version),
    });
    if (asked !== chosen) return; // another board has been chosen since
    problem = "";
    if (found) shown = cursor ? { ...found, items: [...shown.items, ...found.items], more: true } : found;
  } catch (error) {
    if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
    if (asked !== chosen) return;
    problem = t(PROBLEMS[error.code] ?? "board.unreachable");
    if (error.code === "not_ranked") shown = null;
  }
  draw();
}

const PROBLEMS = { not_ranked: "board.not_ranked", deal_being_made: "play.being_made" };

function choose(name) {
  [chosen, shown, etag] = [name, null, ""];
  draw();
  read();
}

function draw() {
  render(content(), page.querySelector("[data-board]"));
}

function content() {
  const boards = BOARDS.filter(([name]) => name !== "around" || signedIn());
  return html`
    <div class="choices" role="group" aria-label=${t("board.choose")}>
      ${boards.map(([name]) => html`<button type="button" class="choice" aria-pressed=${String(name === chosen)}
        @click=${() => choose(name)} .textContent=${t(`board.${name}`)}></button>`)}
    </div>
    <p class="state" .textContent=${shown ? state(shown) : ""}></p>
    ${problem ? html`<p class="empty" .textContent=${problem}></p>` : shown?.items.length ? list(shown) : shown ? html`<p class="empty">${t("board.empty")}</p>` : nothing}
    ${shown?.next && chosen !== "around" && !problem
      ? html`<p class="more"><button type="button" class="button is-quiet" @click=${() => read({ cursor: shown.next })}>${t("board.more")}</button></p>`
      : nothing}`;
}

function state({ total, final, period }) {
  if (period) return t("board.period", { period: t(`board.${period}`), count: total });
  return `${t("board.total", { count: total })} · ${t(final ? "board.final" : "board.live")}`;
}

function list({ items, final, period }) {
  const me = signedIn()?.player.id;
  return html`<table class="board">
    <thead><tr>
      <th scope="col" class="is-number">${t("board.rank")}</th>
      <th scope="col">${t("board.player")}</th>
      ${period ? html`<th scope="col" class="is-number">${t("board.days")}</th>` : nothing}
      <th scope="col" class="is-number">${t("board.ranked_time")}</th>
      ${period ? nothing : html`<th scope="col" class="is-number">${t("board.undos")}</th>`}
      ${final ? html`<th scope="col"><span class="unseen">${t("board.replay")}</span></th>` : nothing}
    </tr></thead>
    <tbody>${items.map((entry) => row(entry, { final, period, me }))}</tbody>
  </table>`;
}

function row({ rank, player, days_cleared, ranked_ms, undo_count, attempt_id }, { final, period, me }) {
  return html`<tr class=${player.id === me ? "is-me" : nothing}>
    <td class="is-number rank" .textContent=${number(rank)}></td>
    <td class="name"><a href="/players/${encodeURIComponent(player.name)}" translate="no" .textContent=${player.name}></a>${player.id === me ? html` <span class="tag">${t("board.you")}</span>` : nothing}</td>
    ${period ? html`<td class="is-number" .textContent=${number(days_cleared)}></td>` : nothing}
    <td class="is-number"><span aria-hidden="true" .textContent=${duration(ranked_ms)}></span><span class="unseen" .textContent=${spokenDuration(ranked_ms)}></span></td>
    ${period ? nothing : html`<td class="is-number" .textContent=${number(undo_count)}></td>`}
    ${final ? html`<td><a class="watch" href="/replay/${attempt_id}"><span class="watch-word">${t("board.replay")}</span><span class="unseen" translate="no" .textContent=${` ${player.name}`}></span></a></td>` : nothing}
  </tr>`;
}

/** A live board is read again while somebody looks at it; a longer one keeps its pages. */
setInterval(() => {
  if (!document.hidden && !shown?.final && !shown?.more) read();
}, 5_000);
document.addEventListener("visibilitychange", () => document.hidden || shown?.final || shown?.more || read());

/** What the deal was like, once it is sealed. */
async function readStats() {
  if (!("sealed" in page.dataset)) return;
  try {
    const { players, cleared, times, percentiles } = await call(`/deals/${day}/${challenge}/stats`);
    if (!times.length) return;
    const half = percentiles.find(({ percent }) => percent === 50);
    const summary = t("board.stats_summary", { cleared, count: players, half: half ? duration(half.elapsed_ms) : "–" });
    render(html`<section class="panel" aria-labelledby="stats"><h2 id="stats">${t("profile.times")}</h2><p class="soft">${summary}</p>
      ${bars(times.map(({ count, from_ms }) => ({ count, label: duration(from_ms) })), summary)}</section>`, page.querySelector("[data-stats]"));
  } catch (error) {
    if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
  }
}

draw();
await Promise.all([read(), readStats()]);
