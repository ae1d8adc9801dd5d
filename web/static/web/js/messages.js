/** What the line below the table says when something is amiss. */

import { Refused } from "./api.js";
import { describeRefusal } from "./spoken.js";
import { t } from "./texts.js";

/** @import { AttemptInPlay, Refusal } from "./attempt.js" */

const OF_MOVES = ["illegal_move", "invalid_notation", "nothing_to_undo", "log_full"];

/** @type {Record<string, string>} */
const FAILURES = {
  deal_closed: "play.deal_closed",
  not_authenticated: "play.signed_out",
  forbidden: "play.locked",
};

/**
 * Returns why the last request is being sent again; an empty text where it is not.
 * @param {AttemptInPlay} attempt
 */
export function troubleText({ trouble, waits }) {
  if (!trouble) return "";
  if (!(trouble instanceof Refused)) return t(waits ? "play.offline" : "play.unreachable");
  return t(trouble.code === "deal_being_made" ? "play.being_made" : "play.busy");
}

/**
 * Returns why a request failed for good.
 * @param {Refused} refusal
 */
export const failureText = ({ code }) => t(FAILURES[code] ?? "play.failed");

/**
 * Returns why a move was refused, or giving up.
 * @param {Refusal} change
 */
export function refusalText({ refusal, move, before }) {
  const isAboutMove = move && OF_MOVES.includes(refusal.code);
  return isAboutMove ? describeRefusal(refusal, move, before.position) : failureText(refusal);
}
