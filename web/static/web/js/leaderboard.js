/** A leaderboard: the fastest first, live until it is final. */

import { html, nothing, render } from "lit-html";
import { call, isFailure, Refused } from "./api.js";
import { bars } from "./charts.js";
import { attribute, element } from "./dom.js";
import { signedIn } from "./identity.js";
import "./shell.js";
import { duration, number, spokenDuration, t } from "./texts.js";

/** @import { Board, DealStats, Entry, PeriodBoard, PeriodEntry } from "api-types" */

const page = element("[data-leaderboard]");
const day = attribute(page, "day");
const challenge = attribute(page, "challenge");
const LIMIT = "25";

const deal = `/deals/${day}/${challenge}/leaderboard`;
const periods = `/leaderboards/${challenge}`;
/** @type {Record<string, {path: string, query?: Record<string, string>}>} */
const BOARDS = {
  overall: { path: deal },
  clean: { path: deal, query: { board: "clean" } },
  around: { path: deal, query: { around: "me" } },
  week: { path: `${periods}/week` },
  month: { path: `${periods}/month` },
  "all-time": { path: `${periods}/all-time` },
};

let chosen = "overall";
/** @type {Board|PeriodBoard|null} */
let shown = null; // as last read
let hasMorePages = false; // than the first are on display
let problem = "";
let etag = "";

/** Reads the chosen board, or a further page of it. */
async function read(cursor = "") {
  const asked = chosen;
  const { path, query } = BOARDS[asked];
  const search = new URLSearchParams({ ...query, limit: LIMIT });
  if (cursor) search.set("cursor", cursor);
  try {
    /** @type {Board|PeriodBoard|null} */
    const found = await call(`${path}?${search}`, {
      etag: cursor ? "" : etag,
      onEtag(version) {
        if (asked === chosen && !cursor) etag = version;
      },
    });
    if (asked !== chosen) return; // another board has been chosen since
    problem = "";
    if (found) take(found, Boolean(cursor));
  } catch (error) {
    if (!isFailure(error)) throw error;
    if (asked !== chosen) return;
    const code = error instanceof Refused ? error.code : "";
    problem = t(PROBLEMS[code] ?? "board.unreachable");
    if (code === "not_ranked") shown = null;
  }
  draw();
}

/** @type {Record<string, string>} */
const PROBLEMS = { not_ranked: "board.not_ranked", deal_being_made: "play.being_made" };

/**
 * @param {Board|PeriodBoard} found
 * @param {boolean} isFurtherPage
 */
function take(found, isFurtherPage) {
  const before = isFurtherPage && shown ? shown.items : [];
  // Both pages are of one board: their entries are of one type.
  shown = /** @type {Board|PeriodBoard} */ ({ ...found, items: [...before, ...found.items] });
  hasMorePages = isFurtherPage;
}

/** @param {string} name */
function choose(name) {
  chosen = name;
  shown = null;
  hasMorePages = false;
  etag = "";
  draw();
  read();
}

function draw() {
  render(content(), element("[data-board]", page));
}

function content() {
  const names = Object.keys(BOARDS).filter((name) => name !== "around" || signedIn());
  const next = chosen !== "around" && !problem && shown?.next;
  return html`
    <div class="choices" role="group" aria-label=${t("board.choose")}>
      ${names.map(
        (name) => html`<button type="button" class="choice" aria-pressed=${String(name === chosen)}
        @click=${() => choose(name)} .textContent=${t(`board.${name}`)}></button>`,
      )}
    </div>
    <p class="state" .textContent=${shown ? state(shown) : ""}></p>
    ${entries()}
    ${next ? html`<p class="more"><button type="button" class="button is-quiet" @click=${() => read(next)}>${t("board.more")}</button></p>` : nothing}`;
}

function entries() {
  if (problem) return html`<p class="empty" .textContent=${problem}></p>`;
  if (!shown) return nothing;
  if (!shown.items.length) return html`<p class="empty">${t("board.empty")}</p>`;
  return "period" in shown ? periodTable(shown) : dealTable(shown);
}

/** @param {Board|PeriodBoard} board */
function state(board) {
  const count = board.total;
  if ("period" in board) return t("board.period", { period: t(`board.${board.period}`), count });
  return `${t("board.total", { count })} · ${t(board.final ? "board.final" : "board.live")}`;
}

