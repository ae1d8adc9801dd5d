/** What every page has: the switches of its foot, the name of the player, and word of the line. */

import { onChange, signedIn } from "./identity.js";
import { setTime } from "./clock.js";
import { t } from "./texts.js";

const root = document.documentElement;

setTime(root.dataset.now);

for (const select of document.querySelectorAll("[data-switch]")) {
  const name = select.dataset.switch;
  select.addEventListener("change", () => {
    document.cookie = `${name}=${select.value};path=/;max-age=31536000;samesite=lax`;
    if (name === "language") location.reload();
    else root.dataset[name] = select.value;
  });
}

const who = document.querySelector("[data-who]");

function showPlayer() {
  const name = signedIn()?.player.name;
  who.textContent = name ?? t("shell.sign_in");
  who.classList.toggle("is-known", Boolean(name));
}
showPlayer();
onChange(showPlayer);

const line = document.querySelector("[data-line]");

function showLine() {
  line.textContent = navigator.onLine ? "" : t("shell.offline");
}
showLine();
addEventListener("online", showLine);
addEventListener("offline", showLine);

const said = document.querySelector("[data-said]");

/** Says something politely to those who listen. */
export function say(text) {
  said.textContent = "";
  requestAnimationFrame(() => (said.textContent = text));
}
