/** The keys of the table. */

import { placeOf } from "./dom.js";

/**
 * Listens to the keys of a game: those that play do so once, however long they are held.
 * @param {HTMLElement} page
 * @param {HTMLElement} table
 * @param {() => boolean} isReady
 * @param {Record<string, () => void>} keys what each key does
 * @param {(place: string, key: string) => void} onArrow
 */
export function listenToKeys(page, table, isReady, keys, onArrow) {
  page.addEventListener(
    "keydown",
    (event) => {
      if (!event.repeat || !/^(enter|d|z)$/i.test(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
    },
    { capture: true },
  );

  table.addEventListener("keydown", (event) => {
    if (!isReady() || event.ctrlKey || event.metaKey || event.altKey) return;
    const place = placeOf(event);
    const action = keys[event.key] ?? keys[event.key.toLowerCase()];
    if (place && event.key.startsWith("Arrow")) onArrow(place, event.key);
    else if (action) action();
    else return;
    event.preventDefault();
  });
}
