/** A result to share: it gives away nothing of the cards. */

import { challengeTitle, duration, number, spokenDuration, t } from "./texts.js";

/** @import { Attempt } from "api-types" */

/**
 * @typedef {object} Shared
 * @property {Attempt} attempt
 * @property {string} day
 * @property {string} challenge
 * @property {number} [streak] unknown while the connection is down
 */

/**
 * Returns "Pyramid 2026-11-30 One Pass | 3:12 | 2 undos | rank 14 of 212 | streak 9".
 * @param {Shared} shared
 */
export function shareText(shared) {
  return parts(shared, duration).join(" | ");
}

/**
 * Returns the same in words for a screen reader.
 * @param {Shared} shared
 */
export function spokenShareText(shared) {
  return parts(shared, spokenDuration).join(", ");
}

/**
 * @param {Shared} shared
 * @param {(ms: number) => string} time
 */
function parts({ attempt, day, challenge, streak }, time) {
  const { result } = attempt;
  return [
    `Pyramid ${day} ${challengeTitle(challenge)}`,
    time(attempt.elapsed_ms),
    t("share.undos", { count: attempt.undo_count }),
    ...(result ? [t("share.rank", { rank: number(result.rank), of: number(result.of) })] : []),
    ...(streak ? [t("share.streak", { count: streak })] : []),
  ];
}

/**
 * Hands a result to the device, else to the clipboard; returns what to tell the player.
 * @param {Shared} shared
 */
export async function share(shared) {
  const text = `${shareText(shared)}\n${location.origin}/play/${shared.day}/${shared.challenge}`;
  try {
    if ("share" in navigator && matchMedia("(pointer: coarse)").matches) {
      await navigator.share({ text });
      return t("share.shared");
    }
    await navigator.clipboard.writeText(text);
    return t("share.copied");
  } catch (error) {
    const isCancelled = error instanceof DOMException && error.name === "AbortError";
    return isCancelled ? "" : t("share.failed");
  }
}
