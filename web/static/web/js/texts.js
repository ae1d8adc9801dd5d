/** All texts, in the language of the page, from the file that the page names. */

import { attribute } from "./dom.js";

/** @typedef {string | Record<string, string>} Text one text, or one for each plural category */

const root = document.documentElement;
export const language = root.lang;

/** The locale of dates: British order in English, as in the server's own texts. */
const locale = language === "en" ? "en-GB" : language;

const texts = await (await fetch(attribute(root, "texts"))).json();
const plurals = new Intl.PluralRules(language);
const numbers = new Intl.NumberFormat(language);

/**
 * @param {string} name
 * @returns {Text|undefined}
 */
const find = (name) => name.split(".").reduce((part, key) => part?.[key], texts);

/**
 * Whether there is a text with a dotted name.
 * @param {string} name
 */
export const isText = (name) => find(name) !== undefined;

/**
 * Returns the text with a dotted name, its blanks filled. Where there is one form for each plural
 * category, `values.count` chooses.
 * @param {string} name such as "play.undo"
 * @param {Record<string, string|number>} [values]
 */
export function t(name, values = {}) {
  const found = find(name);
  if (found === undefined) throw new Error(`no text ${name}`);
  const text =
    typeof found === "string"
      ? found
      : (found[plurals.select(Number(values.count))] ?? found.other);
  return text.replace(/\{(\w+)\}/g, (_, /** @type {string} */ key) => {
    const value = values[key];
    return typeof value === "number" ? numbers.format(value) : value;
  });
}

/**
 * Returns the title of a challenge; the server's where the texts do not know it.
 * @param {string} id
 * @param {string} [fallback]
 * @returns {string}
 */
export function challengeTitle(id, fallback = id) {
  return texts.challenges[id]?.title ?? fallback;
}

/**
 * Returns "3:12" or "1:03:12".
 * @param {number} ms
 */
export function duration(ms) {
  const seconds = Math.floor(ms / 1000);
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/**
 * Returns "3 minutes 12 seconds", for a screen reader.
 * @param {number} ms
 */
export function spokenDuration(ms) {
  const seconds = Math.floor(ms / 1000);
  const parts = [
    { count: Math.floor(seconds / 3600), unit: "hour" },
    { count: Math.floor(seconds / 60) % 60, unit: "minute" },
    { count: seconds % 60, unit: "second" },
  ];
  const spoken = parts.filter(({ count, unit }) => count || (unit === "second" && !seconds));
  return spoken
    .map(({ count, unit }) =>
      new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(count),
    )
    .join(" ");
}

/**
 * Returns a function that formats days in UTC, from `YYYY-MM-DD`.
 * @param {Intl.DateTimeFormatOptions} options
 */
function dates(options) {
  const format = new Intl.DateTimeFormat(locale, { timeZone: "UTC", ...options });
  return (/** @type {string} */ day) => format.format(new Date(`${day}T00:00:00Z`));
}

export const longDate = dates({ weekday: "long", day: "numeric", month: "long", year: "numeric" });
export const shortDate = dates({ day: "numeric", month: "short" });
export const monthName = dates({ month: "long", year: "numeric" });
export const weekdayName = dates({ weekday: "short" });

export const number = (/** @type {number} */ value) => numbers.format(value);
