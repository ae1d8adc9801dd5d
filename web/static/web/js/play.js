/** The play page: what the player does becomes moves, and what the server answers is shown. */

import { nothing, render } from "lit-html";
import { isFailure, Refused } from "./api.js";
import { AttemptInPlay } from "./attempt.js";
import { everySecond, onNewDay, today } from "./clock.js";
import { closingNote, endedTools, signedOutBanner, stuckBanner, tools } from "./controls.js";
import { confirmed, finish, help } from "./dialogs.js";
import { attribute, cardElement, element, embedded, placeOf } from "./dom.js";
import { neighbour, placeAfter } from "./focus.js";
import { onPlayerChange, signedIn } from "./identity.js";
import { listenToKeys } from "./keyboard.js";
import { cardAt, isCovered, pairOf, placesOf } from "./layout.js";
import { failureText, refusalText, troubleText } from "./messages.js";
import { Motion, shake } from "./motion.js";
import { isPractice, readVoidText } from "./outcome.js";
import { listen } from "./pointer.js";
import { say } from "./shell.js";
import * as spoken from "./spoken.js";
import { table } from "./table.js";
import { duration, t } from "./texts.js";

/** @import { Challenge } from "api-types" */
/** @import { Change, NewPosition, Refusal } from "./attempt.js" */

const page = element("[data-play]");
const day = attribute(page, "day");
const isSealed = "sealed" in page.dataset;
/** @type {Challenge} */
const challenge = embedded("challenge");
const { rules } = challenge;
const part = (/** @type {string} */ name) => element(`[data-${name}]`, page);
const tableElement = part("table");
const motion = new Motion(tableElement);

/** @type {string|null} */
let selected = null; // a place
let current = "S"; // the place that Tab leads to
let message = ""; // below the table
let isDayOver = day < today();
let redealPause = 0; // a timer, see `pauseRedeal`

const attempt = new AttemptInPlay(changed);
let owner = signedIn()?.player.id; // whose table this is; nobody's until somebody plays
const isSignedOut = () => Boolean(owner) && !signedIn();
let isBlank = true; // the server has drawn the empty table

/* What may be played: nothing before the start */

const isActive = () => attempt.state?.status === "active";
const isOver = () => Boolean(attempt.state) && !isActive();
const isLegal = (/** @type {string} */ move) => attempt.state?.legal_moves.includes(move) ?? false;

/** @param {string} place whether a move without an answer takes its card */
const isTaken = (place) => attempt.unanswered.some((move) => placesOf(move).includes(place));

/** @param {string} place */
function isFree(place) {
  const position = attempt.state?.position;
  if (!position || isTaken(place)) return false;
  return Boolean(cardAt(position, place)) && !isCovered(position, place);
}

/* What the server answers */

/** @param {Change} change */
function changed(change) {
  if (change.kind === "connection") showConnection();
  else if (change.kind === "refused") showRefusal(change);
  else showPosition(change);
  draw();
  if (change.kind !== "connection" && change.kind !== "refused" && isOver()) showEnd(change.kind);
}

function showConnection() {
  const text = troubleText(attempt);
  if (text && text !== message) say(text);
  message = text;
}

/**
 * Shows another position, after a move by this player or from elsewhere.
 * @param {NewPosition} change
 */
function showPosition({ kind, move, before }) {
  if (!attempt.state) return;
  const { position, stuck } = attempt.state;
  const focused = document.activeElement;
  const hadFocus = tableElement.contains(focused);
  const at = focused instanceof HTMLElement ? (focused.dataset.place ?? current) : current;
  const isRemoval = before && move && move !== "U";
  const uncovered = isRemoval ? spoken.newlyUncovered(before.position, position) : [];
  message = kind === "elsewhere" ? t("play.elsewhere") : "";
  selected = null;
  if (!position.stock.length) pauseRedeal();
  current = placeAfter(position, hadFocus ? at : current, uncovered);
  motion.before();
  drawTable();
  if (before) motion.after(before.position, position);
  if (hadFocus) focusOn(current);
  if (kind === "move" && move) say(spoken.describeMove(move, before.position, position));
  else if (kind === "elsewhere") say(message);
  if (stuck && isActive()) say(t("play.stuck"));
}

