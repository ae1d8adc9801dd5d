/** The buttons below the table, the banner above it, and the note at its foot. */

import { html, nothing } from "lit-html";
import { duration, number, t } from "./texts.js";

/** @import { Attempt } from "api-types" */
/** @import { AttemptInPlay } from "./attempt.js" */

/**
 * @typedef {object} Actions what the buttons do
 * @property {() => void} undo
 * @property {() => void} resign
 * @property {() => void} help
 * @property {(() => void)|null} draw null where the stock itself is the only button for it
 * @property {() => void} openFinish
 */

/** @param {string} name */
const icon = (name) =>
  html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><use href="#icon-${name}"></use></svg>`;

/**
 * Draws the buttons of a game that is running or about to start.
 * @param {AttemptInPlay} attempt
 * @param {Actions} actions
 */
export function tools({ state, waits }, { undo, resign, help, draw }) {
  const canDraw = state?.position.stock.length;
  const canUndo = state && (state.can_undo || waits);
  return html`
    <button type="button" class="tool" @click=${undo} aria-disabled=${canUndo ? nothing : "true"}>${icon("undo")}<span>${t("play.undo")}</span></button>
    ${draw ? html`<button type="button" class="tool" @click=${draw} aria-disabled=${canDraw ? nothing : "true"}>${icon("draw")}<span>${t("table.draw")}</span></button>` : nothing}
    <button type="button" class="tool" @click=${help}>${icon("help")}<span>${t("play.help")}</span></button>
    <button type="button" class="tool" @click=${resign} aria-disabled=${state ? nothing : "true"}>${icon("flag")}<span>${t("play.resign")}</span></button>`;
}

/**
 * Draws what replaces the buttons once the game has ended.
 * @param {Attempt} attempt
 * @param {Actions} actions
 */
export function endedTools({ date, challenge, result, status, elapsed_ms }, { openFinish }) {
  const time = duration(elapsed_ms);
  const summary = result
    ? t("play.ended_ranked", { time, rank: number(result.rank), of: number(result.of) })
    : t(`play.ended_${status}`, { time });
  return html`<p class="ended" .textContent=${summary}></p>
    ${status === "cleared" ? html`<button type="button" class="button" @click=${openFinish}>${t("play.show_result")}</button>` : nothing}
    <a class="button is-quiet" href="/leaderboard/${date}/${challenge}">${t("play.board")}</a>
    <a class="button is-quiet" href="/">${t("play.others")}</a>`;
}

/** Draws the way back for a player who has signed out in another tab. */
export const signedOutBanner =
  () => html`<div class="banner"><p>${t("play.signed_out")} ${t("play.sign_in_again")}</p>
  <a class="button" href="/account">${t("shell.sign_in")}</a></div>`;

/**
 * Draws a banner while no moves are left. It overlays the table, so that nothing jumps.
 * @param {AttemptInPlay} attempt
 * @param {Actions} actions
 */
export function stuckBanner({ state, waits }, { undo, resign }) {
  if (state?.status !== "active" || !state.stuck || waits) return nothing;
  return html`<div class="banner"><p>${t("play.stuck")}</p>
    <button type="button" class="button" @click=${undo}>${t("play.undo")}</button>
    <button type="button" class="button is-quiet" @click=${resign}>${t("play.resign")}</button></div>`;
}

/**
 * Draws the note at the foot of a deal whose day is over and that is not sealed yet.
 * @param {AttemptInPlay} attempt
 */
export function closingNote({ state }) {
  const isActive = state?.status === "active";
  if (state && !(isActive && state.ranked)) return nothing;
  return html`<span .textContent=${t(isActive ? "play.new_day" : "play.deal_closed")}></span> <a href="/">${t("play.to_today")}</a>`;
}
