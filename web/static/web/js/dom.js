/** Typed access to the elements and data that the server has put into the page. */

/**
 * Returns the one element for a selector; throws where page and module disagree about it.
 * @param {string} selector
 * @param {ParentNode} [root]
 */
export function element(selector, root = document) {
  const found = root.querySelector(selector);
  if (!(found instanceof HTMLElement)) throw new Error(`no element ${selector}`);
  return found;
}

/**
 * Returns the value of a `data-` attribute that the page always has.
 * @param {HTMLElement} from
 * @param {string} name
 */
export function attribute(from, name) {
  const value = from.dataset[name];
  if (value === undefined) throw new Error(`no data-${name}`);
  return value;
}

/**
 * Returns the JSON of a script element.
 * @param {string} id
 */
export const embedded = (id) => JSON.parse(element(`#${id}`).textContent ?? "");

/**
 * Returns all cards of a table.
 * @param {HTMLElement} table
 * @returns {NodeListOf<HTMLElement>}
 */
export const cardElements = (table) => table.querySelectorAll("[data-place]");

/**
 * Returns the card at a place, or null.
 * @param {HTMLElement} table
 * @param {string} place
 * @returns {HTMLElement|null}
 */
export const cardElement = (table, place) => table.querySelector(`[data-place="${place}"]`);

/**
 * Returns the place of the card that an event is about, or undefined.
 * @param {Event} event
 */
export function placeOf({ target }) {
  const card = target instanceof Element ? target.closest("[data-place]") : null;
  return card instanceof HTMLElement ? card.dataset.place : undefined;
}
