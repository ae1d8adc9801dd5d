/** A game in words: what each move changed, how the game stands, and why a move was refused. */

import { fullName, shortName } from "./cards.js";
import { cardAt, isCovered, placesOf, spots } from "./layout.js";
import { language, spokenDuration, t } from "./texts.js";

/** @import { Attempt } from "api-types" */
/** @import { Refused } from "./api.js" */
/** @import { Cards } from "./layout.js" */

/** @typedef {Cards & {pass: number}} Position */

const list = new Intl.ListFormat(language, { type: "conjunction" });

/**
 * Returns "Jack of Clubs"; an empty text where there is no card.
 * @param {string|null|undefined} card
 */
export const nameOf = (card) => (card ? fullName(card) : "");

/**
 * Returns the spots that are uncovered after a move and were covered before.
 * @param {Cards} before
 * @param {Cards} after
 */
export function newlyUncovered(before, after) {
  return spots(after).filter(
    (place) => cardAt(before, place) && isCovered(before, place) && !isCovered(after, place),
  );
}

/**
 * Returns "5 of Hearts and 8 of Diamonds removed. Jack of Clubs uncovered."
 * @param {string} move
 * @param {Position} before
 * @param {Position} after
 */
export function describeMove(move, before, after) {
  const uncovered = newlyUncovered(before, after);
  const sentences = [firstSentence(move, before, after)];
  if (uncovered.length && move !== "U") {
    const cards = list.format(uncovered.map((place) => nameOf(cardAt(after, place))));
    sentences.push(t("said.uncovered", { cards, count: uncovered.length }));
  }
  return sentences.join(" ");
}

/**
 * @param {string} move
 * @param {Position} before
 * @param {Position} after
 */
function firstSentence(move, before, after) {
  if (move === "D") return t("said.drawn", { card: nameOf(after.waste.at(-1)) });
  if (move === "R") return t("said.redealt", { pass: after.pass });
  if (move === "U") return t("said.undone");
  const cards = placesOf(move).map((place) => nameOf(cardAt(before, place)));
  return t("said.removed", { cards: list.format(cards), count: cards.length });
}

/**
 * Returns why the server refused a move.
 * @param {Refused} refusal
 * @param {string} move
 * @param {Cards} cards as they were
 */
export function describeRefusal({ code, problem }, move, cards) {
  if (code === "illegal_move") return describeIllegalMove(problem.rule ?? "", move, cards);
  return t(`refused.${["nothing_to_undo", "log_full"].includes(code) ? code : "impossible"}`);
}

/**
 * @param {string} rule such as "R4"
 * @param {string} move
 * @param {Cards} cards
 */
function describeIllegalMove(rule, move, cards) {
  const names = placesOf(move).flatMap((place) => {
    const card = cardAt(cards, place);
    return card ? [{ name: shortName(card), covered: isCovered(cards, place) }] : [];
  });
  const covered = names.find((it) => it.covered);
  if (covered) return t("refused.covered", { card: covered.name });
  if (names.length < placesOf(move).length) return t("refused.gone");
  const [one = "", other = ""] = names.map(({ name }) => name);
  if (names.length === 1 && /R[457]/.test(rule)) return t("refused.alone", { one });
  return t(`refused.${rule}`, { one, other });
}

/**
 * Returns the moves that are left.
 * @param {Attempt} attempt
 */
export function describeMoves({ legal_moves: legal, position, stuck }) {
  if (stuck || !legal.length) return t("play.stuck");
  const moves = legal.map((move) => {
    if (move === "D") return t("said.may_draw");
    if (move === "R") return t("said.may_redeal");
    return list.format(placesOf(move).map((place) => nameOf(cardAt(position, place))));
  });
  return t("said.moves", { count: legal.length, moves: moves.join("; ") });
}

/**
 * Returns how the game stands.
 * @param {Attempt} attempt
 * @param {number} elapsed ms
 */
export function describeState({ position, undo_count: count }, elapsed) {
  const { stock, waste } = position;
  return [
    t("said.left", { count: spots(position).length }),
    t("table.left", { count: stock.length }),
    waste.length ? t("said.waste", { card: nameOf(waste.at(-1)) }) : t("said.waste_empty"),
    t("play.undos", { count }),
    spokenDuration(elapsed),
  ].join(". ");
}
