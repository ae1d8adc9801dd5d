/** Charts: pictures with a summary, and the same numbers as a table for screen readers. */

import { html, svg } from "lit-html";
import { duration, longDate, number, t } from "./texts.js";

/** @typedef {{count: number, label: string}} LabelledCount */

/** Widths that a bar may have, in s. */
const WIDTHS = [15, 30, 60, 120, 300, 600, 1800, 3600];

/**
 * Draws times in ms as bars of equal width.
 * @param {number[]} times at least one
 */
export function histogram(times) {
  const longest = Math.max(...times);
  const width = 1000 * (WIDTHS.find((s) => longest / (1000 * s) < 12) ?? 7200);
  const first = Math.floor(Math.min(...times) / width);
  const length = Math.floor(longest / width) - first + 1;
  const data = Array.from({ length }, (_, i) => ({
    count: times.filter((time) => Math.floor(time / width) === first + i).length,
    label: duration(width * (first + i)),
  }));
  return bars(data, t("charts.times", { count: times.length, best: duration(Math.min(...times)) }));
}

/**
 * @param {LabelledCount[]} data
 * @param {string} summary
 */
export function bars(data, summary) {
  const most = Math.max(...data.map(({ count }) => count));
  const step = 300 / data.length;
  const every = Math.ceil(data.length / 6);
  return html`<figure class="chart">
    <svg viewBox="0 0 300 120" role="img" aria-label=${summary}>
      <path class="axis" d="M0 100.5H300"></path>
      ${data.map(({ count, label }, i) => {
        const height = (90 * count) / most;
        return svg`<rect class="bar" x=${i * step + 1} width=${step - 2} y=${100 - height} height=${height} rx="2"></rect>
          ${i % every ? "" : svg`<text x=${i * step + 1} y="115" .textContent=${label}></text>`}`;
      })}
    </svg>
    <div class="unseen"><table><caption .textContent=${summary}></caption>
      <tbody>${data.map(({ count, label }) => html`<tr><th scope="row" .textContent=${label}></th><td .textContent=${number(count)}></td></tr>`)}</tbody>
    </table></div>
  </figure>`;
}

const DAY = 86_400_000;
const WEEKS = 15;

/**
 * Draws the last weeks as squares: one for each day, a column for each week from Monday on.
 * @param {Set<string>} days with a clear
 * @param {string} today
 */
export function streakCalendar(days, today) {
  const now = Date.parse(`${today}T00:00:00Z`);
  const weekday = (new Date(now).getUTCDay() + 6) % 7;
  const first = now - (weekday + 7 * (WEEKS - 1)) * DAY;
  const squares = [];
  for (let time = first; time <= now; time += DAY) {
    squares.push(new Date(time).toISOString().slice(0, 10));
  }
  const cleared = squares.filter((day) => days.has(day));
  const summary = t("charts.days", { count: cleared.length, from: longDate(squares[0]) });
  return html`<figure class="chart">
    <svg viewBox="0 0 ${20 * WEEKS} 140" role="img" aria-label=${summary}>
      ${squares.map((day, i) => daySquare(i, days.has(day)))}
    </svg>
    <div class="unseen"><table><caption .textContent=${summary}></caption>
      <tbody>${cleared.map((day) => html`<tr><td .textContent=${longDate(day)}></td></tr>`)}</tbody>
    </table></div>
  </figure>`;
}

/**
 * @param {number} i
 * @param {boolean} isCleared
 */
function daySquare(i, isCleared) {
  return svg`<rect class=${isCleared ? "day is-cleared" : "day"} x=${20 * Math.floor(i / 7) + 2} y=${20 * (i % 7) + 2}
    width="16" height="16" rx="4"></rect>`;
}
