/** What every page has: switches, the player's name, and word of a lost connection. */

import { setTime } from "./clock.js";
import { attribute, element } from "./dom.js";
import { onPlayerChange, signedIn } from "./identity.js";
import { t } from "./texts.js";

const root = document.documentElement;

setTime(attribute(root, "now"));

for (const select of document.querySelectorAll("select")) {
  const name = attribute(select, "switch");
  select.addEventListener("change", () => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs HTTPS, which a home network lacks
    document.cookie = `${name}=${select.value};path=/;max-age=31536000;samesite=lax`;
    if (name === "language") location.reload();
    else root.dataset[name] = select.value;
  });
}

const who = element("[data-who]");

function showPlayer() {
  const name = signedIn()?.player.name;
  who.textContent = name ?? t("shell.sign_in");
  who.classList.toggle("is-known", Boolean(name));
}
showPlayer();
onPlayerChange(showPlayer);

const connection = element("[data-connection]");

function showConnection() {
  connection.textContent = navigator.onLine ? "" : t("shell.offline");
}
showConnection();
addEventListener("online", showConnection);
addEventListener("offline", showConnection);

const said = element("[data-said]");

/**
 * Has a screen reader say something, politely.
 * @param {string} text
 */
export function say(text) {
  said.textContent = "";
  requestAnimationFrame(() => {
    said.textContent = text;
  });
}
