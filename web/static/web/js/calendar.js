/** A month of days, Monday first. */

import { html, nothing } from "lit-html";
import { monthName, weekdayName } from "./texts.js";

/** The names of the weekdays, from a Monday on. */
const WEEK = Array.from({ length: 7 }, (_, i) => weekdayName(`2024-01-0${i + 1}`));

/**
 * Returns the days of `YYYY-MM` in six weeks, null where a week has days of other months.
 * @param {string} month
 * @returns {(string|null)[][]}
 */
function weeksOf(month) {
  const [year, number] = month.split("-").map(Number);
  const length = new Date(Date.UTC(year, number, 0)).getUTCDate();
  const first = (new Date(Date.UTC(year, number - 1, 1)).getUTCDay() + 6) % 7;
  const dayAt = (/** @type {number} */ cell) => {
    const day = cell - first + 1;
    return day >= 1 && day <= length ? `${month}-${String(day).padStart(2, "0")}` : null;
  };
  return Array.from({ length: 6 }, (_, week) =>
    Array.from({ length: 7 }, (_, i) => dayAt(7 * week + i)),
  );
}

/**
 * @param {string} month `YYYY-MM`
 * @param {(day: string) => unknown} cell draws one day
 */
export function calendar(month, cell) {
  return html`<table class="calendar">
    <caption class="unseen" .textContent=${monthName(`${month}-01`)}></caption>
    <thead><tr>${WEEK.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
    <tbody>${weeksOf(month).map(
      (week) => html`<tr>
      ${week.map((day) => html`<td>${day ? cell(day) : nothing}</td>`)}
    </tr>`,
    )}</tbody>
  </table>`;
}

/**
 * Returns the month that lies `step` months after another.
 * @param {string} month `YYYY-MM`
 * @param {number} step
 */
export function monthAfter(month, step) {
  const [year, number] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number - 1 + step, 1)).toISOString().slice(0, 7);
}
