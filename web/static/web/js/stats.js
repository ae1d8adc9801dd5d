/** What a player has done under each challenge, as a table. */

import { html } from "../vendor/lit-html/lit-html.js";
import { challengeTitle, duration, number, spokenDuration, t } from "./texts.js";

/** @param {{challenge: string, played: number, cleared: number, clean: number, best_ms: number|null}[]} stats */
export function statsTable(stats) {
  return html`<table class="board is-stats">
    <thead><tr><th scope="col">${t("stats.challenge")}</th>
      ${["played", "cleared", "clean", "best"].map((name) => html`<th scope="col" class="is-number">${t(`stats.${name}`)}</th>`)}</tr></thead>
    <tbody>${stats.map((it) => html`<tr><th scope="row">${challengeTitle(it.challenge)}</th>
      <td class="is-number">${number(it.played)}</td><td class="is-number">${number(it.cleared)}</td><td class="is-number">${number(it.clean)}</td>
      <td class="is-number">${it.best_ms === null ? "–" : html`<span aria-hidden="true">${duration(it.best_ms)}</span><span class="unseen">${spokenDuration(it.best_ms)}</span>`}</td></tr>`)}</tbody>
  </table>`;
}
