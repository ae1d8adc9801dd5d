/** What opens above the table: the end of a game, a question, and help. */

import { html, nothing, render } from "lit-html";
import { call } from "./api.js";
import { everySecond, setTime, untilTomorrow } from "./clock.js";
import { element } from "./dom.js";
import { isGuest } from "./identity.js";
import { isPractice, readVoidText } from "./outcome.js";
import { share, shareText, spokenShareText } from "./share.js";
import { duration, number, spokenDuration, t } from "./texts.js";

/** @import { Attempt, Challenge, Me, Result, Today } from "api-types" */
/** @import { Shared } from "./share.js" */

/**
 * Opens a dialog and resolves to its return value once it is closed.
 * @param {(dialog: HTMLDialogElement) => unknown} content
 * @param {string} className
 * @returns {Promise<string>}
 */
function open(content, className) {
  const dialog = document.createElement("dialog");
  dialog.className = className;
  dialog.setAttribute("aria-labelledby", "dialog-title");
  element("#main").append(dialog);
  render(content(dialog), dialog);
  closeFromOutside(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue);
    });
  });
}

/**
 * Closes a dialog by a press that begins and ends outside; a selection of its text may end there.
 * @param {HTMLDialogElement} dialog
 */
function closeFromOutside(dialog) {
  let beganOutside = false;
  const isOutside = (/** @type {MouseEvent} */ { target, clientX: x, clientY: y }) => {
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    return target === dialog && (x < left || x > right || y < top || y > bottom);
  };
  dialog.addEventListener("pointerdown", (event) => {
    beganOutside = isOutside(event);
  });
  dialog.addEventListener("click", (event) => {
    if (beganOutside && isOutside(event)) dialog.close();
  });
}

/**
 * Asks before an action that cannot be undone; resolves to whether the player wants it.
 * @param {"resign"|"resign_practice"|"sign_out"|"sign_in"|"delete"} action
 */
export async function confirmed(action) {
  const answer = await open(
    (dialog) => html`<h2 id="dialog-title">${t(`confirm.${action}.title`)}</h2>
      <p>${t(`confirm.${action}.text`)}</p>
      <div class="actions">
        <button type="button" class="button is-quiet" @click=${() => dialog.close()}>${t("confirm.no")}</button>
        <button type="button" class="button is-grave" @click=${() => dialog.close("yes")}>${t(`confirm.${action}.yes`)}</button>
      </div>`,
    "dialog",
  );
  return answer === "yes";
}

const KEYS = [
  ["↑ ↓ ← →", "arrows"],
  ["Enter", "enter"],
  ["Esc", "escape"],
  ["D", "draw"],
  ["Z", "undo"],
  ["M", "moves"],
  ["S", "state"],
  ["?", "help"],
];

/**
 * Shows the rules of a challenge, and the keys.
 * @param {Challenge} challenge
 */
