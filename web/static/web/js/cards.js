/** Cards, such as "Th": what they are called, and how they are drawn. */

import { html, nothing, svg } from "lit-html";
import { t } from "./texts.js";

/** @type {Record<string, string>} */
const EMBLEMS = { J: "jack", Q: "queen", K: "king" };

/** @type {Record<string, string>} */
const SUITS = { c: "♣", d: "♦", h: "♥", s: "♠" };

/** What the API shows of a card that lies face down. */
export const HIDDEN = "??";

/**
 * Returns "10♥", as printed on the card.
 * @param {string} card
 */
export const shortName = (card) => rankOf(card) + SUITS[card[1]];

/**
 * Returns "10 of Hearts".
 * @param {string} card
 */
export function fullName(card) {
  return t("cards.name", { rank: t(`cards.ranks.${card[0]}`), suit: t(`cards.suits.${card[1]}`) });
}

/**
 * Returns the rank as printed.
 * @param {string} card
 */
export const rankOf = (card) => (card[0] === "T" ? "10" : card[0]);

/**
 * Draws the face: its index is in the strip that overlapping cards leave free.
 * @param {string} card
 */
export function face(card) {
  const [rank, suit] = card;
  const emblem = EMBLEMS[rank];
  const middle = emblem
    ? svg`<use href="#court-${emblem}" x="18" y="54" width="64" height="40"></use>
          <use href="#suit-${suit}" x="32" y="92" width="36" height="36"></use>`
    : svg`<use href="#suit-${suit}" x="23" y="65" width="54" height="54"></use>`;
  return html`<svg class="face suit-${suit}" viewBox="0 0 100 140" aria-hidden="true" focusable="false">
    <text x="9" y="43" textLength=${rank === "T" ? 42 : nothing} lengthAdjust="spacingAndGlyphs">${rankOf(card)}</text>
    <use href="#suit-${suit}" x="60" y="13" width="30" height="30"></use>
    <g class="middle">${middle}</g>
  </svg>`;
}

/** Draws the back. */
export const back =
  () => html`<svg class="face back" viewBox="0 0 100 140" aria-hidden="true" focusable="false">
  <use href="#back" width="100" height="140"></use>
</svg>`;
