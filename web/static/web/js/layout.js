/** Where things lie: the geometry of the pyramid, and nothing of what may be played. */

/** "g3" of row 7, card 3; rows from 0. */
export const spotName = (row, index) => String.fromCharCode(97 + row) + (index + 1);

/** Row and index of a spot, from 0. */
export const spotOf = (name) => ({ row: name.charCodeAt(0) - 97, index: Number(name.slice(1)) - 1 });

/** The card of a place; null where none lies. */
export function cardAt(position, place) {
  if (place === "W") return position.waste.at(-1) ?? null;
  if (place === "S") return position.stock[0] ?? null;
  const { row, index } = spotOf(place);
  return position.pyramid[row][index];
}

/** The spots whose cards lie upon a spot. */
function coversOf(position, place) {
  const { row, index } = spotOf(place);
  const below = position.pyramid[row + 1] ?? [];
  return [index, index + 1].filter((i) => below[i]).map((i) => spotName(row + 1, i));
}

export const isCovered = (position, place) =>
  place !== "W" && place !== "S" && coversOf(position, place).length > 0;

/** All spots that hold a card, in reading order. */
export function spots(position) {
  return position.pyramid.flatMap((row, r) =>
    row.flatMap((card, i) => (card ? [spotName(r, i)] : [])),
  );
}

/** The two places of a pair, the one of a King, none of a draw. */
export const placesOf = (move) => (/^[DRU]$/.test(move) ? [] : move.match(/[a-z]\d+|W|S/g));

/** The move that two places make, as it is spelt: spots in reading order, the waste, the stock. */
export function pairOf(one, other) {
  const key = (place) => (place === "W" ? "~1" : place === "S" ? "~2" : place);
  return key(one) < key(other) ? one + other : other + one;
}

/** A position of its text, `pyramid stock waste pass`. */
export function parsePosition(text) {
  const [pyramid, stock, waste, pass] = text.split(" ");
  const cards = (pile) => (pile === "-" ? [] : pile.match(/../g));
  return {
    pyramid: pyramid.split("/").map((row) => row.match(/../g).map((card) => (card === "--" ? null : card))),
    stock: cards(stock),
    waste: cards(waste),
    pass: Number(pass),
  };
}