/** @param {Board} board */
function dealTable({ items, final }) {
  const replay = final
    ? html`<th scope="col"><span class="unseen">${t("board.replay")}</span></th>`
    : nothing;
  return html`<table class="board">
    <thead><tr>${column("rank")}
      <th scope="col">${t("board.player")}</th>
      ${column("ranked_time")} ${column("undos")} ${replay}</tr></thead>
    <tbody>${items.map((entry) => dealRow(entry, final))}</tbody>
  </table>`;
}

/** @param {PeriodBoard} board */
function periodTable({ items }) {
  return html`<table class="board">
    <thead><tr>${column("rank")}
      <th scope="col">${t("board.player")}</th>
      ${column("days")} ${column("ranked_time")}</tr></thead>
    <tbody>${items.map(periodRow)}</tbody>
  </table>`;
}

/** @param {string} name */
const column = (name) => html`<th scope="col" class="is-number">${t(`board.${name}`)}</th>`;

/**
 * @param {Entry} entry
 * @param {boolean} final
 */
function dealRow({ rank, player, ranked_ms, undo_count, attempt_id }, final) {
  return html`<tr class=${isMe(player) ? "is-me" : nothing}>
    ${numberCell(rank, "rank")} ${nameCell(player)} ${timeCell(ranked_ms)} ${numberCell(undo_count)}
    ${final ? html`<td><a class="watch" href="/replay/${attempt_id}"><span class="watch-word">${t("board.replay")}</span><span class="unseen" translate="no" .textContent=${` ${player.name}`}></span></a></td>` : nothing}
  </tr>`;
}

/** @param {PeriodEntry} entry */
function periodRow({ rank, player, days_cleared, ranked_ms }) {
  return html`<tr class=${isMe(player) ? "is-me" : nothing}>
    ${numberCell(rank, "rank")} ${nameCell(player)} ${numberCell(days_cleared)} ${timeCell(ranked_ms)}
  </tr>`;
}

/** @param {Entry["player"]} player */
const isMe = ({ id }) => id === signedIn()?.player.id;

/** @param {Entry["player"]} player */
function nameCell(player) {
  const tag = isMe(player) ? html` <span class="tag">${t("board.you")}</span>` : nothing;
  return html`<td class="name"><a href="/players/${encodeURIComponent(player.name)}" translate="no" .textContent=${player.name}></a>${tag}</td>`;
}

/**
 * @param {number} value
 * @param {string} [className]
 */
const numberCell = (value, className = "") =>
  html`<td class="is-number ${className}" .textContent=${number(value)}></td>`;

/** @param {number} ms */
const timeCell = (ms) =>
  html`<td class="is-number"><span aria-hidden="true" .textContent=${duration(ms)}></span><span class="unseen" .textContent=${spokenDuration(ms)}></span></td>`;

/** Reads a live board again while somebody looks at it; one with further pages keeps them. */
function refresh() {
  const isFinal = shown && "final" in shown && shown.final;
  if (!document.hidden && !isFinal && !hasMorePages) read();
}
setInterval(refresh, 5_000);
document.addEventListener("visibilitychange", refresh);

/** Shows how the deal went, once it is sealed. */
async function readStats() {
  if (!("sealed" in page.dataset)) return;
  try {
    showStats(await call(`/deals/${day}/${challenge}/stats`));
  } catch (error) {
    if (!isFailure(error)) throw error;
  }
}

/** @param {DealStats} stats */
function showStats({ players, cleared, times, percentiles }) {
  if (!times.length) return;
  const median = percentiles.find(({ percent }) => percent === 50);
  const half = median ? duration(median.elapsed_ms) : "–";
  const summary = t("board.stats_summary", { cleared, count: players, half });
  const data = times.map(({ count, from_ms }) => ({ count, label: duration(from_ms) }));
  render(
    html`<section class="panel" aria-labelledby="stats"><h2 id="stats">${t("profile.times")}</h2><p class="soft">${summary}</p>
      ${bars(data, summary)}</section>`,
    element("[data-stats]", page),
  );
}

draw();
await Promise.all([read(), readStats()]);
