/** The archive: every past deal, by month. */

import { html, nothing, render } from "lit-html";
import { all, call } from "./api.js";
import { calendar, monthAfter } from "./calendar.js";
import { today } from "./clock.js";
import { element, embedded } from "./dom.js";
import { signedIn } from "./identity.js";
import "./shell.js";
import { challengeTitle, longDate, monthName, number, t } from "./texts.js";

/** @import { Attempt, Challenge, Deal, DealListing } from "api-types" */

/**
 * The sealed deals of a challenge, as far as they have been read: newest first.
 * @typedef {object} Archive
 * @property {Map<string, Deal>} deals by day
 * @property {string|null} cursor of the next page; null after the last one
 * @property {string|null} oldest the earliest day read so far
 */

const page = element("[data-archive]");
/** @type {Challenge[]} */
const challenges = embedded("challenges");

let challenge = new URLSearchParams(location.search).get("challenge") ?? challenges[0].id;
let month = today().slice(0, 7);
let problem = "";

/** @type {Map<string, Archive>} by challenge */
const archives = new Map();
/** @type {Map<string, string>} by challenge and day: how the player's ranked attempt ended */
const own = new Map();

/** Reads pages until the month on display is complete. */
async function read() {
  const archive = archives.get(challenge) ?? { deals: new Map(), cursor: "", oldest: null };
  archives.set(challenge, archive);
  try {
    while (archive.cursor !== null && (!archive.oldest || archive.oldest >= `${month}-01`)) {
      await readPage(challenge, archive);
    }
    problem = "";
  } catch {
    problem = t("board.unreachable");
  }
  draw();
}

/**
 * @param {string} challenge
 * @param {Archive} archive
 */
async function readPage(challenge, archive) {
  const query = new URLSearchParams({ challenge, limit: "100" });
  if (archive.cursor) query.set("cursor", archive.cursor);
  /** @type {DealListing} */
  const { items, next } = await call(`/deals?${query}`);
  for (const deal of items) archive.deals.set(deal.date, deal);
  archive.oldest = items.at(-1)?.date ?? archive.oldest ?? "0000";
  archive.cursor = next;
}

async function readOwn() {
  if (!signedIn()) return;
  try {
    /** @type {Attempt[]} */
    const attempts = await all("/me/attempts?limit=100", 400);
    for (const attempt of attempts) {
      if (attempt.ranked) own.set(`${attempt.challenge} ${attempt.date}`, attempt.status);
    }
  } catch {
    return; // the calendar is complete without it
  }
  draw();
}

/** @param {string} id */
function chooseChallenge(id) {
  challenge = id;
  history.replaceState(null, "", `?challenge=${challenge}`);
  draw();
  read();
}

/** @param {number} step */
function turnPage(step) {
  month = monthAfter(month, step);
  draw();
  read();
}

/** Whether the month on display has the first deal of all. */
function isFirstMonth() {
  const archive = archives.get(challenge);
  return archive?.cursor === null && (archive.oldest ?? "") >= `${month}-01`;
}

const isLastMonth = () => month >= today().slice(0, 7);

function draw() {
  const deals = archives.get(challenge)?.deals;
  render(
    html`
    <div class="choices" role="group" aria-label=${t("archive.choose")}>${challenges.map(choice)}</div>
    <div class="months">
      ${monthButton("‹", t("archive.before"), isFirstMonth(), -1)}
      <h2 aria-live="polite" .textContent=${monthName(`${month}-01`)}></h2>
      ${monthButton("›", t("archive.after"), isLastMonth(), 1)}
    </div>
    ${calendar(month, (day) => cell(deals?.get(day), day))}
    <p class="empty" .textContent=${problem}></p>`,
    element("[data-calendar]", page),
  );
}

/** @param {Challenge} challenge */
const choice = ({
  id,
  title,
}) => html`<button type="button" class="choice" aria-pressed=${String(id === challenge)}
  @click=${() => chooseChallenge(id)}>${challengeTitle(id, title)}</button>`;

/**
 * @param {string} sign
 * @param {string} label
 * @param {boolean} isEnd
 * @param {number} step
 */
const monthButton = (
  sign,
  label,
  isEnd,
  step,
) => html`<button type="button" class="button is-quiet" aria-disabled=${isEnd ? "true" : nothing}
  @click=${() => isEnd || turnPage(step)}><span aria-hidden="true">${sign}</span><span class="unseen">${label}</span></button>`;

/**
 * Draws a day of the calendar, with a link where it has a deal.
 * @param {Deal|undefined} deal
 * @param {string} day
 */
function cell(deal, day) {
  const date = html`<span class="day" .textContent=${String(Number(day.slice(8)))}></span>`;
  if (!deal) return html`<span class="cell ${day === today() ? "is-today" : ""}">${date}</span>`;
  const status = own.get(`${challenge} ${day}`);
  const difficulty = deal.difficulty ?? "unknown";
  const label = [
    longDate(day),
    t(`difficulty.${difficulty}`),
    t("archive.cleared", { cleared: number(deal.cleared), players: number(deal.players) }),
    ...(status ? [t(`archive.own_${status}`)] : []),
  ].join(", ");
  return html`<a class="cell is-deal is-${difficulty} ${status ? `is-own-${status}` : ""}" href="/leaderboard/${day}/${challenge}" aria-label="${Number(day.slice(8))}: ${label}">
    ${date}<span class="level" aria-hidden="true"></span></a>`;
}

draw();
await Promise.all([read(), readOwn()]);
