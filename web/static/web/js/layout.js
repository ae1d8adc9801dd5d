/**
 * Where the cards of a position lie: geometry alone, nothing of what may be played. A place is a
 * spot of the pyramid ("g3": row 7, card 3), "W" (top of the waste) or "S" (top of the stock).
 */

/** @import { Position } from "api-types" */

/** @typedef {{row: number, index: number}} Spot counted from 0 */

/**
 * The cards of a position, without the texts and counts that the API sends with them.
 * @typedef {Pick<Position, "pyramid" | "stock" | "waste">} Cards
 */

/**
 * Returns "g3" for row 6, index 2.
 * @param {number} row
 * @param {number} index
 */
export const spotName = (row, index) => String.fromCharCode(97 + row) + (index + 1);

/**
 * Returns the row and index of "g3".
 * @param {string} name
 * @returns {Spot}
 */
export const spotOf = (name) => ({
  row: name.charCodeAt(0) - 97,
  index: Number(name.slice(1)) - 1,
});

/**
 * Returns the card at a place, or null.
 * @param {Cards} cards
 * @param {string} place
 */
export function cardAt({ pyramid, stock, waste }, place) {
  if (place === "W") return waste.at(-1) ?? null;
  if (place === "S") return stock[0] ?? null;
  const { row, index } = spotOf(place);
  return pyramid[row][index];
}

/**
 * Whether another card lies on the one at a place.
 * @param {Cards} cards
 * @param {string} place
 */
export function isCovered({ pyramid }, place) {
  if (place === "W" || place === "S") return false;
  const { row, index } = spotOf(place);
  const below = pyramid[row + 1] ?? [];
  return Boolean(below[index] || below[index + 1]);
}

/**
 * Returns all spots that hold a card, in reading order.
 * @param {Cards} cards
 */
export function spots({ pyramid }) {
  return pyramid.flatMap((row, r) => row.flatMap((card, i) => (card ? [spotName(r, i)] : [])));
}

/**
 * Returns the two places of a pair, the one of a King, none for a draw, a redeal or an undo.
 * @param {string} move
 * @returns {string[]}
 */
export const placesOf = (move) => (/^[DRU]$/.test(move) ? [] : (move.match(/[a-z]\d+|W|S/g) ?? []));

/**
 * Returns the pair of two places as a move: spots in reading order, then the waste, then the stock.
 * @param {string} one
 * @param {string} other
 */
export function pairOf(one, other) {
  const key = (/** @type {string} */ place) => ({ W: "~1", S: "~2" })[place] ?? place;
  return key(one) < key(other) ? one + other : other + one;
}

/**
 * Parses the text of a position, `pyramid stock waste pass`.
 * @param {string} text
 */
export function parsePosition(text) {
  const [pyramid, stock, waste, pass] = text.split(" ");
  const cards = (/** @type {string} */ pile) => (pile === "-" ? [] : (pile.match(/../g) ?? []));
  return {
    pyramid: pyramid
      .split("/")
      .map((row) => cards(row).map((card) => (card === "--" ? null : card))),
    stock: cards(stock),
    waste: cards(waste),
    pass: Number(pass),
  };
}
