/** Charts: pictures with a summary, and the same numbers as a table for those who listen. */

import { html, svg } from "../vendor/lit-html/lit-html.js";
import { duration, longDate, number, t } from "./texts.js";

/**
 * Times in ms as bars of equal width.
 * @param {number[]} times
 */
export function histogram(times) {
  const width = [15, 30, 60, 120, 300, 600, 1800, 3600].find((s) => Math.max(...times) / (1000 * s) < 12) ?? 7200;
  const bins = [];
  for (const time of times) {
    const bin = Math.floor(time / (1000 * width));
    bins[bin] = (bins[bin] ?? 0) + 1;
  }
  const from = bins.findIndex(Boolean);
  const shown = Array.from(bins).slice(from);
  return bars(
    shown.map((count, i) => ({ count: count ?? 0, label: duration(1000 * width * (from + i)) })),
    t("charts.times", { count: times.length, best: duration(Math.min(...times)) }),
  );
}

/** @param {{count: number, label: string}[]} data */
export function bars(data, summary) {
  const most = Math.max(...data.map(({ count }) => count));
  const step = 300 / data.length;
  const every = Math.ceil(data.length / 6);
  return html`<figure class="chart">
    <svg viewBox="0 0 300 120" role="img" aria-label=${summary}>
      <path class="axis" d="M0 100.5H300"></path>
      ${data.map(({ count, label }, i) => svg`
        <rect class="bar" x=${i * step + 1} width=${step - 2} y=${100 - (90 * count) / most} height=${(90 * count) / most} rx="2"></rect>
        ${i % every ? "" : svg`<text x=${i * step + 1} y="115" .textContent=${label}></text>`}`)}
    </svg>
    <div class="unseen"><table><caption .textContent=${summary}></caption>
      <tbody>${data.map(({ count, label }) => html`<tr><th scope="row" .textContent=${label}></th><td .textContent=${number(count)}></td></tr>`)}</tbody>
    </table></div>
  </figure>`;
}

const DAY = 86_400_000;
const WEEKS = 15;

/**
 * The last weeks as squares, one a day, a column a week from Monday on.
 * @param {Set<string>} days with a clear
 */
export function streakCalendar(days, today) {
  const now = Date.parse(`${today}T00:00:00Z`);
  const weekday = (new Date(now).getUTCDay() + 6) % 7;
  const first = now - (weekday + 7 * (WEEKS - 1)) * DAY;
  const squares = [];
  for (let time = first; time <= now; time += DAY) squares.push(new Date(time).toISOString().slice(0, 10));
  const cleared = squares.filter((day) => days.has(day));
  const summary = t("charts.days", { count: cleared.length, from: longDate(squares[0]) });
  return html`<figure class="chart">
    <svg viewBox="0 0 ${20 * WEEKS} 140" role="img" aria-label=${summary}>
      ${squares.map((day, i) => svg`<rect class=${days.has(day) ? "day is-cleared" : "day"} x=${20 * Math.floor(i / 7) + 2} y=${20 * (i % 7) + 2}
        width="16" height="16" rx="4"></rect>`)}
    </svg>
    <div class="unseen"><table><caption .textContent=${summary}></caption>
      <tbody>${cleared.map((day) => html`<tr><td .textContent=${longDate(day)}></td></tr>`)}</tbody>
    </table></div>
  </figure>`;
}
