/** Who plays in this browser: a token, kept in its storage and shared by its tabs. */

import { call } from "./api.js";

const KEY = "pyramid-player";

/** Who plays where the browser keeps nothing: known until the page is left. */
let unkept = null;

/** @returns {{token: string, player: {id: string, name: string, guest: boolean}} | null} */
export function signedIn() {
  if (unkept) return unkept;
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "null");
  } catch {
    return null; // storage is closed, or holds what another version wrote
  }
}

export const token = () => signedIn()?.token ?? null;

/** Keeps what the server answered to signing up or in. */
export function keep({ token, player }) {
  unkept = { token, player };
  try {
    localStorage.setItem(KEY, JSON.stringify(unkept));
    unkept = null;
  } catch {
    // Storage is closed or full.
  }
  announce();
}

/** The player under a new name or claimed, with the token that there is. */
export function rename(player) {
  keep({ ...signedIn(), player });
}

export function forget() {
  unkept = null;
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Storage is closed, and so holds nobody.
  }
  announce();
}

let signingUp = null;

/** Makes a guest where nobody plays yet; of calls at once only one does. */
export function ensurePlayer() {
  const known = signedIn();
  if (known) return Promise.resolve(known);
  signingUp ??= inTurn(async () => {
    // Another tab may have done it while this one waited.
    if (!signedIn()) keep(await call("/players", { method: "POST", body: {}, as: null }));
    return signedIn();
  }).finally(() => (signingUp = null));
  return signingUp;
}

/** Does it while no other tab does. */
async function inTurn(work) {
  let begun = null;
  const begin = () => (begun ??= work());
  try {
    await navigator.locks.request(KEY, begin);
  } catch {
    // A page of plain HTTP has no locks, and one without storage may not ask for them.
  }
  return begin();
}

const listeners = new Set();
const announce = () => listeners.forEach((listener) => listener());

/** Calls back when the player changes, in this tab or another, or may have unheard. */
export function onChange(listener) {
  listeners.add(listener);
}

addEventListener("storage", (event) => {
  if (event.key === KEY) announce();
});
// A page that is left aside for the next one hears nothing until it comes back.
addEventListener("pageshow", (event) => event.persisted && announce());
