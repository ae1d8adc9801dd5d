/** What the tabs of a browser tell each other. */

/** A channel of a name; one that reaches nobody where the browser's storage is closed. */
export function channel(name) {
  try {
    return new BroadcastChannel(name);
  } catch {
    return { postMessage() {} };
  }
}
