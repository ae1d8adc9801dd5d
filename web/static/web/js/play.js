/** The play page: what the player does becomes moves, and what the server answers is shown. */

import { nothing, render } from "../vendor/lit-html/lit-html.js";
import { Refused } from "./api.js";
import { AttemptInPlay } from "./attempt.js";
import { banner, closing, tools } from "./controls.js";
import { everySecond, onNewDay, today } from "./clock.js";
import { confirmed, finish, help } from "./dialogs.js";
import * as focus from "./focus.js";
import { onChange, signedIn } from "./identity.js";
import { cardAt, isCovered, pairOf, placesOf } from "./layout.js";
import { Motion, shake } from "./motion.js";
import { listen } from "./pointer.js";
import { say } from "./shell.js";
import * as spoken from "./spoken.js";
import { table } from "./table.js";
import { duration, t } from "./texts.js";
import { isPractice, readVoidText } from "./worth.js";

const page = document.querySelector("[data-play]");
const { day, challenge } = page.dataset;
const isSealed = "sealed" in page.dataset;
const rules = JSON.parse(document.getElementById("rules").textContent);
const part = (name) => page.querySelector(`[data-${name}]`);
const board = part("board");
const motion = new Motion(board);

let selected = null;
let current = "S"; // where Tab leads
let word = ""; // what the line below the table says
let newDay = day < today();
let resting = 0; // the timer of a pause, see `rest`

const attempt = new AttemptInPlay(changed);
let owner = signedIn()?.player.id; // whose table this is; nobody's until somebody plays
const isSignedOut = () => Boolean(owner) && !signedIn();
let isBlank = true; // the server has drawn the empty table
const isOver = () => attempt.state.status !== "active";
const isLegal = (move) => attempt.state.legal_moves.includes(move);
const isTaken = (place) => attempt.unanswered.some((move) => placesOf(move).includes(place));
const isFree = (place) =>
  Boolean(cardAt(attempt.state.position, place)) && !isCovered(attempt.state.position, place) && !isTaken(place);

function changed(change) {
  if (change.kind === "refused") refused(change);
  else if (change.kind === "line") lineChanged();
  else moved(change);
  draw();
  if (change.kind !== "line" && change.kind !== "refused" && isOver()) over(change);
}

function lineChanged() {
  const text = attempt.trouble ? t(troubleText(attempt)) : "";
  if (text && text !== word) say(text);
  word = text;
}

function troubleText({ trouble, waits }) {
  if (trouble instanceof Refused) return trouble.code === "deal_being_made" ? "play.being_made" : "play.busy";
  return waits ? "play.offline" : "play.unreachable";
}

/** Another position is on the table, by this player's move or from elsewhere. */
function moved({ kind, move, before }) {
  const { position } = attempt.state;
  const hadFocus = board.contains(document.activeElement);
  const at = document.activeElement?.dataset?.place ?? current;
  const uncovered = before ? spoken.uncovered(before.position, position) : [];
  word = kind === "elsewhere" ? t("play.elsewhere") : "";
  selected = null;
  if (!position.stock.length) rest();
  current = focus.after(position, hadFocus ? at : current, move && move !== "U" ? uncovered : []);
  motion.before();
  drawBoard();
  if (before) motion.after(before.position, position);
  if (hadFocus) focusOn(current);
  if (move && kind === "move") say(spoken.change(move, before.position, position, uncovered));
  else if (kind === "elsewhere") say(word);
  if (attempt.state.stuck && !isOver()) say(t("play.stuck"));
}

function refused({ refusal, move, before }) {
  shake(placesOf(move ?? "D").map(cardElement).filter(Boolean));
  word = OF_MOVES.includes(refusal.code) ? spoken.refusal(refusal, move, before.position) : failure(refusal);
  say(word);
}

