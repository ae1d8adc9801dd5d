/** What a player has done in each challenge, as a table. */

import { html, nothing } from "lit-html";
import { challengeTitle, duration, number, spokenDuration, t } from "./texts.js";

/** @import { Stats } from "api-types" */

/** @param {Stats[]} stats */
export function statsTable(stats) {
  const columns = ["played", "cleared", "clean", "best"];
  return html`<table class="board is-stats">
    <thead><tr><th scope="col">${t("stats.challenge")}</th>
      ${columns.map((name) => html`<th scope="col" class="is-number">${t(`stats.${name}`)}</th>`)}</tr></thead>
    <tbody>${stats.map(statsRow)}</tbody>
  </table>`;
}

/** @param {Stats} stats */
function statsRow({ challenge, played, cleared, clean, best_ms: best }) {
  return html`<tr><th scope="row" .textContent=${challengeTitle(challenge)}></th>
    ${cell("played", number(played))}
    ${cell("cleared", number(cleared))}
    ${cell("clean", number(clean))}
    ${best === null ? cell("best", "–") : cell("best", duration(best), spokenDuration(best))}</tr>`;
}

/**
 * @param {string} name of the column, which a narrow screen shows beside each value
 * @param {string} seen
 * @param {string} [heard] where a screen reader says something else
 */
function cell(name, seen, heard = "") {
  return html`<td class="is-number" data-label=${t(`stats.${name}`)}><span><span aria-hidden=${heard ? "true" : nothing} .textContent=${seen}></span><span class="unseen" .textContent=${heard}></span></span></td>`;
}
