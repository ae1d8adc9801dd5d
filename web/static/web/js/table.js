/** The table as it is seen: pyramid, waste and stock, every card a button. */

import { html, nothing } from "lit-html";
import { back, face, fullName, HIDDEN, rankOf } from "./cards.js";
import { isCovered, spotName } from "./layout.js";
import { t } from "./texts.js";

/** @import { Position } from "api-types" */

/** Depths in the waste of the cards that are seen beside its top; their places never move. */
const UNDER = [5, 4, 3, 2];

/**
 * @typedef {object} View
 * @property {Omit<Position, "text">} position
 * @property {boolean} stockTop whether the stock's top card is face up
 * @property {boolean} [canRedeal]
 * @property {boolean} [isRedealPaused] whether it is too early to redeal
 * @property {string|null} [selected] a place
 * @property {string} [current] the place that Tab leads to; none where the table is not played at
 * @property {string[]} [leaving] places whose cards are about to leave
 */

/** @param {View} view */
export function table(view) {
  const { position } = view;
  const top = position.waste.at(-1);
  return html`
    <div class="pyramid" role="group" aria-label=${t("table.pyramid", { count: position.pyramid.length })}>
      ${position.pyramid.map(
        (row, r) => html`<div class="row">
        ${row.map((card, i) => html`<span class="spot">${card ? spot(view, spotName(r, i), card) : nothing}</span>`)}
      </div>`,
      )}
    </div>
    <div class="piles" role="group" aria-label=${t("table.piles")}>
      <div class="waste">
        ${UNDER.map((depth) => under(position.waste.at(-depth)))}
        <span class="spot">${top ? wasteTop(view, top) : nothing}</span>
      </div>
      <div class="stock"><span class="spot">${stock(view)}</span></div>
      <p class="count">${count(view)}</p>
    </div>`;
}

/**
 * @param {View} view
 * @param {string} place
 * @param {string} card
 */
function spot(view, place, card) {
  const covered = isCovered(view.position, place);
  const where = t("table.spot", { row: place.charCodeAt(0) - 96, card: Number(place.slice(1)) });
  return button(view, place, face(card), {
    label: `${rankOf(card)}, ${fullName(card)}, ${where}${covered ? `, ${t("table.covered")}` : ""}`,
    covered,
  });
}

const under = (/** @type {string|undefined} */ card) =>
  html`<span class=${card ? "card is-under" : "is-under"}>${card ? picture(face(card)) : nothing}</span>`;

/** Draws what is seen of a card. It alone moves; the card, which is pressed, lies still. */
const picture = (/** @type {unknown} */ inner) =>
  html`<span class="picture" translate="no">${inner}</span>`;

/**
 * @param {View} view
 * @param {string} card
 */
function wasteTop(view, card) {
  const { waste } = view.position;
  return button(view, "W", face(card), {
    label: `${rankOf(card)}, ${fullName(card)}, ${t("table.waste", { count: waste.length })}`,
  });
}

/** @param {View} view */
function stock(view) {
  const [card] = view.position.stock;
  if (!card) return emptyStock(view);
  const count = t("table.stock", { count: view.position.stock.length });
  if (view.stockTop) {
    return button(view, "S", face(card), { label: `${rankOf(card)}, ${fullName(card)}, ${count}` });
  }
  const known = card !== HIDDEN; // by an undo of its draw
  const next = known ? `, ${t("table.next", { card: fullName(card) })}` : "";
  const label = `${t("table.draw")}, ${count}${next}`;
  return button(view, "S", known ? face(card) : back(), { label, known });
}

/** @param {View} view */
function emptyStock(view) {
  const { canRedeal, isRedealPaused } = view;
  return button(view, "S", canRedeal ? turn() : nothing, {
    label: t(canRedeal ? "table.redeal" : "table.stock_empty"),
    empty: true,
    covered: !canRedeal,
    paused: isRedealPaused,
  });
}

/**
 * @typedef {object} Look
 * @property {string} label
 * @property {boolean} [covered]
 * @property {boolean} [empty]
 * @property {boolean} [known] a stock card that the player has seen
 * @property {boolean} [paused]
 */

/**
 * Draws a card as a button, or as a picture where the table is not played at.
 * @param {View} view
 * @param {string} place
 * @param {unknown} inner
 * @param {Look} look
 */
function button({ selected, current, leaving }, place, inner, look) {
  const classes = [
    "card",
    look.covered && "is-covered",
    look.empty && "is-empty",
    look.known && "is-known",
    look.paused && "is-paused",
    selected === place && "is-selected",
    leaving?.includes(place) && "is-leaving",
  ];
  const className = classes.filter(Boolean).join(" ");
  if (!current) {
    return html`<span class=${className} data-place=${place} role="img" aria-label=${look.label}>${picture(inner)}</span>`;
  }
  return html`<button type="button" class=${className} data-place=${place}
    tabindex=${current === place ? "0" : "-1"} aria-label=${look.label}
    aria-pressed=${String(selected === place)}
    aria-disabled=${look.covered ? "true" : nothing}>${picture(inner)}</button>`;
}

/** @param {View} view */
function count({ position: { stock, pass, passes } }) {
  const left = t("table.left", { count: stock.length });
  const passText = passes > 1 ? t("table.pass", { pass, passes }) : "";
  return html`<span .textContent=${left}></span><span .textContent=${passText}></span>`;
}

/** Draws the arrow that turns the waste over. */
const turn =
  () => html`<svg class="face turn" viewBox="0 0 100 140" aria-hidden="true" focusable="false">
  <use href="#turn" x="25" y="45" width="50" height="50"></use></svg>`;
