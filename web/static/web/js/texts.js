/** All words, in the language of the page, from the file that the page names. */

const root = document.documentElement;
export const language = root.lang;

/** Dates in the English of the server's own texts. */
const locale = language === "en" ? "en-GB" : language;

const texts = await (await fetch(root.dataset.texts)).json();
const plurals = new Intl.PluralRules(language);
const numbers = new Intl.NumberFormat(language);

const find = (name) => name.split(".").reduce((part, key) => part?.[key], texts);

/** Whether there is a text of a dotted name. */
export const isText = (name) => find(name) !== undefined;

/**
 * The text of a dotted name with its blanks filled. Where there is one form for each plural
 * category, `values.count` chooses.
 * @param {string} name such as "play.undo"
 * @param {Record<string, string|number>} [values]
 */
export function t(name, values = {}) {
  let text = find(name);
  if (typeof text === "object") text = text[plurals.select(values.count)] ?? text.other;
  return text.replace(/\{(\w+)\}/g, (_, key) =>
    typeof values[key] === "number" ? numbers.format(values[key]) : values[key],
  );
}

/** The title of a challenge; one that the files do not know has the server's. */
export function challengeTitle(id, fallback = id) {
  return texts.challenges[id]?.title ?? fallback;
}

/** "3:12", "1:03:12". */
export function duration(ms) {
  const seconds = Math.floor(ms / 1000);
  const two = (number) => String(number).padStart(2, "0");
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** "3 minutes 12 seconds", to be spoken. */
export function spokenDuration(ms) {
  const seconds = Math.floor(ms / 1000);
  const parts = [[Math.floor(seconds / 3600), "hour"], [Math.floor(seconds / 60) % 60, "minute"], [seconds % 60, "second"]];
  return parts
    .filter(([count, unit]) => count || (unit === "second" && !seconds))
    .map(([count, unit]) =>
      new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(count),
    )
    .join(" ");
}

const dates = (options) => {
  const format = new Intl.DateTimeFormat(locale, { timeZone: "UTC", ...options });
  return (day) => format.format(new Date(`${day}T00:00:00Z`));
};

/** Days of UTC, from `YYYY-MM-DD`. */
export const longDate = dates({ weekday: "long", day: "numeric", month: "long", year: "numeric" });
export const shortDate = dates({ day: "numeric", month: "short" });
export const monthName = dates({ month: "long", year: "numeric" });
export const weekdayName = dates({ weekday: "short" });

export const number = (value) => numbers.format(value);