/** @param {Refusal} change */
function showRefusal(change) {
  shake(tableElement, placesOf(change.move ?? "D"));
  message = refusalText(change);
  say(message);
}

/** @param {NewPosition["kind"]} kind */
function showEnd(kind) {
  const time = duration(attempt.elapsed);
  part("timer").textContent = time;
  const status = attempt.state?.status;
  if (status === "resigned" && kind === "move") say(t("play.ended_resigned", { time }));
  if (status === "cleared" && kind !== "start") openFinish();
}

async function openFinish() {
  if (!attempt.state) return;
  await finish(attempt.state);
  focusOnTools();
}

/* What the player does */

/**
 * Selects a card, or plays it: a King or the stock at once, others as the second of a pair.
 * @param {string} place
 */
function tap(place) {
  if (!attempt.state || isOver() || isTaken(place)) return;
  current = place;
  const { position } = attempt.state;
  const card = cardAt(position, place);
  const opensStock = rules.stock_top && card;
  if (place === "S" && (selected === "S" || !(selected || opensStock))) return drawOrRedeal();
  if (selected === place) {
    selected = null;
  } else if (isLegal(place)) {
    return go(place);
  } else if (selected) {
    return place === "S" && !rules.stock_top ? drawOrRedeal() : go(pairOf(selected, place));
  } else if (isCovered(position, place)) {
    shake(tableElement, [place]);
    message = t("play.covered", { card: spoken.nameOf(card) });
    say(message);
  } else {
    selected = place;
    message = "";
  }
  draw();
}

/** Draws, or turns the waste over; hasty presses past the end of the stock do neither. */
function drawOrRedeal() {
  const { unanswered, waits, state } = attempt;
  if (!state) return;
  const left = state.position.stock.length - unanswered.filter((move) => move === "D").length;
  if (left > 0 ? isLegal("D") || waits : unanswered.includes("U")) return go("D");
  if (unanswered.includes("R")) return;
  if (isLegal("R") && !waits && !redealPause) return go("R");
  if (redealPause) pauseRedeal();
  message = t(isLegal("R") ? "play.redeal_later" : "play.no_more_cards");
  say(message);
  draw();
}

const PAUSE = 800; // ms

/** Begins the pause that comes before a redeal; a press that comes too early begins it again. */
function pauseRedeal() {
  clearTimeout(redealPause);
  redealPause = setTimeout(() => {
    redealPause = 0;
    draw();
  }, PAUSE);
}

/**
 * Sends a move; one that is not legal now shakes at once, and the server says why.
 * @param {string} move
 */
function go(move) {
  selected = null;
  if (!isLegal(move) && !attempt.waits) shake(tableElement, placesOf(move));
  attempt.play(move);
  draw();
}

/** Draws by the button below; the waste is turned over at the stock itself. */
function drawOne() {
  if (attempt.state?.position.stock.length) drawOrRedeal();
}

function undo() {
  if (isActive() && (attempt.state?.can_undo || attempt.waits)) go("U");
}

async function resign() {
  if (!attempt.state || isOver()) return;
  if (!(await confirmed(isPractice(attempt.state) ? "resign_practice" : "resign"))) return;
  await attempt.resign();
  focusOnTools();
}

listen(tableElement, {
  tap,
  canDrag: (place) => !isOver() && isFree(place),
  canTake: (place) => isFree(place) && (place !== "S" || rules.stock_top),
  drop(place, targets) {
    if (isLegal(place)) {
      go(place);
      return true;
    }
    if (place === "S" && !rules.stock_top) {
      const isDraw = targets.includes("W") || !targets.length;
      if (isDraw) drawOrRedeal();
      return isDraw;
    }
    const partner = targets.find((target) => isLegal(pairOf(place, target))) ?? targets[0];
    if (!partner) return false;
    const move = pairOf(place, partner);
    go(move);
    return isLegal(move);
  },
});

