/** Taps and drags of mouse, pen and finger. What is dragged is the picture of a card. */

import { pictureOf } from "./motion.js";

const THRESHOLD = 6; // px from which on the card follows
const TREMBLE = 16; // px within which a card that is let go was tapped

/**
 * @param {HTMLElement} board
 * @param {{tap: (place: string) => void, canDrag: (place: string) => boolean,
 *   canTake: (place: string) => boolean,
 *   drop: (place: string, targets: string[]) => boolean}} on
 *   `drop` gets the places that take it and that the card was let go upon, the most covered one first, and says
 *   whether the card leaves; else it goes back
 */
export function listen(board, on) {
  let drag = null;
  let swallow = false; // the click that may follow a drag: of a finger it comes late, or never

  board.addEventListener("click", (event) => {
    const card = event.target.closest("[data-place]");
    const byKey = event.detail === 0;
    if (card && (byKey || !swallow)) on.tap(card.dataset.place);
  });

  board.addEventListener("pointerdown", (event) => {
    swallow = false;
    const card = event.target.closest("[data-place]");
    if (!card || drag || event.button !== 0 || !on.canDrag(card.dataset.place)) return;
    drag = { card, id: event.pointerId, x: event.clientX, y: event.clientY, moving: false, way: 0 };
    card.setPointerCapture(drag.id); // now: the first movement may be out of the board already
  });

  board.addEventListener("pointermove", (event) => {
    if (event.pointerId !== drag?.id) return;
    if (!event.buttons) return end(false); // let go where nobody saw it
    const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
    drag.way = Math.hypot(x, y);
    if (!drag.moving) {
      if (drag.way < THRESHOLD) return;
      drag.moving = true;
      drag.card.classList.add("is-dragged");
    }
    pictureOf(drag.card).style.transform = `translate(${x}px, ${y}px)`;
    mark(targets(drag.card)[0]);
  });

  // A card that leaves the table while it is dragged is let go of anywhere.
  document.addEventListener("pointerup", (event) => event.pointerId === drag?.id && end(true));
  document.addEventListener("pointercancel", (event) => event.pointerId === drag?.id && end(false));

  function end(dropped) {
    const { card, moving, way } = drag;
    const { place } = card.dataset;
    drag = null;
    mark(null);
    if (!moving) return;
    swallow = true;
    const isTap = dropped && way < TREMBLE;
    const leaves = dropped && !isTap && on.drop(place, targets(card).map((it) => it.dataset.place));
    if (!leaves) goBack(card);
    if (isTap) on.tap(place);
  }

  function mark(target) {
    for (const marked of board.querySelectorAll(".is-target")) marked.classList.remove("is-target");
    target?.classList.add("is-target");
  }

  const targets = (card) => under(board, card).filter((it) => on.canTake(it.dataset.place));
}

/** Lays a dragged card back where it belongs. */
function goBack(card) {
  const picture = pictureOf(card);
  const from = picture.style.transform;
  picture.style.transform = "";
  card.classList.remove("is-dragged");
  if (from && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
    picture.animate([{ transform: from }, { transform: "none" }], { duration: 160, easing: "ease-out" });
  }
}

/** The cards that lie under a dragged one, the one that it covers most first. */
function under(board, card) {
  const over = pictureOf(card).getBoundingClientRect();
  const area = (other) => {
    const rect = other.getBoundingClientRect();
    const width = Math.min(over.right, rect.right) - Math.max(over.left, rect.left);
    const height = Math.min(over.bottom, rect.bottom) - Math.max(over.top, rect.top);
    return width > 0 && height > 0 ? width * height : 0;
  };
  return [...board.querySelectorAll("[data-place]")]
    .filter((other) => other !== card)
    .map((other) => [area(other), other])
    .filter(([covered]) => covered > 0.12 * over.width * over.height)
    .sort(([a], [b]) => b - a)
    .map(([, other]) => other);
}