const OF_MOVES = ["illegal_move", "invalid_notation", "nothing_to_undo", "log_full"];
const FAILURES = { deal_closed: "play.deal_closed", not_authenticated: "play.signed_out", forbidden: "play.locked" };
const failure = (refusal) => t(FAILURES[refusal.code] ?? "play.failed");

function over({ kind }) {
  part("timer").textContent = duration(attempt.elapsed);
  if (attempt.state.status === "resigned" && kind === "move") say(t("play.ended_resigned", { time: duration(attempt.elapsed) }));
  if (attempt.state.status === "cleared" && kind !== "start") openFinish();
}

function openFinish() {
  finish({ attempt: attempt.state, day, challenge, page });
}

/* What the player does */

function tap(place) {
  if (!attempt.state || isOver() || isTaken(place)) return;
  current = place;
  const { position } = attempt.state;
  const card = cardAt(position, place);
  if (place === "S" && !selected && !(rules.stock_top && card)) return drawOrTurn();
  if (selected === place) {
    if (place === "S") return drawOrTurn();
    selected = null;
  } else if (selected) {
    const move = pairOf(selected, place);
    if (isLegal(place)) return go(place);
    if (place === "S" && !rules.stock_top) return drawOrTurn();
    return go(move);
  } else if (isCovered(position, place)) {
    shake([cardElement(place)]);
    word = t("play.covered", { card: spoken.named(card) });
    say(word);
  } else if (isLegal(place)) {
    return go(place);
  } else {
    selected = place;
    word = "";
  }
  draw();
}

/** Draws, or turns the waste over; presses in haste past the end of the stock do neither. */
function drawOrTurn() {
  const { unanswered, waits, state } = attempt;
  const left = state.position.stock.length - unanswered.filter((move) => move === "D").length;
  if (left > 0 ? isLegal("D") || waits : unanswered.includes("U")) return go("D");
  if (unanswered.includes("R")) return;
  if (isLegal("R") && !waits && !resting) return go("R");
  if (resting) rest();
  word = t(isLegal("R") ? "play.redeal_later" : "play.no_more_cards");
  say(word);
  draw();
}

const REST = 800; // ms

/** Begins the pause that comes before a redeal; a press that comes too early begins it again. */
function rest() {
  clearTimeout(resting);
  resting = setTimeout(() => {
    resting = 0;
    draw();
  }, REST);
}

/** Sends a move; one that is not legal now shakes at once, and the server says why. */
function go(move) {
  selected = null;
  if (!isLegal(move) && !attempt.waits) shake(placesOf(move).map(cardElement).filter(Boolean));
  attempt.play(move);
  draw();
}

/** By its button; the waste is turned over at the stock itself. */
function drawOne() {
  if (attempt.state?.position.stock.length) drawOrTurn();
}

function undo() {
  if (attempt.state && !isOver() && (attempt.state.can_undo || attempt.waits)) go("U");
}

async function resign() {
  if (!attempt.state || isOver()) return;
  if (!(await confirmed(isPractice(attempt.state) ? "resign_practice" : "resign"))) return;
  await attempt.resign();
  part("tools").querySelector("a, button")?.focus();
}

listen(board, {
  tap,
  canDrag: (place) => Boolean(attempt.state) && !isOver() && isFree(place),
  canTake: (place) => isFree(place) && (place !== "S" || rules.stock_top),
  drop(place, targets) {
    if (isLegal(place)) return go(place), true;
    if (place === "S" && !rules.stock_top) return targets.includes("W") || !targets.length ? (drawOrTurn(), true) : false;
    const partner = targets.find((target) => isLegal(pairOf(place, target))) ?? targets[0];
    if (!partner) return false;
    const move = pairOf(place, partner);
    go(move);
    return isLegal(move);
  },
});

/** Keys that play do so once, however long they are held. */
page.addEventListener("keydown", (event) => {
  if (!event.repeat || !/^(enter|d|z)$/i.test(event.key)) return;
  event.preventDefault();
  event.stopPropagation();
}, { capture: true });

