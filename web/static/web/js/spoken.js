/** What is said of a game: each change in a sentence, and why a move was refused. */

import { fullName, shortName } from "./cards.js";
import { cardAt, isCovered, placesOf, spots } from "./layout.js";
import { language, spokenDuration, t } from "./texts.js";

const list = new Intl.ListFormat(language, { type: "conjunction" });

export const named = (card) => (card ? fullName(card) : "");

/** The spots whose last cover has gone. */
export function uncovered(before, after) {
  return spots(after).filter((place) => cardAt(before, place) && isCovered(before, place) && !isCovered(after, place));
}

/** "5 of Hearts and 8 of Diamonds removed. Jack of Clubs uncovered." */
export function change(move, before, after, freed) {
  const sentences = [what(move, before, after)];
  if (freed.length && move !== "U") {
    const cards = list.format(freed.map((place) => named(cardAt(after, place))));
    sentences.push(t("said.uncovered", { cards, count: freed.length }));
  }
  return sentences.join(" ");
}

function what(move, before, after) {
  if (move === "D") return t("said.drawn", { card: named(after.waste.at(-1)) });
  if (move === "R") return t("said.redealt", { pass: after.pass });
  if (move === "U") return t("said.undone");
  const cards = placesOf(move).map((place) => named(cardAt(before, place)));
  return t("said.removed", { cards: list.format(cards), count: cards.length });
}

/** Why the server did not play a move, as far as its words are known here. */
export function refusal(problem, move, position) {
  const cards = placesOf(move).map((place) => cardAt(position, place));
  if (problem.code === "illegal_move") {
    const covered = placesOf(move).filter((place) => cardAt(position, place) && isCovered(position, place));
    if (covered.length) return t("refused.covered", { card: shortName(cardAt(position, covered[0])) });
    if (!cards.every(Boolean)) return t("refused.gone");
    const [one, other] = cards.map(shortName);
    const text = `refused.${problem.problem.rule}`;
    if (cards.length === 2 || !/R[457]/.test(problem.problem.rule)) return t(text, { one, other });
    return t("refused.alone", { one });
  }
  return t(`refused.${["nothing_to_undo", "log_full"].includes(problem.code) ? problem.code : "impossible"}`);
}

/** The moves that there are. */
export function moves({ legal_moves: legal, position, stuck }) {
  if (stuck || !legal.length) return t("play.stuck");
  const words = legal.map((move) => {
    if (move === "D") return t("said.may_draw");
    if (move === "R") return t("said.may_redeal");
    return list.format(placesOf(move).map((place) => named(cardAt(position, place))));
  });
  return t("said.moves", { count: legal.length, moves: words.join("; ") });
}

/** How the game stands. */
export function state(attempt) {
  const { position, undo_count: count } = attempt.state;
  return [
    t("said.left", { count: spots(position).length }),
    t("table.left", { count: position.stock.length }),
    position.waste.length ? t("said.waste", { card: named(position.waste.at(-1)) }) : t("said.waste_empty"),
    t("play.undos", { count }),
    spokenDuration(attempt.elapsed),
  ].join(". ");
}
