/** The server's time, as far as this browser knows it, and timers that follow it. */

let ahead = 0; // ms by which the server's clock is ahead of this machine's

/**
 * Takes the server's time from a reply.
 * @param {string} timestamp
 */
export function setTime(timestamp) {
  ahead = Date.parse(timestamp) - Date.now();
}

export const now = () => Date.now() + ahead;

/** Returns the current day in UTC, `YYYY-MM-DD`. */
export const today = () => new Date(now()).toISOString().slice(0, 10);

/** Returns the ms until the next midnight in UTC. */
export function untilTomorrow() {
  const day = 86_400_000;
  return day - (now() % day);
}

/**
 * Calls now, each second, and whenever the page becomes visible; returns a function that stops it.
 * @param {() => void} callback
 */
export function everySecond(callback) {
  callback();
  const timer = setInterval(callback, 1000);
  document.addEventListener("visibilitychange", callback);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", callback);
  };
}

/**
 * Calls after the machine has slept: `performance.now()` may have slept with it.
 * @param {() => void} callback
 */
export function onWake(callback) {
  let last = Date.now();
  everySecond(() => {
    const missed = Date.now() - last;
    last = Date.now();
    if (missed > 10_000 && !document.hidden) callback();
  });
}

/**
 * Calls once, when the day in UTC changes.
 * @param {() => void} callback
 */
export function onNewDay(callback) {
  const before = today();
  const stop = everySecond(() => {
    if (today() === before) return;
    stop();
    callback();
  });
}
