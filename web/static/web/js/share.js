/** A result to show around: it says nothing of the cards. */

import { challengeTitle, duration, number, spokenDuration, t } from "./texts.js";

/** "Pyramid 2026-11-30 One pass | 3:12 | 2 undos | rank 14 of 212 | streak 9" */
export function shareText(what) {
  return parts(what, duration).join(" | ");
}

/** The same in words that can be listened to. */
export function spokenShareText(what) {
  return parts(what, spokenDuration).join(", ");
}

function parts({ attempt, day, challenge, streak }, time) {
  const { result } = attempt;
  return [
    `Pyramid ${day} ${challengeTitle(challenge)}`,
    time(attempt.elapsed_ms),
    t("share.undos", { count: attempt.undo_count }),
    t("share.rank", { rank: number(result.rank), of: number(result.of) }),
    ...(streak ? [t("share.streak", { count: streak })] : []),
  ];
}

/** Hands it to the device, else to the clipboard; says what has become of it. */
export async function share(what) {
  const text = `${shareText(what)}\n${location.origin}/play/${what.day}/${what.challenge}`;
  try {
    if (navigator.share && matchMedia("(pointer: coarse)").matches) {
      await navigator.share({ text });
      return t("share.shared");
    }
    await navigator.clipboard.writeText(text);
    return t("share.copied");
  } catch (error) {
    return error.name === "AbortError" ? "" : t("share.failed");
  }
}
