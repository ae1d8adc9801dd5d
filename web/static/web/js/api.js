/** The public API: one function, one kind of error. */

import { forget, token } from "./identity.js";

const BASE = "/api/v1";

/** A refusal of the server; `code` is what to switch on. */
export class Refused extends Error {
  constructor(status, problem, retryAfter) {
    super(problem.detail);
    this.status = status;
    this.code = problem.code;
    this.problem = problem;
    this.retryAfter = retryAfter; // s, or 0
  }

  /** Whether the very same request may be answered later. */
  get passes() {
    return this.status === 429 || this.status >= 500;
  }
}

/** The line is broken: nothing is known of the request. */
export class Unreachable extends Error {}

/**
 * Sends one request and gives its JSON; null where the reply has no body or nothing has changed.
 * @param {string} path below the base, with its query
 * @param {{method?: string, body?: object, as?: string|null, etag?: string, onEtag?: (etag: string) => void}} [options]
 *   `as`: the token to send; by default the visitor's, if there is one
 * @throws {Refused | Unreachable}
 */
export async function call(path, options = {}) {
  const { method = "GET", body, as = token(), etag, onEtag } = options;
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
    return text ? answerOf(text) : null;
  }
  const refused = new Refused(
    reply.status, problemOf(text), Number(reply.headers.get("Retry-After")) || 0,
  );
  if (refused.code === "not_authenticated" && as && as === token()) forget();
  throw refused;
}

/** All items of a list, page after page. */
export async function all(path, most = Infinity) {
  const items = [];
  let cursor = null;
  do {
    const query = cursor ? `${path.includes("?") ? "&" : "?"}cursor=${encodeURIComponent(cursor)}` : "";
    const page = await call(path + query);
    items.push(...page.items);
    cursor = page.next;
  } while (cursor && items.length < most);
  return items;
}

/** What a proxy in between answers in the server's place may be a page. */
function answerOf(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Unreachable(String(error));
  }
}

/** What a proxy in between says may be no JSON. */
function problemOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return { code: "unavailable", detail: "" };
  }
}
