/** Cards: what they are called, and how they are drawn. */

import { html, nothing, svg } from "../vendor/lit-html/lit-html.js";
import { t } from "./texts.js";

const EMBLEMS = { J: "jack", Q: "queen", K: "king" };

export const HIDDEN = "??";

/** "10♥": as it stands on the card. */
export function shortName(card) {
  return rankOf(card) + { c: "♣", d: "♦", h: "♥", s: "♠" }[card[1]];
}

/** "10 of Hearts". */
export function fullName(card) {
  return t("cards.name", { rank: t(`cards.ranks.${card[0]}`), suit: t(`cards.suits.${card[1]}`) });
}

/** The rank as printed. */
export const rankOf = (card) => (card[0] === "T" ? "10" : card[0]);

/** The face of a card: its index stands in the strip that the cards upon it leave free. */
export function face(card) {
  const [rank, suit] = card;
  const emblem = EMBLEMS[rank];
  return html`<svg class="face suit-${suit}" viewBox="0 0 100 140" aria-hidden="true" focusable="false">
    <text x="9" y="43" textLength=${rank === "T" ? 42 : nothing} lengthAdjust="spacingAndGlyphs">${rankOf(card)}</text>
    <use href="#suit-${suit}" x="60" y="13" width="30" height="30"></use>
    <g class="middle">${emblem
      ? svg`<use href="#court-${emblem}" x="18" y="54" width="64" height="40"></use>
          <use href="#suit-${suit}" x="32" y="92" width="36" height="36"></use>`
      : svg`<use href="#suit-${suit}" x="23" y="65" width="54" height="54"></use>`}</g>
  </svg>`;
}

/** The back of a card. */
export const back = () => html`<svg class="face back" viewBox="0 0 100 140" aria-hidden="true" focusable="false">
  <use href="#back" width="100" height="140"></use>
</svg>`;
