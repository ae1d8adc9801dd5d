/** Who plays in this browser: a token, kept in its storage and shared by its tabs. */

/** @import { Player } from "api-types" */

/** @typedef {{token: string, player: Player}} Identity */

const KEY = "pyramid-player";

/**
 * The player where the browser stores nothing: known until the page is left.
 * @type {Identity|null}
 */
let unstored = null;

/**
 * Returns the player of this browser, guest or not; null where nobody has played yet.
 * @returns {Identity|null}
 */
export function signedIn() {
  if (unstored) return unstored;
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "null");
  } catch {
    return null; // storage is closed, or holds what another version wrote
  }
}

export const token = () => signedIn()?.token ?? null;

/** Whether the player has no password, and so would lose everything with this browser's storage. */
export const isGuest = () => signedIn()?.player.guest ?? false;

/**
 * Keeps what the server answered to signing up or in.
 * @param {Identity} identity
 */
export function keep({ token, player }) {
  unstored = { token, player };
  try {
    localStorage.setItem(KEY, JSON.stringify(unstored));
    unstored = null;
  } catch {
    // Storage is closed or full.
  }
  announce();
}

/**
 * Keeps a player who was renamed or claimed; the token stays.
 * @param {Player} player
 */
export function update(player) {
  const known = signedIn();
  if (known) keep({ ...known, player });
}

/** Forgets the player: this browser is signed out. */
export function forget() {
  unstored = null;
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Storage is closed, and so holds nobody.
  }
  announce();
}

/** @type {Set<() => void>} */
const listeners = new Set();

function announce() {
  for (const listener of listeners) listener();
}

/**
 * Calls back when the player changes, in this tab or another, or may have changed unnoticed.
 * @param {() => void} listener
 */
export function onPlayerChange(listener) {
  listeners.add(listener);
}

addEventListener("storage", (event) => {
  if (event.key === KEY) announce();
});
// A page in the back/forward cache hears nothing until it comes back.
addEventListener("pageshow", (event) => event.persisted && announce());
