/** The buttons below the table, the banner above it, and the note at its foot. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { signedIn } from "./identity.js";
import { duration, number, t } from "./texts.js";

const icon = (name) => html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><use href="#icon-${name}"></use></svg>`;

export function tools({ attempt, isOver, undo, resign, help, draw, openFinish, day, challenge }) {
  const { state } = attempt;
  if (isOver) return ended({ state, openFinish, day, challenge });
  const canDraw = state?.position.stock.length;
  const canUndo = state && (state.can_undo || attempt.waits);
  return html`
    <button type="button" class="tool" @click=${undo} aria-disabled=${canUndo ? nothing : "true"}>${icon("undo")}<span>${t("play.undo")}</span></button>
    ${draw ? html`<button type="button" class="tool" @click=${draw} aria-disabled=${canDraw ? nothing : "true"}>${icon("draw")}<span>${t("table.draw")}</span></button>` : nothing}
    <button type="button" class="tool" @click=${help}>${icon("help")}<span>${t("play.help")}</span></button>
    <button type="button" class="tool" @click=${resign} aria-disabled=${state ? nothing : "true"}>${icon("flag")}<span>${t("play.resign")}</span></button>`;
}

function ended({ state, openFinish, day, challenge }) {
  const { result, status } = state;
  const summary = result
    ? t("play.ended_ranked", { time: duration(result.elapsed_ms), rank: number(result.rank), of: number(result.of) })
    : t(`play.ended_${status}`, { time: duration(state.elapsed_ms) });
  return html`<p class="ended" .textContent=${summary}></p>
    ${status === "cleared" ? html`<button type="button" class="button" @click=${openFinish}>${t("play.show_result")}</button>` : nothing}
    <a class="button is-quiet" href="/leaderboard/${day}/${challenge}">${t("play.board")}</a>
    <a class="button is-quiet" href="/">${t("play.others")}</a>`;
}

/** What stands above the table for as long as it is so. It lies over it, so that nothing jumps. */
export function banner({ attempt, undo, resign, isSignedOut }) {
  if (isSignedOut) {
    return html`<div class="banner"><p>${t("play.signed_out")} ${t("play.sign_in_again")}</p>
      <a class="button" href="/account">${t("shell.sign_in")}</a></div>`;
  }
  const { state } = attempt;
  if (state?.status !== "active" || !state.stuck || attempt.waits) return nothing;
  return html`<div class="banner"><p>${t("play.stuck")}</p>
    <button type="button" class="button" @click=${undo}>${t("play.undo")}</button>
    <button type="button" class="button is-quiet" @click=${resign}>${t("play.resign")}</button></div>`;
}

/** What stands at the foot of a deal whose day is over, and that is not sealed yet. */
export function closing({ state }) {
  const isActive = state?.status === "active";
  if (state && !(isActive && state.ranked)) return nothing;
  return html`<span .textContent=${t(isActive ? "play.new_day" : "play.deal_closed")}></span> <a href="/">${t("play.to_today")}</a>`;
}

/** Whether the player would lose the attempt with this browser's storage. */
export const isGuest = () => signedIn()?.player.guest ?? false;