board.addEventListener("keydown", (event) => {
  if (!attempt.state || event.ctrlKey || event.metaKey || event.altKey) return;
  const place = event.target.closest("[data-place]")?.dataset.place;
  const { position } = attempt.state;
  const keys = {
    Escape: () => ((selected = null), (word = ""), draw()),
    d: () => isOver() || drawOrTurn(),
    z: undo,
    m: () => say(spoken.moves(attempt.state)),
    s: () => say(spoken.state(attempt)),
    "?": help,
  };
  const action = keys[event.key] ?? keys[event.key.toLowerCase()];
  if (event.key.startsWith("Arrow")) {
    const next = place && focus.neighbour(position, place, event.key);
    if (next) {
      current = next;
      drawBoard();
      focusOn(next);
    }
  } else if (action) action();
  else return;
  event.preventDefault();
});

board.addEventListener("focusin", (event) => {
  const place = event.target.closest("[data-place]")?.dataset.place;
  if (!place || place === current) return;
  current = place;
  drawBoard();
});

const cardElement = (place) => board.querySelector(`[data-place="${place}"]`);
const focusOn = (place) => cardElement(place)?.focus();

/* What the player sees */

function draw() {
  const focused = document.activeElement;
  if (attempt.state) drawBoard();
  render(tools({ attempt, isOver: Boolean(attempt.state) && isOver(), undo, resign, help, openFinish, day, challenge,
    draw: rules.stock_top ? drawOne : null }), part("tools"));
  render(banner({ attempt, undo, resign, isSignedOut: isSignedOut() }), part("banner"));
  render(newDay && !isSealed ? closing(attempt) : nothing, part("closing"));
  part("word").textContent = word;
  showFacts();
  if (!focused.isConnected) focusOn(current);
}

function drawBoard() {
  const { position, legal_moves: legal } = attempt.state;
  if (isBlank) {
    board.replaceChildren();
    isBlank = false;
  }
  page.dataset.rows = position.pyramid.length;
  page.dataset.ply = attempt.state.ply;
  page.classList.toggle("is-over", isOver());
  render(table({
    position,
    stockTop: rules.stock_top,
    canRedeal: legal.includes("R"),
    rests: Boolean(resting),
    selected,
    current,
    going: attempt.underway && isLegal(attempt.underway) ? placesOf(attempt.underway) : [],
  }), board);
}

function showFacts() {
  if (!attempt.state) return;
  const count = attempt.state.undo_count;
  part("undos").textContent = t("play.undos", { count });
}

everySecond(() => {
  if (attempt.state) part("timer").textContent = duration(attempt.elapsed);
});

onNewDay(() => {
  newDay = day < today();
  draw();
  say(part("closing").textContent);
});

/** Shows no player the table of another. */
onChange(() => {
  const player = signedIn()?.player.id;
  owner ??= player;
  if (player && player !== owner) return location.reload();
  if (isSignedOut()) say(t("play.signed_out"));
  draw();
});

/* The start */

async function begin(event) {
  const fromButton = Boolean(event);
  owner = signedIn()?.player.id; // who is signed out may start as another guest
  part("start").remove();
  try {
    await attempt.start(day, challenge);
    if (fromButton) focusOn(current);
  } catch (refusal) {
    const reason = refusal.code === "deal_closed" && (await readVoidText(day, challenge));
    word = reason || failure(refusal);
    say(word);
    draw();
  }
}

async function enter() {
  const wanted = location.hash === "#start";
  if (wanted) {
    history.replaceState(null, "", location.pathname); // looking at the page again starts nothing
    return begin();
  }
  if (signedIn()) {
    try {
      if (await attempt.find(day, challenge)) return part("start")?.remove();
    } catch {
      // Then it is as if nothing was known, and to start is to go on.
    }
  }
  const start = part("start");
  start.hidden = false;
  start.querySelector("button")?.addEventListener("click", begin);
}

draw();
await enter();
