/** What comes up above the table: the end of a game, a question, and help. */

import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { call } from "./api.js";
import { everySecond, setTime, untilTomorrow } from "./clock.js";
import { isGuest } from "./controls.js";
import { share, shareText, spokenShareText } from "./share.js";
import { duration, number, spokenDuration, t } from "./texts.js";
import { isPractice, readVoidText } from "./worth.js";

/**
 * Opens a dialog; what is drawn into it gets the dialog. Resolves to its return value.
 * @param {(dialog: HTMLDialogElement) => unknown} content
 * @returns {Promise<string>}
 */
function open(content, className) {
  const dialog = document.createElement("dialog");
  dialog.className = className;
  dialog.setAttribute("aria-labelledby", "dialog-title");
  document.getElementById("main").append(dialog);
  render(content(dialog), dialog);
  closeBeside(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue);
    });
  });
}

/** Closes a dialog by a press that begins and ends beside it; a selection of its text may end there. */
function closeBeside(dialog) {
  let beganBeside = false;
  const isBeside = ({ target, clientX: x, clientY: y }) => {
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    return target === dialog && (x < left || x > right || y < top || y > bottom);
  };
  dialog.addEventListener("pointerdown", (event) => (beganBeside = isBeside(event)));
  dialog.addEventListener("click", (event) => beganBeside && isBeside(event) && dialog.close());
}

/** Asks before what cannot be taken back. */
export async function confirmed(what) {
  const answer = await open(
    (dialog) => html`<h2 id="dialog-title">${t(`confirm.${what}.title`)}</h2>
      <p>${t(`confirm.${what}.text`)}</p>
      <div class="actions">
        <button type="button" class="button is-quiet" @click=${() => dialog.close()}>${t("confirm.no")}</button>
        <button type="button" class="button is-grave" @click=${() => dialog.close("yes")}>${t(`confirm.${what}.yes`)}</button>
      </div>`,
    "dialog",
  );
  return answer === "yes";
}

const KEYS = [["↑ ↓ ← →", "arrows"], ["Enter", "enter"], ["Esc", "escape"], ["D", "draw"], ["Z", "undo"], ["M", "moves"], ["S", "state"], ["?", "help"]];

export function help() {
  return open(
    (dialog) => html`<h2 id="dialog-title">${t("help.title")}</h2>
      <ul class="rules">${["aim", "pair", "king", "cover", "stock", "time"].map((name) => html`<li>${t(`help.${name}`)}</li>`)}</ul>
      <h3>${t("help.keys")}</h3>
      <dl class="keys">${KEYS.map(([key, name]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${t(`help.key_${name}`)}</dd></div>`)}</dl>
      <div class="actions"><button type="button" class="button" @click=${() => dialog.close()}>${t("help.close")}</button></div>`,
    "dialog is-wide",
  );
}

const PATIENCE = 400; // ms that the end waits for what it asks, so as not to jump when it comes

/** The end of a cleared game: where it stands, and what comes next. */
export async function finish({ attempt, day, challenge, page }) {
  const { result } = attempt;
  let me = null, reason = "", note = "";
  const askStreak = () => Promise.allSettled([call("/me"), call("/deals/today")]).then(([mine, today]) => {
    me = mine.value ?? null;
    if (today.value) setTime(today.value.now);
  });
  const askReason = async () => (reason = await readVoidText(day, challenge));
  const asked = result ? askStreak() : askReason();
  await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
  const what = () => ({ attempt, day, challenge, streak: me?.streak });
  const draw = (dialog) => render(content(dialog), dialog);

  const content = (dialog) => html`
    <svg class="crest" viewBox="0 0 120 70" aria-hidden="true" focusable="false"><use href="#crest"></use></svg>
    <h2 id="dialog-title" tabindex="-1" autofocus>${t("finish.title")}</h2>
    <p class="lead" .textContent=${`${lead(attempt)} ${reason}`}></p>
    <dl class="facts">
      ${fact("time", duration(attempt.elapsed_ms), spokenDuration(attempt.elapsed_ms))}
      ${fact("undos", number(attempt.undo_count))}
      ${result ? html`${fact("ranked_time", duration(result.ranked_ms), spokenDuration(result.ranked_ms))}
        ${fact("streak", me ? t("finish.days", { count: me.streak }) : "…")}` : nothing}
    </dl>
    ${result ? html`<p class="next">${t("finish.next")} <span class="countdown" role="timer" data-countdown></span></p>` : nothing}
    ${result ? html`<figure class="share"><p aria-hidden="true" .textContent=${shareText(what())}></p>
      <figcaption class="unseen" .textContent=${spokenShareText(what())}></figcaption></figure>` : nothing}
    <p class="note" role="status" .textContent=${note}></p>
    <div class="actions">
      ${result ? html`<button type="button" class="button" @click=${async () => {
        note = await share(what());
        draw(dialog);
      }}>${t("finish.share")}</button>` : nothing}
      <a class="button is-quiet" href="/leaderboard/${day}/${challenge}">${t("play.board")}</a>
      <button type="button" class="button is-quiet" @click=${() => dialog.close()}>${t("help.close")}</button>
    </div>
    ${result && isGuest() ? html`<p class="claim"><a href="/account">${t("finish.claim")}</a></p>` : nothing}`;

  let shown;
  const closed = open((dialog) => content((shown = dialog)), "dialog is-finish");
  const stop = everySecond(() => {
    const countdown = shown.querySelector("[data-countdown]");
    if (countdown) countdown.textContent = duration(untilTomorrow());
  });
  asked.then(() => shown.open && draw(shown));
  await closed;
  stop();
  page.querySelector("[data-tools] button")?.focus();
}

function lead(attempt) {
  if (!attempt.result) return t(isPractice(attempt) ? "finish.practice" : "finish.unranked");
  const { rank, of } = attempt.result;
  const percent = Math.max(1, Math.ceil((100 * rank) / of));
  return t(of > 1 ? "finish.rank" : "finish.first", { rank, of, percent });
}

const fact = (name, value, spoken) => html`<div><dt>${t(`finish.${name}`)}</dt>
  <dd>${spoken ? html`<span aria-hidden="true">${value}</span><span class="unseen">${spoken}</span>` : html`<span .textContent=${value}></span>`}</dd></div>`;
