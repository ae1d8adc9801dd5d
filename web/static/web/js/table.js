/** The table as it is seen: pyramid, waste and stock, every card a button of its own. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { HIDDEN, back, face, fullName, rankOf } from "./cards.js";
import { isCovered, spotName } from "./layout.js";
import { t } from "./texts.js";

/** How deep in the waste the cards lie that are seen beside its top; their places never move. */
const UNDER = [5, 4, 3, 2];

/**
 * @typedef {object} View
 * @property {object} position as the API answers it
 * @property {boolean} stockTop whether the rule set opens the stock's top card
 * @property {boolean} [canRedeal]
 * @property {boolean} [rests] whether it is too early to redeal
 * @property {string|null} [selected] a place
 * @property {string} [current] the place that Tab leads to; none where the table is only looked at
 * @property {string[]} [going] places whose cards are about to leave
 */

/** @param {View} view */
export function table(view) {
  const { position } = view;
  return html`
    <div class="pyramid" role="group" aria-label=${t("table.pyramid", { count: position.pyramid.length })}>
      ${position.pyramid.map((row, r) => html`<div class="row">
        ${row.map((card, i) => html`<span class="spot">${card ? spot(view, spotName(r, i), card) : nothing}</span>`)}
      </div>`)}
    </div>
    <div class="piles" role="group" aria-label=${t("table.piles")}>
      <div class="waste">
        ${UNDER.map((depth) => under(position.waste.at(-depth)))}
        <span class="spot">${position.waste.length ? wasteTop(view) : nothing}</span>
      </div>
      <div class="stock"><span class="spot">${stock(view)}</span></div>
      <p class="count">${count(view)}</p>
    </div>`;
}

function spot(view, place, card) {
  const covered = isCovered(view.position, place);
  const where = t("table.spot", { row: place.charCodeAt(0) - 96, card: Number(place.slice(1)) });
  return button(view, place, face(card), {
    label: `${rankOf(card)}, ${fullName(card)}, ${where}${covered ? `, ${t("table.covered")}` : ""}`,
    covered,
  });
}

const under = (card) => html`<span class=${card ? "card is-under" : "is-under"}>${card ? picture(face(card)) : nothing}</span>`;

/** What is seen of a card. It alone moves; the card, which is pressed, lies still. */
const picture = (inner) => html`<span class="picture" translate="no">${inner}</span>`;

function wasteTop(view) {
  const { waste } = view.position;
  const card = waste.at(-1);
  return button(view, "W", face(card), {
    label: `${rankOf(card)}, ${fullName(card)}, ${t("table.waste", { count: waste.length })}`,
  });
}

function stock(view) {
  const { stock } = view.position;
  if (!stock.length) {
    const label = view.canRedeal ? t("table.redeal") : t("table.stock_empty");
    return button(view, "S", view.canRedeal ? turn() : nothing, { label, empty: true, covered: !view.canRedeal, rests: view.rests });
  }
  const [card] = stock;
  const known = card !== HIDDEN;
  const rest = t("table.stock", { count: stock.length });
  if (view.stockTop) {
    return button(view, "S", face(card), { label: `${rankOf(card)}, ${fullName(card)}, ${rest}` });
  }
  const label = `${t("table.draw")}, ${rest}${known ? `, ${t("table.next", { card: fullName(card) })}` : ""}`;
  return button(view, "S", known ? face(card) : back(), { label, known });
}

function button(view, place, inner, { label, covered = false, empty = false, known = false, rests = false }) {
  const classes = ["card", covered && "is-covered", empty && "is-empty", known && "is-known", rests && "is-resting",
    view.selected === place && "is-selected", view.going?.includes(place) && "is-going"];
  if (!view.current) {
    return html`<span class=${classes.filter(Boolean).join(" ")} data-place=${place} role="img" aria-label=${label}>${picture(inner)}</span>`;
  }
  return html`<button type="button" class=${classes.filter(Boolean).join(" ")} data-place=${place}
    tabindex=${view.current === place ? "0" : "-1"} aria-label=${label}
    aria-pressed=${String(view.selected === place)}
    aria-disabled=${covered ? "true" : nothing}>${picture(inner)}</button>`;
}

function count({ position }) {
  const passes = position.passes > 1 ? t("table.pass", { pass: position.pass, passes: position.passes }) : "";
  return html`<span .textContent=${t("table.left", { count: position.stock.length })}></span><span .textContent=${passes}></span>`;
}

const turn = () => html`<svg class="face turn" viewBox="0 0 100 140" aria-hidden="true" focusable="false">
  <use href="#turn" x="25" y="45" width="50" height="50"></use></svg>`;
