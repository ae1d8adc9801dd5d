/** How an attempt ended: with a rank, or why without one. */

import { call } from "./api.js";
import { duration, number, t } from "./texts.js";

/** @import { Attempt, Deal } from "api-types" */

/**
 * Whether the attempt began after its day, when its result can't be ranked.
 * @param {Attempt} attempt
 */
export const isPractice = ({ date, started_at }) => started_at.slice(0, 10) !== date;

/**
 * Returns "Cleared in 3:12, rank 14 of 212".
 * @param {Attempt} attempt
 */
export function summary(attempt) {
  const { status, elapsed_ms, result } = attempt;
  const time = duration(elapsed_ms);
  if (status !== "cleared") return t(`today.own_${status}`, { time });
  if (!result) return t(isPractice(attempt) ? "profile.practised" : "today.own_unranked", { time });
  return t("today.own_cleared", { time, rank: number(result.rank), of: number(result.of) });
}

/**
 * Returns that a deal is void, and why; an empty text for one that is not.
 * @param {Deal} deal
 */
export const voidText = ({ void_reason: reason }) =>
  reason === null ? "" : t("play.void", { reason });

/**
 * Returns the same for the deal of an address; an empty text where the server cannot be reached.
 * @param {string} day
 * @param {string} challenge
 */
export async function readVoidText(day, challenge) {
  try {
    return voidText(await call(`/deals/${day}/${challenge}`));
  } catch {
    return "";
  }
}
