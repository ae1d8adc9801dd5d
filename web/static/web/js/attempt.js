/**
 * One attempt, kept in step with the server: moves are sent one after the other, each again and
 * again until it is answered. The table always shows what the server last said.
 */

import { call, isFailure, Refused, Unreachable } from "./api.js";
import { onWake } from "./clock.js";
import { ensurePlayer } from "./signup.js";
import { channel } from "./tabs.js";

/** @import { Attempt, AttemptListing } from "api-types" */

/**
 * What has changed: `start` and `move` are the player's own; `elsewhere` is another tab or device;
 * `connection` is its loss or return.
 * @typedef {{kind: "start", move?: undefined, before?: undefined}
 *   | {kind: "move" | "elsewhere", move?: string, before: Attempt}
 *   | {kind: "refused", move?: string, before: Attempt, refusal: Refused}
 *   | {kind: "connection"}} Change
 */

/** @typedef {Extract<Change, {kind: "refused"}>} Refusal */
/** @typedef {Extract<Change, {kind: "start" | "move" | "elsewhere"}>} NewPosition */

export class AttemptInPlay {
  /**
   * As the server last sent it; null before the start.
   * @type {Attempt|null}
   */
  state = null;
  /**
   * The move that waits for its answer.
   * @type {string|null}
   */
  underway = null;
  /**
   * The moves that wait for that one.
   * @type {string[]}
   */
  queue = [];
  /**
   * Why the last request is being sent again, if it is.
   * @type {Refused|Unreachable|null}
   */
  trouble = null;
  #readAt = 0; // when `state` arrived, by `performance.now()`
  #isRefreshing = false;
  #tabs = channel("pyramid-attempts");
  #onChange;

