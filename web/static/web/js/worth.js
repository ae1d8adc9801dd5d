/** What an attempt is worth: a rank, or why there is none. */

import { call } from "./api.js";
import { duration, number, t } from "./texts.js";

/** Whether it was begun after its day, when the deal was sealed; another may follow it. */
export const isPractice = ({ date, started_at }) => started_at.slice(0, 10) !== date;

/** "Cleared in 3:12, rank 14 of 212" */
export function summary(attempt) {
  const { status, elapsed_ms, result } = attempt;
  const time = duration(elapsed_ms);
  if (status !== "cleared") return t(`today.own_${status}`, { time });
  if (result) return t("today.own_cleared", { time, rank: number(result.rank), of: number(result.of) });
  return t(isPractice(attempt) ? "profile.practised" : "today.own_unranked", { time });
}

/** That a deal is void, and why; nothing of one that is not. */
export const voidText = ({ void_reason: reason }) => (reason === null ? "" : t("play.void", { reason }));

/** The same of the deal of an address; nothing where the line is broken. */
export async function readVoidText(day, challenge) {
  try {
    return voidText(await call(`/deals/${day}/${challenge}`));
  } catch {
    return "";
  }
}
