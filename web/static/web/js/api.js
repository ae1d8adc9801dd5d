/**
 * The public API: one function to call it, one kind of error for its refusals. Its types are made
 * from the schema of the server (docs/openapi.yaml).
 */

import { forget, token } from "./identity.js";

/** @import { MoveProblem } from "api-types" */

const BASE = "/api/v1";

/** A refusal by the server; `code` is what to switch on. */
export class Refused extends Error {
  /**
   * @param {number} status
   * @param {MoveProblem} problem
   * @param {number} retryAfter s, or 0
   */
  constructor(status, problem, retryAfter) {
    super(problem.detail);
    this.status = status;
    /** @type {string} */ this.code = problem.code;
    this.problem = problem;
    this.retryAfter = retryAfter;
  }

  /** Whether the same request may succeed later. */
  get isTemporary() {
    return this.status === 429 || this.status >= 500;
  }
}

/** The connection failed: the request may have arrived or not. */
export class Unreachable extends Error {}

/**
 * Whether an error came from the server or the connection, and not from a fault in this code.
 * @param {unknown} error
 * @returns {error is Refused | Unreachable}
 */
export const isFailure = (error) => error instanceof Refused || error instanceof Unreachable;

/**
 * Sends one request and returns its JSON; null (so say it in `T`) where the reply has no body or,
 * with an `etag`, nothing has changed.
 * @template T
 * @param {string} path below the base, with its query
 * @param {{method?: string, body?: object, as?: string|null, etag?: string, onEtag?: (etag: string) => void}} [options]
 *   `as`: the token to send; by default the visitor's, if there is one
 * @returns {Promise<T>}
 * @throws {Refused | Unreachable}
 */
export async function call(path, options = {}) {
  const { method = "GET", body, as = token(), etag, onEtag } = options;
  /** @type {Record<string, string>} */
  const headers = {};
  if (as) headers.Authorization = `Bearer ${as}`;
  if (body) headers["Content-Type"] = "application/json";
  if (etag) headers["If-None-Match"] = etag;
  let reply, text;
  try {
    reply = await fetch(BASE + path, {
      method,
      headers,
      body: body && JSON.stringify(body),
      cache: "no-store", // versions are kept here, and not by the browser
      credentials: "omit",
      signal: AbortSignal.timeout(15_000),
    });
    text = await reply.text();
  } catch (error) {
    throw new Unreachable(String(error));
  }
  if (reply.ok || reply.status === 304) {
    onEtag?.(reply.headers.get("ETag") ?? "");
    return text ? answerOf(text) : /** @type {T} */ (null);
  }
  const retryAfter = Number(reply.headers.get("Retry-After")) || 0;
  const refused = new Refused(reply.status, problemOf(text), retryAfter);
  if (refused.code === "not_authenticated" && as && as === token()) forget();
  throw refused;
}

/**
 * Returns the items of a list, page after page, until there are `most` of them or more.
 * @template T
 * @param {string} path
 * @param {number} [most]
 * @returns {Promise<T[]>}
 */
export async function all(path, most = Number.POSITIVE_INFINITY) {
  /** @type {T[]} */
  const items = [];
  /** @type {string|null} */
  let cursor = null;
  do {
    const start = path.includes("?") ? "&" : "?";
    const query = cursor ? `${start}cursor=${encodeURIComponent(cursor)}` : "";
    /** @type {{items: T[], next: string|null}} */
    const page = await call(path + query);
    items.push(...page.items);
    cursor = page.next;
  } while (cursor && items.length < most);
  return items;
}

/**
 * Parses an answer; a proxy may have put a page of its own in its place.
 * @param {string} text
 */
function answerOf(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Unreachable(String(error));
  }
}

/**
 * Parses a refusal; a proxy's own has no JSON.
 * @param {string} text
 * @returns {MoveProblem}
 */
function problemOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return { type: "", title: "", status: 503, code: "unavailable", detail: "" };
  }
}
