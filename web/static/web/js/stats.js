/** What a player has done under each challenge, as a table. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { challengeTitle, duration, number, spokenDuration, t } from "./texts.js";

/** @param {{challenge: string, played: number, cleared: number, clean: number, best_ms: number|null}[]} stats */
export function statsTable(stats) {
  const names = ["played", "cleared", "clean", "best"];
  return html`<table class="board is-stats">
    <thead><tr><th scope="col">${t("stats.challenge")}</th>
      ${names.map((name) => html`<th scope="col" class="is-number">${t(`stats.${name}`)}</th>`)}</tr></thead>
    <tbody>${stats.map((it) => html`<tr><th scope="row" .textContent=${challengeTitle(it.challenge)}></th>
      ${names.map((name) => html`<td class="is-number" data-label=${t(`stats.${name}`)}>${value(name === "best" ? best(it.best_ms) : [number(it[name])])}</td>`)}</tr>`)}</tbody>
  </table>`;
}

/** What is seen, and where that is not said as it is written, what is heard. */
const value = ([seen, heard]) => html`<span><span aria-hidden=${heard ? "true" : nothing} .textContent=${seen}></span><span class="unseen" .textContent=${heard ?? ""}></span></span>`;
const best = (ms) => (ms === null ? ["–"] : [duration(ms), spokenDuration(ms)]);
