/** The server's time, as far as this browser knows it, and what ticks by it. */

let ahead = 0; // ms by which the server's clock is ahead of this machine's

/** Takes the server's time from a reply. */
export function setTime(timestamp) {
  ahead = Date.parse(timestamp) - Date.now();
}

export const now = () => Date.now() + ahead;

/** The present day of UTC, `YYYY-MM-DD`. */
export const today = () => new Date(now()).toISOString().slice(0, 10);

/** ms to the next midnight of UTC. */
export function untilTomorrow() {
  const day = 86_400_000;
  return day - (now() % day);
}

/** Calls now and each second, and at once when the page is looked at again. */
export function everySecond(callback) {
  callback();
  const timer = setInterval(callback, 1000);
  document.addEventListener("visibilitychange", callback);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", callback);
  };
}

/** Calls when the machine has slept: `performance.now()` may have slept with it. */
export function onWake(callback) {
  let last = Date.now();
  everySecond(() => {
    const missed = Date.now() - last;
    last = Date.now();
    if (missed > 10_000 && !document.hidden) callback();
  });
}

/** Calls once when the day of UTC is another than it was. */
export function onNewDay(callback) {
  const before = today();
  const stop = everySecond(() => {
    if (today() === before) return;
    stop();
    callback();
  });
}
