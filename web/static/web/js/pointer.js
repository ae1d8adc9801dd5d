/** Taps and drags by mouse, pen and finger. What is dragged is the picture of a card. */

import { attribute, cardElement, cardElements, placeOf } from "./dom.js";
import { pictureOf } from "./motion.js";

const THRESHOLD = 6; // px from which on the card follows
const TREMBLE = 16; // px within which a card that is let go was tapped

/**
 * @typedef {object} Handlers
 * @property {(place: string) => void} tap
 * @property {(place: string) => boolean} canDrag
 * @property {(place: string) => boolean} canTake whether a card may be dropped there
 * @property {(place: string, targets: string[]) => boolean} drop gets the places below the card
 *   that can take it, the most covered one first; returns whether the card leaves or goes back
 */

/**
 * @typedef {object} Drag
 * @property {HTMLElement} card
 * @property {string} place
 * @property {number} id of the pointer
 * @property {number} x where it began
 * @property {number} y
 * @property {boolean} moving
 * @property {number} distance px from where it began
 */

/**
 * Listens to taps and drags on a table.
 * @param {HTMLElement} table
 * @param {Handlers} on
 */
export function listen(table, on) {
  /** @type {Drag|null} */
  let drag = null;
  let swallow = false; // the click that may follow a drag: of a finger it comes late, or never

  table.addEventListener("click", (event) => {
    const place = placeOf(event);
    const byKey = event.detail === 0;
    if (place && (byKey || !swallow)) on.tap(place);
  });

  table.addEventListener("pointerdown", (event) => {
    swallow = false;
    const place = placeOf(event);
    const card = place && cardElement(table, place);
    if (!card || drag || event.button !== 0 || !on.canDrag(place)) return;
    const { pointerId: id, clientX: x, clientY: y } = event;
    drag = { card, place, id, x, y, moving: false, distance: 0 };
    card.setPointerCapture(id); // now: the first movement may leave the table already
  });

  table.addEventListener("pointermove", (event) => {
    if (event.pointerId !== drag?.id) return;
    if (!event.buttons) return end(drag, false); // let go where nobody saw it
    const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
    drag.distance = Math.hypot(x, y);
    if (!drag.moving) {
      if (drag.distance < THRESHOLD) return;
      drag.moving = true;
      drag.card.classList.add("is-dragged");
    }
    pictureOf(drag.card).style.transform = `translate(${x}px, ${y}px)`;
    mark(targets(drag.card)[0]);
  });

  // On the document: a card that leaves the table while it is dragged is let go anywhere.
  document.addEventListener("pointerup", (event) => {
    if (event.pointerId === drag?.id) end(drag, true);
  });
  document.addEventListener("pointercancel", (event) => {
    if (event.pointerId === drag?.id) end(drag, false);
  });

  /**
   * @param {Drag} ended
   * @param {boolean} dropped
   */
  function end({ card, place, moving, distance }, dropped) {
    drag = null;
    mark(null);
    if (!moving) return;
    swallow = true;
    const isTap = dropped && distance < TREMBLE;
    const below = () => targets(card).map((target) => attribute(target, "place"));
    const leaves = dropped && !isTap && on.drop(place, below());
    if (!leaves) goBack(card);
    if (isTap) on.tap(place);
  }

  /** @param {HTMLElement|null|undefined} target */
  function mark(target) {
    for (const marked of table.querySelectorAll(".is-target")) marked.classList.remove("is-target");
    target?.classList.add("is-target");
  }

  /** @param {HTMLElement} card */
  const targets = (card) =>
    under(table, card).filter((target) => on.canTake(attribute(target, "place")));
}

/**
 * Lays a dragged card back where it belongs.
 * @param {HTMLElement} card
 */
function goBack(card) {
  const picture = pictureOf(card);
  const from = picture.style.transform;
  picture.style.transform = "";
  card.classList.remove("is-dragged");
  if (from && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
    picture.animate([{ transform: from }, { transform: "none" }], {
      duration: 160,
      easing: "ease-out",
    });
  }
}

/**
 * Returns the cards under a dragged one, the one that it covers most first.
 * @param {HTMLElement} table
 * @param {HTMLElement} card
 */
function under(table, card) {
  const over = pictureOf(card).getBoundingClientRect();
  const least = 0.12 * over.width * over.height;
  return [...cardElements(table)]
    .filter((other) => other !== card)
    .map((other) => ({ other, area: overlap(over, other.getBoundingClientRect()) }))
    .filter(({ area }) => area > least)
    .sort((a, b) => b.area - a.area)
    .map(({ other }) => other);
}

/**
 * Returns the area that two rectangles share.
 * @param {DOMRect} one
 * @param {DOMRect} other
 */
function overlap(one, other) {
  const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return width > 0 && height > 0 ? width * height : 0;
}
