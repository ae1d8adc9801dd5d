/** Signing up as a guest, once for all tabs. */

import { call } from "./api.js";
import { keep, signedIn } from "./identity.js";

/** @import { Identity } from "./identity.js" */

/** @type {Promise<Identity|null>|null} */
let signingUp = null;

/** Makes a guest where nobody plays yet; of several calls at once only one does. */
export function ensurePlayer() {
  const known = signedIn();
  if (known) return Promise.resolve(known);
  signingUp ??= exclusively(async () => {
    // Another tab may have done it while this one waited.
    if (!signedIn()) keep(await call("/players", { method: "POST", body: {}, as: null }));
    return signedIn();
  }).finally(() => {
    signingUp = null;
  });
  return signingUp;
}

/**
 * Runs `work` while no other tab does.
 * @template T
 * @param {() => Promise<T>} work
 */
async function exclusively(work) {
  /** @type {Promise<T>|null} */
  let begun = null;
  const begin = () => {
    begun ??= work();
    return begun;
  };
  try {
    await navigator.locks.request("pyramid-sign-up", begin);
  } catch {
    // A page of plain HTTP has no locks, and one without storage may not ask for them.
  }
  return begin();
}
