/** One Tab stop for the whole table: where the arrows lead, and where focus goes when its card does. */

import { cardAt, isCovered, spotName, spotOf, spots } from "./layout.js";

/** The column of a spot, so that one row's can be held against another's. */
const column = ({ row, index }) => index - row / 2;

/** @returns {string|null} the place that an arrow key leads to */
export function neighbour(position, place, key) {
  const piles = ["W", "S"].filter((pile) => pile === "S" || position.waste.length);
  if (place === "W" || place === "S") {
    if (key === "ArrowLeft") return piles[piles.indexOf(place) - 1] ?? null;
    if (key === "ArrowRight") return piles[piles.indexOf(place) + 1] ?? null;
    if (key === "ArrowUp") return nearestIn(position, position.pyramid.length, 0, -1);
    return null;
  }
  const { row, index } = spotOf(place);
  const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
  if (step) {
    for (let i = index + step; i >= 0 && i <= row; i += step) {
      if (position.pyramid[row][i]) return spotName(row, i);
    }
    return null;
  }
  const down = key === "ArrowDown";
  return nearestIn(position, row, column({ row, index }), down ? 1 : -1) ?? (down ? piles[0] : null);
}

/** The card nearest to a column in the next row that has any. */
function nearestIn(position, row, wanted, step) {
  for (let r = row + step; r >= 0 && r < position.pyramid.length; r += step) {
    const cards = position.pyramid[r].flatMap((card, index) => (card ? [{ row: r, index }] : []));
    if (cards.length) {
      const far = (spot) => Math.abs(column(spot) - wanted);
      const { index } = cards.reduce((best, spot) => (far(spot) < far(best) ? spot : best));
      return spotName(r, index);
    }
  }
  return null;
}

/** Where focus belongs: where it was while a card is there, else upon the nearest that is free. */
export function after(position, place, uncovered = []) {
  if (place && (place === "S" || cardAt(position, place))) return place;
  if (uncovered.length) return uncovered[0];
  const free = spots(position).filter((it) => !isCovered(position, it));
  if (!place || place === "W" || !free.length) return position.waste.length ? "W" : "S";
  const from = spotOf(place);
  const far = (it) => {
    const to = spotOf(it);
    return Math.abs(column(to) - column(from)) + Math.abs(to.row - from.row);
  };
  return free.reduce((best, it) => (far(it) < far(best) ? it : best));
}
