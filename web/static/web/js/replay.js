/** An attempt played again, step by step, as its player saw it. */

import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { Refused, Unreachable, all, call } from "./api.js";
import { Motion } from "./motion.js";
import { parsePosition } from "./layout.js";
import { say } from "./shell.js";
import * as spoken from "./spoken.js";
import { table } from "./table.js";
import { challengeTitle, duration, longDate, t } from "./texts.js";

const page = document.querySelector("[data-replay]");
const part = (name) => page.querySelector(`[data-${name}]`);
const board = part("board");
const motion = new Motion(board);
const PACE = 900; // ms a move

let attempt, steps, rules;
let at = 0;
let timer = 0;

async function open() {
  const { replay: id } = page.dataset;
  try {
    const [found, first, { items: challenges }] = await Promise.all([
      call(`/attempts/${id}`), call(`/attempts/${id}/moves?positions=1`), call("/challenges"),
    ]);
    attempt = found;
    const items = first.next ? await all(`/attempts/${id}/moves?positions=1`) : first.items;
    const passes = attempt.position.passes;
    const moves = items.map(({ move, at_ms, position }) => ({ move, at_ms, position: { ...parsePosition(position), passes } }));
    steps = [{ move: null, at_ms: 0, position: { ...parsePosition(first.start), passes } }, ...moves];
    rules = challenges.find((it) => it.id === attempt.challenge)?.rules ?? { stock_top: false };
  } catch (error) {
    if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
    part("word").textContent = t(error.code === "not_found" ? "replay.missing" : "board.unreachable");
    return;
  }
  page.dataset.rows = attempt.position.pyramid.length;
  board.replaceChildren(); // the server has drawn an empty table
  part("title").textContent = `${challengeTitle(attempt.challenge)}, ${longDate(attempt.date)}`;
  draw();
}

function go(step, { animate = true } = {}) {
  step = Math.max(0, Math.min(steps.length - 1, step));
  if (step === at) return stop();
  const from = steps[at].position;
  const near = Math.abs(step - at) === 1;
  at = step;
  motion.before();
  draw();
  if (animate && near) motion.after(from, steps[at].position);
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

function stepTo(step) {
  if (timer) stop();
  go(step);
  say(sentence());
}

function sentence() {
  const { move, position } = steps[at];
  if (!move) return t("replay.start");
  const before = steps[at - 1].position;
  return spoken.change(move, before, position, spoken.uncovered(before, position));
}

function draw() {
  const { position, at_ms } = steps[at];
  render(table({ position, stockTop: rules.stock_top, canRedeal: false }), board);
  part("word").textContent = sentence();
  part("timer").textContent = duration(at_ms);
  render(html`
    <button type="button" class="tool" @click=${() => stepTo(at - 1)} aria-disabled=${at ? nothing : "true"}><span>${t("replay.back")}</span></button>
    <button type="button" class="tool is-main" @click=${playOrPause}><span .textContent=${t(timer ? "replay.pause" : "replay.play")}></span></button>
    <button type="button" class="tool" @click=${() => stepTo(at + 1)} aria-disabled=${at < steps.length - 1 ? nothing : "true"}><span>${t("replay.forward")}</span></button>
    <label class="slider"><span class="unseen">${t("replay.move")}</span>
      <input type="range" min="0" max=${steps.length - 1} .value=${String(at)} aria-valuetext=${t("replay.at", { at, of: steps.length - 1 })}
        @input=${(event) => (stop(), go(Number(event.target.value)))}></label>
    <p class="at" .textContent=${t("replay.at", { at, of: steps.length - 1 })}></p>`, part("tools"));
}

await open();
