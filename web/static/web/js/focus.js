/** One Tab stop for the whole table: where arrows lead, and where focus goes after a removal. */

import { cardAt, isCovered, spotName, spotOf, spots } from "./layout.js";

/** @import { Cards, Spot } from "./layout.js" */

/**
 * Returns the column of a spot, comparable between rows.
 * @param {Spot} spot
 */
const column = ({ row, index }) => index - row / 2;

/**
 * Returns the place that an arrow key leads to, or null.
 * @param {Cards} cards
 * @param {string} place
 * @param {string} key
 */
export function neighbour(cards, place, key) {
  if (place === "W" || place === "S") return besidePile(cards, place, key);
  const { row, index } = spotOf(place);
  if (key === "ArrowLeft") return inRow(cards, row, index, -1);
  if (key === "ArrowRight") return inRow(cards, row, index, 1);
  const down = key === "ArrowDown";
  const next = nearestRow(cards, row, column({ row, index }), down ? 1 : -1);
  return next ?? (down ? (cards.waste.length ? "W" : "S") : null);
}

/**
 * @param {Cards} cards
 * @param {string} place
 * @param {string} key
 */
function besidePile(cards, place, key) {
  const piles = cards.waste.length ? ["W", "S"] : ["S"];
  if (key === "ArrowLeft") return piles[piles.indexOf(place) - 1] ?? null;
  if (key === "ArrowRight") return piles[piles.indexOf(place) + 1] ?? null;
  return key === "ArrowUp" ? nearestRow(cards, cards.pyramid.length, 0, -1) : null;
}

/**
 * Returns the next card of a row to one side, or null.
 * @param {Cards} cards
 * @param {number} row
 * @param {number} index
 * @param {number} step
 */
function inRow({ pyramid }, row, index, step) {
  for (let i = index + step; i >= 0 && i <= row; i += step) {
    if (pyramid[row][i]) return spotName(row, i);
  }
  return null;
}

/**
 * Returns the card nearest to a column, in the next row that has any.
 * @param {Cards} cards
 * @param {number} row
 * @param {number} wanted
 * @param {number} step
 */
function nearestRow({ pyramid }, row, wanted, step) {
  for (let r = row + step; r >= 0 && r < pyramid.length; r += step) {
    const found = pyramid[r].flatMap((card, index) => (card ? [{ row: r, index }] : []));
    if (found.length) {
      const { index } = nearest(found, (spot) => Math.abs(column(spot) - wanted));
      return spotName(r, index);
    }
  }
  return null;
}

/**
 * Returns where focus belongs: where it was while a card is there, else on the nearest free card.
 * @param {Cards} cards
 * @param {string} place
 * @param {string[]} [uncovered] spots that a removal has just uncovered
 */
export function placeAfter(cards, place, uncovered = []) {
  if (place === "S" || cardAt(cards, place)) return place;
  if (uncovered.length) return uncovered[0];
  const free = spots(cards).filter((spot) => !isCovered(cards, spot));
  if (place === "W" || !free.length) return cards.waste.length ? "W" : "S";
  const from = spotOf(place);
  return nearest(free, (name) => {
    const to = spotOf(name);
    return Math.abs(column(to) - column(from)) + Math.abs(to.row - from.row);
  });
}

/**
 * Returns the first of the items with the least distance.
 * @template T
 * @param {T[]} items
 * @param {(item: T) => number} distance
 */
function nearest(items, distance) {
  return items.reduce((best, item) => (distance(item) < distance(best) ? item : best));
}