  /** @param {(change: Change) => void} onChange */
  constructor(onChange) {
    this.#onChange = onChange;
    this.#tabs.onmessage = ({ data }) => {
      const { state } = this;
      if (!state || data.id !== state.id) return;
      if (data.ply > state.ply || data.status !== state.status) {
        this.queue = []; // what waits was meant for another position
        this.#take(data, { kind: "elsewhere", before: state });
      }
    };
    addEventListener("online", () => this.refresh());
    addEventListener("pageshow", (event) => event.persisted && this.refresh());
    onWake(() => this.refresh());
    document.addEventListener("visibilitychange", () => document.hidden || this.refresh());
  }

  /** The moves that have no answer yet, in order. */
  get unanswered() {
    return this.underway === null ? this.queue : [this.underway, ...this.queue];
  }

  /** Whether a move is still unanswered, so that the table is about to change. */
  get waits() {
    return this.unanswered.length > 0;
  }

  /** The ms since the start, as the server counts them. */
  get elapsed() {
    if (!this.state) return 0;
    const { status, elapsed_ms } = this.state;
    return status === "active" ? elapsed_ms + performance.now() - this.#readAt : elapsed_ms;
  }

  /**
   * Takes up the player's attempt at a deal; returns null where there is none.
   * @param {string} day
   * @param {string} challenge
   */
  async find(day, challenge) {
    /** @type {AttemptListing} */
    const { items } = await call(`/me/attempts?date=${day}&challenge=${challenge}&limit=1`);
    if (items.length) this.#take(items[0], { kind: "start" });
    return this.state;
  }

  /**
   * Starts the clock, or continues where it runs; as a new guest where nobody plays yet.
   * @param {string} day
   * @param {string} challenge
   */
  async start(day, challenge) {
    await this.#until(ensurePlayer);
    const path = `/deals/${day}/${challenge}/attempts`;
    const post = () => /** @type {Promise<Attempt>} */ (call(path, { method: "POST" }));
    this.#take(await this.#until(post), { kind: "start" });
  }

  /**
   * Plays a move as soon as those before it are answered.
   * @param {string} move
   */
  play(move) {
    this.queue.push(move);
    this.#send();
  }

  /** Gives up; moves that wait are dropped. */
  async resign() {
    const before = this.#known();
    const path = `/attempts/${before.id}/resign`;
    this.queue = [];
    await this.#settle({ before }, () => call(path, { method: "POST" }));
  }

  /** Asks the server whether another device has played on, and for the clock. */
  async refresh() {
    if (!this.state || this.waits || this.#isRefreshing) return;
    const { id } = this.state;
    this.#isRefreshing = true;
    try {
      // Without an ETag: "nothing has changed" would leave out the clock.
      this.#refreshed(await this.#until(() => call(`/attempts/${id}`)));
    } catch (error) {
      if (!(error instanceof Refused)) throw error; // the next move says why
    } finally {
      this.#isRefreshing = false;
    }
  }

  /**
   * Takes what a refresh has found, unless this browser has newer state by now.
   * @param {Attempt} found
   */
  #refreshed(found) {
    const before = this.#known();
    if (this.waits || found.id !== before.id || this.#isOld(found)) return;
    if (found.ply === before.ply && found.status === before.status) this.#store(found);
    else this.#take(found, { kind: "elsewhere", before });
  }

  async #send() {
    if (this.underway) return;
    while (this.queue.length && this.state?.status === "active") {
      const before = this.state;
      const move = /** @type {string} */ (this.queue.shift());
      this.underway = move;
      // Each try repeats the ply: by it the server knows the move and plays it once.
      const body = { move, ply: before.ply };
      await this.#settle({ move, before }, () =>
        call(`/attempts/${before.id}/moves`, { method: "POST", body }),
      );
    }
  }

  /**
   * Takes the answer to a request, or what its refusal says.
   * @param {{move?: string, before: Attempt}} change
   * @param {() => Promise<Attempt>} request
   */
  async #settle(change, request) {
    /** @type {"move"|"elsewhere"} */
    let kind = "move";
    let state;
    try {
      state = await this.#until(request);
    } catch (refusal) {
      if (!(refusal instanceof Refused)) throw refusal;
      state = await this.#stateOf(refusal, change.before.id);
      if (!state) {
        this.underway = null;
        return this.#onChange({ kind: "refused", refusal, ...change });
      }
      this.queue = [];
      kind = "elsewhere";
    }
    this.underway = null;
    if (this.#isOld(state)) this.#onChange({ kind: "connection" });
    else this.#take(state, { kind, ...change });
  }

  /**
   * Whether a reply was overtaken on its way by a newer one.
   * @param {Attempt} reply
   */
  #isOld({ ply, status }) {
    const known = this.#known();
    return ply < known.ply || (status === "active" && known.status !== "active");
  }

  /**
   * Returns the attempt as another device has left it, where that is why a move was refused.
   * @param {Refused} refusal
   * @param {string} id
   * @returns {Promise<Attempt|undefined>}
   */
  async #stateOf({ code, problem }, id) {
    if (code === "stale_ply") return problem.attempt;
    return code === "attempt_over" ? this.#until(() => call(`/attempts/${id}`)) : undefined;
  }

  /**
   * Sends a request again and again until its answer or refusal is final.
   * @template T
   * @param {() => Promise<T>} request
   * @returns {Promise<T>}
   */
  async #until(request) {
    for (let pause = 500; ; pause = Math.min(2 * pause, 8000)) {
      try {
        const answer = await request();
        this.#setTrouble(null);
        return answer;
      } catch (error) {
        if (!isFailure(error)) throw error;
        const isFinal = error instanceof Refused && !error.isTemporary;
        this.#setTrouble(isFinal ? null : error);
        if (isFinal) throw error;
        const retryAfter = error instanceof Refused ? 1000 * error.retryAfter : 0;
        await passed(Math.max(pause, retryAfter), error instanceof Unreachable);
      }
    }
  }

  /** @param {Refused|Unreachable|null} trouble */
  #setTrouble(trouble) {
    if (!trouble && !this.trouble) return;
    this.trouble = trouble;
    this.#onChange({ kind: "connection" });
  }

  /** The state, where there must be one: between the start and the end. */
  #known() {
    if (!this.state) throw new Error("the attempt has not been started");
    return this.state;
  }

  /** @param {Attempt} state */
  #store(state) {
    this.state = state;
    this.#readAt = performance.now();
  }

  /**
   * @param {Attempt} state
   * @param {NewPosition} change
   */
  #take(state, change) {
    this.#store(state);
    if (change.kind === "move") this.#tabs.postMessage(state);
    this.#onChange(change);
  }
}

/**
 * Resolves after some ms; while offline, as soon as the connection is back.
 * @param {number} ms
 * @param {boolean} isOffline
 */
function passed(ms, isOffline) {
  const late = AbortSignal.timeout(ms);
  return new Promise((/** @type {(event: Event) => void} */ resolve) => {
    late.addEventListener("abort", resolve);
    if (isOffline) addEventListener("online", resolve, { once: true, signal: late });
  });
}