export function help({ rules, undo_penalty_ms: penalty }) {
  const lines = [
    t(`help.aim_${rules.goal}`),
    t("help.pair"),
    t("help.king"),
    t("help.cover"),
    t(rules.stock_top ? "help.stock_open" : "help.stock"),
    t("help.drag"),
    t("help.time", { count: penalty / 1000 }),
  ];
  return open(
    (dialog) => html`<h2 id="dialog-title">${t("help.title")}</h2>
      <ul class="rules">${lines.map((line) => html`<li>${line}</li>`)}</ul>
      <h3>${t("help.keys")}</h3>
      <dl class="keys">${KEYS.map(([key, name]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${t(`help.key_${name}`)}</dd></div>`)}</dl>
      <div class="actions"><button type="button" class="button" @click=${() => dialog.close()}>${t("help.close")}</button></div>`,
    "dialog is-wide",
  );
}

const PATIENCE = 400; // ms to wait for the server before opening, so that nothing jumps

/**
 * Shows the end of a cleared game: its rank, and what comes next.
 * @param {Attempt} attempt
 */
export async function finish(attempt) {
  const { date: day, challenge, result } = attempt;
  let reason = "";
  let note = "";
  /** @type {number|undefined} */
  let streak;
  const ask = async () => {
    if (result) streak = await readStreak();
    else reason = await readVoidText(day, challenge);
  };
  const asked = ask();
  await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, PATIENCE))]);

  /** @param {HTMLDialogElement} dialog */
  const content = (dialog) => html`
    <svg class="crest" viewBox="0 0 120 70" aria-hidden="true" focusable="false"><use href="#crest"></use></svg>
    <h2 id="dialog-title" tabindex="-1" autofocus>${t("finish.title")}</h2>
    <p class="lead" .textContent=${`${lead(attempt)} ${reason}`}></p>
    <dl class="facts">
      ${fact("time", duration(attempt.elapsed_ms), spokenDuration(attempt.elapsed_ms))}
      ${fact("undos", number(attempt.undo_count))}
      ${result ? rankedFacts(result, streak) : nothing}
    </dl>
    ${result ? html`<p class="next">${t("finish.next")} <span class="countdown" role="timer" data-countdown></span></p>` : nothing}
    ${result ? shareFigure({ attempt, day, challenge, streak }) : nothing}
    <p class="note" role="status" .textContent=${note}></p>
    <div class="actions">
      ${result ? html`<button type="button" class="button" @click=${() => onShare(dialog)}>${t("finish.share")}</button>` : nothing}
      <a class="button is-quiet" href="/leaderboard/${day}/${challenge}">${t("play.board")}</a>
      <button type="button" class="button is-quiet" @click=${() => dialog.close()}>${t("help.close")}</button>
    </div>
    ${result && isGuest() ? html`<p class="claim"><a href="/account">${t("finish.claim")}</a></p>` : nothing}`;

  /** @param {HTMLDialogElement} dialog */
  async function onShare(dialog) {
    note = await share({ attempt, day, challenge, streak });
    render(content(dialog), dialog);
  }

  const closed = open((dialog) => {
    asked.then(() => dialog.open && render(content(dialog), dialog));
    return content(dialog);
  }, "dialog is-finish");
  const stop = everySecond(() => {
    const countdown = document.querySelector(".is-finish [data-countdown]");
    if (countdown) countdown.textContent = duration(untilTomorrow());
  });
  await closed;
  stop();
}

/** Returns the player's streak, undefined where it cannot be read; sets the clock on the way. */
async function readStreak() {
  /** @type {[Promise<Me>, Promise<Today>]} */
  const calls = [call("/me"), call("/deals/today")];
  const [me, today] = await Promise.allSettled(calls);
  if (today.status === "fulfilled") setTime(today.value.now);
  return me.status === "fulfilled" ? me.value.streak : undefined;
}

/** @param {Attempt} attempt */
function lead(attempt) {
  if (!attempt.result) return t(isPractice(attempt) ? "finish.practice" : "finish.unranked");
  const { rank, of } = attempt.result;
  if (of === 1) return t("finish.first");
  const percent = Math.floor((100 * (of - rank)) / (of - 1));
  return percent ? t("finish.rank", { rank, of, percent }) : t("finish.last", { rank, of });
}

/**
 * @param {Result} result
 * @param {number|undefined} streak
 */
const rankedFacts = ({ ranked_ms }, streak) => html`
  ${fact("ranked_time", duration(ranked_ms), spokenDuration(ranked_ms))}
  ${fact("streak", streak === undefined ? "…" : t("finish.days", { count: streak }))}`;

/** @param {Shared} shared */
const shareFigure = (
  shared,
) => html`<figure class="share"><p aria-hidden="true" .textContent=${shareText(shared)}></p>
  <figcaption class="unseen" .textContent=${spokenShareText(shared)}></figcaption></figure>`;

/**
 * @param {string} name
 * @param {string} value
 * @param {string} [spoken] where a screen reader says something else
 */
const fact = (name, value, spoken) => html`<div><dt>${t(`finish.${name}`)}</dt>
  <dd>${spoken ? html`<span aria-hidden="true">${value}</span><span class="unseen">${spoken}</span>` : html`<span .textContent=${value}></span>`}</dd></div>`;
