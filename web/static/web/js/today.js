/** The page of today: the server has drawn it; what depends on the player and the hour comes here. */

import { Unreachable, call } from "./api.js";
import { everySecond, onNewDay, setTime, untilTomorrow } from "./clock.js";
import { onChange, signedIn } from "./identity.js";
import "./shell.js";
import { duration, number, t } from "./texts.js";
import { summary, voidText } from "./worth.js";

const page = document.querySelector("[data-today]");
const cards = new Map([...page.querySelectorAll("[data-challenge]")].map((card) => [card.dataset.challenge, card]));
let etag = "";

everySecond(() => {
  page.querySelector("[data-countdown]").textContent = duration(untilTomorrow());
});

/** Counts and states of the deals, which others change. */
async function refresh() {
  try {
    const today = await call("/deals/today", { etag, onEtag: (version) => (etag = version) });
    if (!today) return;
    setTime(today.now);
    if (today.date !== page.dataset.today) return location.reload();
    for (const deal of today.items) show(deal);
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
  }
}

function show(deal) {
  const card = cards.get(deal.challenge);
  if (!card) return;
  card.querySelector("[data-players]").textContent = number(deal.players);
  card.querySelector("[data-cleared]").textContent = number(deal.cleared);
  card.classList.toggle("is-being-made", deal.status === "being_made");
  card.querySelector("[data-void]").textContent = voidText(deal);
  if (deal.difficulty) card.querySelector("[data-difficulty]").textContent = t(`difficulty.${deal.difficulty}`);
}

/** What the player has of today's deals already. */
async function showOwn() {
  for (const card of cards.values()) card.querySelector("[data-own]").textContent = "";
  page.querySelector("[data-streak]").textContent = "";
  if (!signedIn()) return;
  try {
    const [own, me] = await Promise.all([call(`/me/attempts?date=${page.dataset.today}`), call("/me")]);
    if (me.streak) page.querySelector("[data-streak]").textContent = t("today.streak", { count: me.streak });
    for (const attempt of own.items) showAttempt(attempt);
  } catch {
    // The page is whole without it.
  }
}

function showAttempt(attempt) {
  const card = cards.get(attempt.challenge);
  card.querySelector("[data-own]").textContent = summary(attempt);
  card.querySelector("[data-play]").textContent = t(attempt.status === "active" ? "today.resume" : "today.look");
}

onNewDay(refresh);
onChange(showOwn);
setInterval(() => document.hidden || refresh(), 30_000);
document.addEventListener("visibilitychange", () => document.hidden || refresh());

await Promise.all([refresh(), showOwn()]);
