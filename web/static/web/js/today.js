/** The page of today: the server has drawn it, and this adds what depends on player and hour. */

import { call, Unreachable } from "./api.js";
import { everySecond, onNewDay, setTime, untilTomorrow } from "./clock.js";
import { attribute, element } from "./dom.js";
import { onPlayerChange, signedIn } from "./identity.js";
import { summary, voidText } from "./outcome.js";
import "./shell.js";
import { duration, number, t } from "./texts.js";

/** @import { Attempt, AttemptListing, Deal, Me, Today } from "api-types" */

const page = element("[data-today]");
/** @type {NodeListOf<HTMLElement>} */
const deals = page.querySelectorAll("[data-challenge]");
const cards = new Map([...deals].map((card) => [attribute(card, "challenge"), card]));
let etag = "";

everySecond(() => {
  element("[data-countdown]", page).textContent = duration(untilTomorrow());
});

/** Shows the counts and states of the deals, which others change. */
async function refresh() {
  try {
    /** @type {Today|null} */
    const today = await call("/deals/today", {
      etag,
      onEtag(version) {
        etag = version;
      },
    });
    if (!today) return;
    setTime(today.now);
    if (today.date !== page.dataset.today) return location.reload();
    for (const deal of today.items) show(deal);
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
  }
}

/** @param {Deal} deal */
function show(deal) {
  const card = cards.get(deal.challenge);
  if (!card) return;
  element("[data-players]", card).textContent = number(deal.players);
  element("[data-cleared]", card).textContent = number(deal.cleared);
  element("[data-void]", card).textContent = voidText(deal);
  card.classList.toggle("is-being-made", deal.status === "being_made");
  if (deal.difficulty) {
    element("[data-difficulty]", card).textContent = t(`difficulty.${deal.difficulty}`);
  }
}

/** Shows what the player has of today's deals already. */
async function showOwn() {
  for (const card of cards.values()) element("[data-own]", card).textContent = "";
  const streak = element("[data-streak]", page);
  streak.textContent = "";
  if (!signedIn()) return;
  try {
    /** @type {[Promise<AttemptListing>, Promise<Me>]} */
    const calls = [call(`/me/attempts?date=${page.dataset.today}`), call("/me")];
    const [own, me] = await Promise.all(calls);
    if (me.streak) streak.textContent = t("today.streak", { count: me.streak });
    for (const attempt of own.items) showAttempt(attempt);
  } catch {
    // The page is complete without it.
  }
}

/** @param {Attempt} attempt */
function showAttempt(attempt) {
  const card = cards.get(attempt.challenge);
  if (!card) return;
  const isActive = attempt.status === "active";
  element("[data-own]", card).textContent = summary(attempt);
  element("[data-play]", card).textContent = t(isActive ? "today.resume" : "today.look");
}

onNewDay(refresh);
onPlayerChange(showOwn);
setInterval(() => document.hidden || refresh(), 30_000);
document.addEventListener("visibilitychange", () => document.hidden || refresh());

await Promise.all([refresh(), showOwn()]);
