/**
 * What moves: pictures, and never what can be pressed. A card lies where it belongs from the first
 * frame on while its picture flies to it, and cards that have left are ghosts above the table. So
 * nothing waits for a movement to end, and the next press may come at any moment.
 */

import { attribute, cardElement, cardElements, element } from "./dom.js";
import { cardAt, spots } from "./layout.js";

/** @import { Cards } from "./layout.js" */

/** @typedef {[x: number, y: number]} Point */

const TIME = 260; // ms
const still = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * @param {DOMRect} rect
 * @returns {Point}
 */
const centre = (rect) => [rect.left + rect.width / 2, rect.top + rect.height / 2];

export class Motion {
  #table;
  #ghosts = document.createElement("div");
  /** @type {Map<string, {rect: DOMRect, picture: HTMLElement}>} by place */
  #noted = new Map();

  /** @param {HTMLElement} table */
  constructor(table) {
    this.#table = table;
    this.#ghosts.className = "ghosts";
    this.#ghosts.inert = true;
    this.#ghosts.setAttribute("aria-hidden", "true");
    document.body.append(this.#ghosts);
  }

  /** Notes where the cards are, before the table is drawn anew. */
  before() {
    this.#ghosts.replaceChildren(); // what still flies has arrived
    this.#noted = new Map();
    for (const card of cardElements(this.#table)) {
      const picture = pictureOf(card);
      for (const running of picture.getAnimations()) running.cancel();
      this.#noted.set(attribute(card, "place"), {
        rect: picture.getBoundingClientRect(),
        picture: /** @type {HTMLElement} */ (picture.cloneNode(true)),
      });
      picture.style.transform = ""; // of a card that was dragged away
      card.classList.remove("is-dragged");
    }
  }

  /**
   * Shows the way from one position to the next, which the table shows already.
   * @param {Cards} from
   * @param {Cards} to
   */
  after(from, to) {
    if (still.matches) return;
    const places = new Set([...spots(from), ...spots(to)]);
    const gone = [...places].filter((place) => cardAt(from, place) && !cardAt(to, place));
    const come = [...places].filter((place) => !cardAt(from, place) && cardAt(to, place));
    const waste = to.waste.length - from.waste.length;
    const stock = to.stock.length - from.stock.length;
    if (waste === 1 && stock === -1) this.#turn("S", "W");
    else if (waste === -1 && stock === 1) this.#ghost("W", this.#now("S"), { turns: true });
    else if (Math.abs(waste) > 1) this.#redeal(waste);
    else {
      if (waste) (waste < 0 ? gone : come).push("W");
      if (stock) (stock < 0 ? gone : come).push("S");
    }
    this.#leave(gone);
    this.#return(come);
  }

  /**
   * Shows a pair that meets half way and leaves; a King rises.
   * @param {string[]} places
   */
  #leave(places) {
    const rects = places.flatMap((place) => this.#noted.get(place)?.rect ?? []);
    if (!rects.length) return;
    const meeting = meetingOf(rects);
    for (const place of places) this.#ghost(place, meeting, { fades: true });
  }

  /**
   * Shows cards that come back, by an undo, from where they went.
   * @param {string[]} places
   */
  #return(places) {
    const cards = places.flatMap((place) => this.#card(place) ?? []);
    if (!cards.length) return;
    const [x, y] = meetingOf(cards.map((card) => card.getBoundingClientRect()));
    for (const card of cards) {
      const [left, top] = centre(card.getBoundingClientRect());
      pictureOf(card).animate(
        [
          { transform: `translate(${x - left}px, ${y - top}px) scale(0.8)`, opacity: 0 },
          { transform: "none", opacity: 1 },
        ],
        { duration: TIME, easing: "cubic-bezier(.2,.7,.2,1)" },
      );
    }
  }

  /**
   * Shows a card that turns on its way from one pile to the other.
   * @param {string} source
   * @param {string} target
   */
  #turn(source, target) {
    const from = this.#noted.get(source)?.rect;
    const card = this.#card(target);
    if (!from || !card) return;
    const [x, y] = centre(from);
    const [left, top] = centre(card.getBoundingClientRect());
    pictureOf(card).animate(
      [
        { transform: `translate(${x - left}px, ${y - top}px) rotateY(90deg)` },
        {
          transform: `translate(${(x - left) / 2}px, ${(y - top) / 2 - 8}px) rotateY(45deg)`,
          offset: 0.4,
        },
        { transform: "none" },
      ],
      { duration: TIME, easing: "ease-out" },
    );
  }

  /** @param {number} waste by how many cards the waste has grown */
  #redeal(waste) {
    if (waste < 0) this.#ghost("W", this.#now("S"), { turns: true });
    else this.#turn("S", "W");
  }

  /**
   * Shows a card that has left as a picture of itself.
   * @param {string} place where it was
   * @param {Point|null} to
   * @param {{fades?: boolean, turns?: boolean}} [how]
   */
  #ghost(place, to, { fades = false, turns = false } = {}) {
    const was = this.#noted.get(place);
    if (!was || !to) return;
    const { rect, picture } = was;
    const ghost = document.createElement("span");
    ghost.className = "card";
    picture.style.transform = "";
    ghost.append(picture);
    Object.assign(ghost.style, {
      left: `${rect.left}px`,
      top: `${rect.top}px`,
      width: `${rect.width}px`,
      height: `${rect.height}px`,
    });
    this.#ghosts.append(ghost);
    const [left, top] = centre(rect);
    const way = `translate(${to[0] - left}px, ${to[1] - top}px)`;
    const frames = turns
      ? [{ transform: "none" }, { transform: `${way} rotateY(90deg)` }]
      : [
          { transform: "none", opacity: 1 },
          { transform: `${way} scale(1.05)`, opacity: 1, offset: 0.55 },
          { transform: `${way} translateY(-18px) scale(0.9)`, opacity: fades ? 0 : 1 },
        ];
    ghost
      .animate(frames, { duration: turns ? TIME / 2 : TIME * 1.4, easing: "ease-in-out" })
      .finished.then(
        () => ghost.remove(),
        () => ghost.remove(),
      );
  }

  /** @param {string} place */
  #card(place) {
    return cardElement(this.#table, place);
  }

  /** @param {string} place */
  #now(place) {
    const card = this.#card(place);
    return card && centre(card.getBoundingClientRect());
  }
}

/**
 * Returns the point in the middle.
 * @param {DOMRect[]} rects
 * @returns {Point}
 */
function meetingOf(rects) {
  const points = rects.map(centre);
  const mean = (/** @type {0|1} */ axis) =>
    points.reduce((sum, point) => sum + point[axis], 0) / points.length;
  return [mean(0), mean(1)];
}

/**
 * Returns the part of a card that is seen, and that moves.
 * @param {HTMLElement} card
 */
export const pictureOf = (card) => element(".picture", card);

/**
 * Shakes the cards of a move that is refused.
 * @param {HTMLElement} table
 * @param {string[]} places
 */
export function shake(table, places) {
  if (still.matches) return;
  for (const place of places) {
    const card = cardElement(table, place);
    if (!card) continue;
    pictureOf(card).animate(
      [0, -6, 6, -4, 4, 0].map((x) => ({ transform: `translateX(${x}px)` })),
      { duration: 280, easing: "ease-out" },
    );
  }
}
