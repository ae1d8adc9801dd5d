/**
 * One attempt, kept in step with the server: moves go out one after the other, each until it is
 * answered, whatever the line does. What is on the table is always what the server last said.
 */

import { Refused, Unreachable, call } from "./api.js";
import { onWake } from "./clock.js";
import { ensurePlayer } from "./identity.js";
import { channel } from "./tabs.js";

/**
 * @typedef {object} Attempt as the API answers it
 * @typedef {{kind: "start"|"move"|"elsewhere"|"refused"|"line"|"error", move?: string,
 *   refusal?: Refused, before?: Attempt}} Change
 */

export class AttemptInPlay {
  /** @type {Attempt|null} */ state = null;
  /** The move that waits for its answer. */ underway = null;
  /** The moves that wait for that one. */ queue = [];
  /** Why the last request is asked again, `Unreachable` or a `Refused` that passes; else null. */
  trouble = null;
  #readAt = 0;
  #looks = false;
  #tabs = channel("pyramid-attempts");
  #onChange;

  /** @param {(change: Change) => void} onChange */
  constructor(onChange) {
    this.#onChange = onChange;
    this.#tabs.onmessage = ({ data }) => {
      if (data.id === this.state?.id && (data.ply > this.state.ply || data.status !== this.state.status)) {
        this.queue = []; // what waits was meant for another position
        this.#take(data, { kind: "elsewhere", before: this.state });
      }
    };
    addEventListener("online", () => this.refresh());
    addEventListener("pageshow", (event) => event.persisted && this.refresh());
    onWake(() => this.refresh());
    document.addEventListener("visibilitychange", () => document.hidden || this.refresh());
  }

  /** The moves that have no answer yet, in their order. */
  get unanswered() {
    return this.underway === null ? this.queue : [this.underway, ...this.queue];
  }

  /** Whether what is on the table will change by itself. */
  get waits() {
    return this.unanswered.length > 0;
  }

  /** ms since the start, as the server counts them. */
  get elapsed() {
    const { status, elapsed_ms } = this.state;
    return status === "active" ? elapsed_ms + performance.now() - this.#readAt : elapsed_ms;
  }

  /** What the player has of this deal already; null where the clock has not been started. */
  async find(day, challenge) {
    const { items } = await call(`/me/attempts?date=${day}&challenge=${challenge}&limit=1`);
    if (items.length) this.#take(items[0], { kind: "start" });
    return this.state;
  }

  /** Starts the clock, or goes on where it runs; as a guest where nobody plays yet. */
  async start(day, challenge) {
    await this.#until(ensurePlayer);
    const path = `/deals/${day}/${challenge}/attempts`;
    this.#take(await this.#until(() => call(path, { method: "POST" })), { kind: "start" });
  }

  /** Plays a move as soon as those before it are answered. */
  play(move) {
    this.queue.push(move);
    this.#send();
  }

  async resign() {
    const before = this.state;
    const path = `/attempts/${before.id}/resign`;
    this.queue = [];
    await this.#settle({ before }, () => call(path, { method: "POST" }));
  }

  /** Looks whether another device has played on, and what time it is there. */
  async refresh() {
    if (!this.state || this.waits || this.#looks) return;
    const { id } = this.state;
    this.#looks = true;
    try {
      // Always the whole of it: that nothing has changed would leave out its clock.
      this.#found(await this.#until(() => call(`/attempts/${id}`)));
    } catch (refusal) {
      if (!(refusal instanceof Refused)) throw refusal; // the next move says why
    } finally {
      this.#looks = false;
    }
  }

  /** Takes what a look has found, unless this browser knows better by now. */
  #found(found) {
    const before = this.state;
    if (this.waits || found.id !== before.id || this.#isOld(found)) return;
    if (found.ply === before.ply && found.status === before.status) this.#know(found);
    else this.#take(found, { kind: "elsewhere", before });
  }

  async #send() {
    if (this.underway) return;
    while (this.queue.length && this.state.status === "active") {
      const move = (this.underway = this.queue.shift());
      const before = this.state;
      // The same ply with each try: the server sees that it is the same move, and plays it once.
      const body = { move, ply: before.ply };
      await this.#settle({ move, before }, () =>
        call(`/attempts/${before.id}/moves`, { method: "POST", body }),
      );
    }
  }

  /** Takes the answer to a request, or what its refusal says. */
  async #settle(change, request) {
    let state, kind = "move";
    try {
      state = await this.#until(request);
    } catch (refusal) {
      if (!(refusal instanceof Refused)) throw refusal;
      const stands = await this.#standsNow(refusal, change.before.id);
      if (!stands) {
        this.underway = null;
        return this.#onChange({ kind: "refused", refusal, ...change });
      }
      this.queue = [];
      [state, kind] = [stands, "elsewhere"];
    }
    this.underway = null;
    if (this.#isOld(state)) this.#onChange({ kind: "line" });
    else this.#take(state, { kind, ...change });
  }

  /** Whether a reply was overtaken on its way by another, which says more. */
  #isOld({ ply, status }) {
    return ply < this.state.ply || (status === "active" && this.state.status !== "active");
  }

  /** The attempt as another device has left it, where that is why a move was refused. */
  async #standsNow({ code, problem }, id) {
    if (code === "stale_ply") return problem.attempt;
    return code === "attempt_over" ? this.#until(() => call(`/attempts/${id}`)) : null;
  }

  /** The answer to a request, asked again until there is one that will not pass. */
  async #until(request) {
    for (let pause = 500; ; pause = Math.min(2 * pause, 8000)) {
      try {
        const answer = await request();
        this.#setTrouble(null);
        return answer;
      } catch (error) {
        if (error instanceof Refused && !error.passes) {
          this.#setTrouble(null);
          throw error;
        }
        if (!(error instanceof Refused || error instanceof Unreachable)) throw error;
        this.#setTrouble(error);
        await passed(Math.max(pause, 1000 * (error.retryAfter ?? 0)), error instanceof Unreachable);
      }
    }
  }

  #setTrouble(trouble) {
    if (!trouble && !this.trouble) return;
    this.trouble = trouble;
    this.#onChange({ kind: "line" });
  }

  #know(state) {
    this.state = state;
    this.#readAt = performance.now();
  }

  #take(state, change) {
    this.#know(state);
    if (change.kind === "move") this.#tabs.postMessage(state);
    this.#onChange(change);
  }
}

/** Resolves after so many ms; where the line is broken, as soon as it comes back. */
function passed(ms, isBroken) {
  const late = AbortSignal.timeout(ms);
  return new Promise((resolve) => {
    late.addEventListener("abort", resolve);
    if (isBroken) addEventListener("online", resolve, { once: true, signal: late });
  });
}
