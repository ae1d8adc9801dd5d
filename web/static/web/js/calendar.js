/** A month of days, Monday first. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { monthName, weekdayName } from "./texts.js";

const WEEK = Array.from({ length: 7 }, (_, i) => weekdayName(`2024-01-0${i + 1}`)); // from a Monday on

/** The days of `YYYY-MM` in weeks, null where a week has days of other months. */
function weeksOf(month) {
  const [year, number] = month.split("-").map(Number);
  const length = new Date(Date.UTC(year, number, 0)).getUTCDate();
  const first = (new Date(Date.UTC(year, number - 1, 1)).getUTCDay() + 6) % 7;
  const days = [...Array(first).fill(null), ...Array.from({ length }, (_, i) => `${month}-${String(i + 1).padStart(2, "0")}`)];
  return Array.from({ length: 6 }, (_, week) => Array.from({ length: 7 }, (_, i) => days[7 * week + i] ?? null));
}

/** @param {string} month @param {(day: string) => unknown} cell what stands at a day, beside its number */
export function calendar(month, cell) {
  return html`<table class="calendar">
    <caption class="unseen" .textContent=${monthName(`${month}-01`)}></caption>
    <thead><tr>${WEEK.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
    <tbody>${weeksOf(month).map((week) => html`<tr>
      ${week.map((day) => html`<td>${day ? cell(day) : nothing}</td>`)}
    </tr>`)}</tbody>
  </table>`;
}

/** The month before or after. */
export function monthAfter(month, step) {
  const [year, number] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number - 1 + step, 1)).toISOString().slice(0, 7);
}
