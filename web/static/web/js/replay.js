/** An attempt replayed, move by move, as its player saw it. */

import { html, nothing, render } from "lit-html";
import { all, call, isFailure, Refused } from "./api.js";
import { attribute, element } from "./dom.js";
import { parsePosition } from "./layout.js";
import { Motion } from "./motion.js";
import { say } from "./shell.js";
import * as spoken from "./spoken.js";
import { table } from "./table.js";
import { challengeTitle, duration, longDate, t } from "./texts.js";

/** @import { Attempt, Challenges, Log, Move } from "api-types" */

const page = element("[data-replay]");
const part = (/** @type {string} */ name) => element(`[data-${name}]`, page);
const tableElement = part("table");
const motion = new Motion(tableElement);
const PACE = 900; // ms a move

/** @typedef {ReturnType<typeof stepOf>} Step */

/** @type {Step[]} the start, and the position after each move */
let steps = [];
let stockTop = false;
let at = 0;
let timer = 0;

async function open() {
  try {
    await read(attribute(page, "replay"));
  } catch (error) {
    if (!isFailure(error)) throw error;
    const isMissing = error instanceof Refused && error.code === "not_found";
    part("message").textContent = t(isMissing ? "replay.missing" : "board.unreachable");
    return;
  }
  tableElement.replaceChildren(); // the server has drawn an empty table
  draw();
}

/** @param {string} id */
async function read(id) {
  const moves = `/attempts/${id}/moves?positions=1`;
  /** @type {[Promise<Attempt>, Promise<Log>, Promise<Challenges>]} */
  const calls = [call(`/attempts/${id}`), call(moves), call("/challenges")];
  const [attempt, log, { items: challenges }] = await Promise.all(calls);
  /** @type {Move[]} */
  const items = log.next ? await all(moves) : log.items;
  const { passes, pyramid } = attempt.position;
  steps = [
    stepOf(null, 0, log.start, passes),
    ...items.map(({ move, at_ms, position }) => stepOf(move, at_ms, position, passes)),
  ];
  stockTop = challenges.find(({ id }) => id === attempt.challenge)?.rules.stock_top ?? false;
  page.dataset.rows = String(pyramid.length);
  part("title").textContent = `${challengeTitle(attempt.challenge)}, ${longDate(attempt.date)}`;
}

/**
 * @param {string|null} move
 * @param {number} at_ms
 * @param {string} [text] of the position after it, which `?positions=1` sends
 * @param {number} [passes]
 */
function stepOf(move, at_ms, text = "", passes = 1) {
  return { move, at_ms, position: { ...parsePosition(text), passes } };
}

/**
 * Shows a step; the move to a neighbour is animated.
 * @param {number} wanted
 * @param {{animate?: boolean}} [options]
 */
function go(wanted, { animate = true } = {}) {
  const step = Math.max(0, Math.min(steps.length - 1, wanted));
  if (step === at) return stop();
  const from = steps[at].position;
  const isNear = Math.abs(step - at) === 1;
  at = step;
  motion.before();
  draw();
  if (animate && isNear) motion.after(from, steps[at].position);
  if (at === steps.length - 1) stop();
}

function stop() {
  clearInterval(timer);
  timer = 0;
  draw();
}

function playOrPause() {
  if (timer) return stop();
  if (at === steps.length - 1) go(0, { animate: false });
  timer = setInterval(() => go(at + 1), PACE);
  draw();
}

/** @param {number} step */
function stepTo(step) {
  if (timer) stop();
  go(step);
  say(sentence());
}

/** @param {Event} event */
function onSlide({ target }) {
  stop();
  if (target instanceof HTMLInputElement) go(Number(target.value));
}

function sentence() {
  const { move, position } = steps[at];
  return move ? spoken.describeMove(move, steps[at - 1].position, position) : t("replay.start");
}

function draw() {
  const { position, at_ms } = steps[at];
  const last = steps.length - 1;
  const where = t("replay.at", { at, of: last });
  render(table({ position, stockTop }), tableElement);
  part("message").textContent = sentence();
  part("timer").textContent = duration(at_ms);
  render(
    html`
    <button type="button" class="tool" @click=${() => stepTo(at - 1)} aria-disabled=${at ? nothing : "true"}><span>${t("replay.back")}</span></button>
    <button type="button" class="tool is-main" @click=${playOrPause}><span .textContent=${t(timer ? "replay.pause" : "replay.play")}></span></button>
    <button type="button" class="tool" @click=${() => stepTo(at + 1)} aria-disabled=${at < last ? nothing : "true"}><span>${t("replay.forward")}</span></button>
    <label class="slider"><span class="unseen">${t("replay.move")}</span>
      <input type="range" min="0" max=${last} .value=${String(at)} aria-valuetext=${where} @input=${onSlide}></label>
    <p class="at" .textContent=${where}></p>`,
    part("tools"),
  );
}

await open();
