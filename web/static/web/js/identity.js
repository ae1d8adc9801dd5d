/** Who plays in this browser: a token, kept in its storage and shared by its tabs. */

import { call } from "./api.js";

const KEY = "pyramid-player";

/** @returns {{token: string, player: {id: string, name: string, guest: boolean}} | null} */
export function signedIn() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "null");
  } catch {
    return null; // storage is closed, or holds what another version wrote
  }
}

export const token = () => signedIn()?.token ?? null;

/** Keeps what the server answered to signing up or in. */
export function keep({ token, player }) {
  localStorage.setItem(KEY, JSON.stringify({ token, player }));
  announce();
}

/** The player under a new name or claimed, with the token that there is. */
export function rename(player) {
  keep({ ...signedIn(), player });
}

export function forget() {
  localStorage.removeItem(KEY);
  announce();
}

let signingUp = null;

/** Makes a guest where nobody plays yet; of calls at once only one does. */
export function ensurePlayer() {
  const known = signedIn();
  if (known) return Promise.resolve(known);
  signingUp ??= navigator.locks
    .request(KEY, async () => {
      // Another tab may have done it while this one waited.
      if (!signedIn()) keep(await call("/players", { method: "POST", body: {}, as: null }));
      return signedIn();
    })
    .finally(() => (signingUp = null));
  return signingUp;
}

const listeners = new Set();
const announce = () => listeners.forEach((listener) => listener());

/** Calls back when the player changes, in this tab or another. */
export function onChange(listener) {
  listeners.add(listener);
}

addEventListener("storage", (event) => {
  if (event.key === KEY) announce();
});
