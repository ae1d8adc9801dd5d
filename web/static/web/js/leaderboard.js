/** A board: the fastest first, live until it is final. */

import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { Refused, Unreachable, call } from "./api.js";
import { signedIn } from "./identity.js";
import "./shell.js";
import { duration, number, spokenDuration, t } from "./texts.js";

const page = document.querySelector("[data-leaderboard]");
const { day, challenge } = page.dataset;
const LIMIT = 25;

let view = { board: "overall", around: false };
let shown = null; // the board as it was last read
let problem = "";
let etag = "";

async function read({ cursor = null } = {}) {
  const { board, around } = view;
  const query = new URLSearchParams({ board, limit: LIMIT });
  if (around) query.set("around", "me");
  if (cursor) query.set("cursor", cursor);
  const asked = view;
  try {
    const found = await call(`/deals/${day}/${challenge}/leaderboard?${query}`, {
      etag: cursor ? "" : etag,
      onEtag: (version) => {
        if (!cursor) etag = version;
      },
    });
    if (asked !== view) return; // another tab of the board has been chosen since
    problem = "";
    if (found) shown = cursor ? { ...found, items: [...shown.items, ...found.items], more: true } : found;
  } catch (error) {
    if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
    if (asked !== view) return;
    problem = t(error.code === "not_ranked" ? "board.not_ranked" : error.code === "deal_being_made" ? "play.being_made" : "board.unreachable");
    if (error.code === "not_ranked") shown = null;
  }
  draw();
}

function choose(next) {
  view = next;
  etag = "";
  draw();
  read();
}

const TABS = [
  ["overall", { board: "overall", around: false }],
  ["clean", { board: "clean", around: false }],
  ["around", { board: "overall", around: true }],
];

function draw() {
  render(content(), page.querySelector("[data-board]"));
}

function content() {
  const tabs = TABS.filter(([name]) => name !== "around" || signedIn());
  return html`
    <div class="choices" role="group" aria-label=${t("board.choose")}>
      ${tabs.map(([name, it]) => html`<button type="button" class="choice"
        aria-pressed=${String(it.board === view.board && it.around === view.around)}
        @click=${() => choose(it)}>${t(`board.${name}`)}</button>`)}
    </div>
    <p class="state">${shown ? state(shown) : ""}</p>
    ${problem ? html`<p class="empty">${problem}</p>` : shown?.items.length ? list(shown) : shown ? html`<p class="empty">${t("board.empty")}</p>` : nothing}
    ${shown?.next && !view.around && !problem
      ? html`<p class="more"><button type="button" class="button is-quiet" @click=${() => read({ cursor: shown.next })}>${t("board.more")}</button></p>`
      : nothing}`;
}

function state({ total, final }) {
  return `${t("board.total", { count: total })} · ${t(final ? "board.final" : "board.live")}`;
}

function list({ items, final }) {
  const me = signedIn()?.player.id;
  return html`<table class="board">
    <thead><tr>
      <th scope="col" class="is-number">${t("board.rank")}</th>
      <th scope="col">${t("board.player")}</th>
      <th scope="col" class="is-number">${t("board.ranked_time")}</th>
      <th scope="col" class="is-number">${t("board.undos")}</th>
      ${final ? html`<th scope="col"><span class="unseen">${t("board.replay")}</span></th>` : nothing}
    </tr></thead>
    <tbody>${items.map((entry) => row(entry, { final, me }))}</tbody>
  </table>`;
}

function row({ rank, player, ranked_ms, undo_count, attempt_id }, { final, me }) {
  return html`<tr class=${player.id === me ? "is-me" : nothing}>
    <td class="is-number rank">${number(rank)}</td>
    <td class="name"><a href="/players/${encodeURIComponent(player.name)}">${player.name}</a>${player.id === me ? html` <span class="tag">${t("board.you")}</span>` : nothing}</td>
    <td class="is-number"><span aria-hidden="true">${duration(ranked_ms)}</span><span class="unseen">${spokenDuration(ranked_ms)}</span></td>
    <td class="is-number">${number(undo_count)}</td>
    ${final ? html`<td><a href="/replay/${attempt_id}">${t("board.replay")}<span class="unseen"> ${player.name}</span></a></td>` : nothing}
  </tr>`;
}

/** A live board is read again while somebody looks at it; a longer one keeps its pages. */
setInterval(() => {
  if (!document.hidden && !shown?.final && !shown?.more) read();
}, 5_000);
document.addEventListener("visibilitychange", () => document.hidden || shown?.final || shown?.more || read());

draw();
await read();
