/** What the tabs of a browser tell each other. */

/**
 * Opens a channel by name; one that reaches nobody where the browser's storage is closed.
 * @param {string} name
 * @returns {Pick<BroadcastChannel, "postMessage" | "onmessage">}
 */
export function channel(name) {
  try {
    return new BroadcastChannel(name);
  } catch {
    return { postMessage() {}, onmessage: null };
  }
}