/** @type {Record<string, () => void>} */
const KEYS = {
  Escape() {
    selected = null;
    message = "";
    draw();
  },
  d: () => isOver() || drawOrRedeal(),
  z: undo,
  m: () => attempt.state && say(spoken.describeMoves(attempt.state)),
  s: () => attempt.state && say(spoken.describeState(attempt.state, attempt.elapsed)),
  "?": showHelp,
};

listenToKeys(
  page,
  tableElement,
  () => Boolean(attempt.state),
  KEYS,
  (place, key) => {
    const next = attempt.state && neighbour(attempt.state.position, place, key);
    if (!next) return;
    current = next;
    drawTable();
    focusOn(next);
  },
);

tableElement.addEventListener("focusin", (event) => {
  const place = placeOf(event);
  if (!place || place === current) return;
  current = place;
  drawTable();
});

const focusOn = (/** @type {string} */ place) => cardElement(tableElement, place)?.focus();

function focusOnTools() {
  const first = part("tools").querySelector("a, button");
  if (first instanceof HTMLElement) first.focus();
}

/* What the player sees */

function showHelp() {
  help(challenge);
}

const actions = {
  undo,
  resign,
  help: showHelp,
  draw: rules.stock_top ? drawOne : null,
  openFinish,
};

function draw() {
  const focused = document.activeElement;
  const { state } = attempt;
  drawTable();
  const buttons = state && isOver() ? endedTools(state, actions) : tools(attempt, actions);
  render(buttons, part("tools"));
  render(isSignedOut() ? signedOutBanner() : stuckBanner(attempt, actions), part("banner"));
  render(isDayOver && !isSealed ? closingNote(attempt) : nothing, part("closing"));
  part("message").textContent = message;
  if (state) part("undos").textContent = t("play.undos", { count: state.undo_count });
  if (!focused?.isConnected) focusOn(current);
}

function drawTable() {
  if (!attempt.state) return;
  const { position, ply } = attempt.state;
  const { underway } = attempt;
  if (isBlank) {
    tableElement.replaceChildren();
    isBlank = false;
  }
  page.dataset.rows = String(position.pyramid.length);
  page.dataset.ply = String(ply);
  page.classList.toggle("is-over", isOver());
  const view = {
    position,
    stockTop: rules.stock_top,
    canRedeal: isLegal("R"),
    isRedealPaused: Boolean(redealPause),
    selected,
    current,
    leaving: underway && isLegal(underway) ? placesOf(underway) : [],
  };
  render(table(view), tableElement);
}

everySecond(() => {
  if (attempt.state) part("timer").textContent = duration(attempt.elapsed);
});

onNewDay(() => {
  isDayOver = day < today();
  draw();
  say(part("closing").textContent ?? "");
});

/** Shows no player the table of another. */
onPlayerChange(() => {
  const player = signedIn()?.player.id;
  owner ??= player;
  if (player && player !== owner) return location.reload();
  if (isSignedOut()) say(t("play.signed_out"));
  draw();
});

/* The start */

/** @param {Event} [event] of the button, if it was pressed */
async function begin(event) {
  owner = signedIn()?.player.id; // whoever is signed out may start as another guest
  part("start").remove();
  try {
    await attempt.start(day, challenge.id);
    if (event) focusOn(current);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const isClosed = error.code === "deal_closed";
    const reason = isClosed ? await readVoidText(day, challenge.id) : "";
    message = reason || failureText(error);
    say(message);
    draw();
  }
}

/** Takes up the player's attempt; begins one at once where the address says so, else offers to. */
async function enter() {
  if (location.hash === "#start") {
    history.replaceState(null, "", location.pathname); // a reload starts nothing
    return begin();
  }
  const start = part("start");
  try {
    if (signedIn() && (await attempt.find(day, challenge.id))) return start.remove();
  } catch (error) {
    if (!isFailure(error)) throw error; // else as if nothing was known: to start is to continue
  }
  start.hidden = false;
  start.querySelector("button")?.addEventListener("click", begin);
}

draw();
await enter();
