/** Signing in, keeping a guest's play for good, and all that concerns the account. */

import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { call } from "./api.js";
import { confirmed } from "./dialogs.js";
import { Form } from "./forms.js";
import { forget, keep, onChange, rename, signedIn } from "./identity.js";
import "./shell.js";
import { t } from "./texts.js";

const page = document.querySelector("[data-account]");
const NAME = { name: "name", autocomplete: "username" };
const post = (path, body) => call(path, { method: "POST", body });

let forms, shownFor;

/** The forms of who is here now. */
function formsOf(player) {
  const make = (name, fields, submit) => new Form(name, fields, submit, draw);
  const signIn = make("sign_in", [NAME, { name: "password", type: "password", autocomplete: "current-password" }], async (body) => {
    if (!(await mayLeave("sign_in"))) return;
    keep(await call("/auth/login", { method: "POST", body, as: null }));
    location.assign("/profile");
  });
  const reset = make("reset", [{ name: "email", type: "email", autocomplete: "email" }], async (body) => {
    await call("/auth/reset", { method: "POST", body, as: null });
    return t("account.reset_done");
  });
  const confirm = make("reset_confirm", [
    { name: "key", autocomplete: "one-time-code" },
    { name: "password", type: "password", autocomplete: "new-password" },
  ], async (body) => {
    await call("/auth/reset/confirm", { method: "POST", body, as: null });
    return t("account.password_changed");
  });
  const entering = { main: [signIn], forgotten: [reset, confirm] };
  if (!player) return entering;
  const newName = make("rename", [{ ...NAME, value: player.name }], async (body) => {
    const { player: renamed } = await call("/me", { method: "PATCH", body });
    rename(renamed);
    return t("account.renamed");
  });
  if (player.guest) {
    const claim = make("claim", [
      { ...NAME, value: player.name },
      { name: "email", type: "email", autocomplete: "email", optional: true },
      { name: "password", type: "password", autocomplete: "new-password" },
    ], async ({ name, ...body }) => {
      const { player: claimed } = await post("/me/claim", name === player.name ? body : { name, ...body });
      rename(claimed);
    });
    return { ...entering, main: [claim, newName, signIn] };
  }
  const password = make("password", [
    { name: "old", type: "password", autocomplete: "current-password" },
    { name: "new", type: "password", autocomplete: "new-password" },
  ], async (body) => {
    await post("/me/password", body);
    return t("account.password_changed");
  });
  const email = make("email", [
    { name: "email", type: "email", autocomplete: "email" },
    { name: "password", type: "password", autocomplete: "current-password" },
  ], async (body) => {
    await post("/me/email", body);
    return t("account.email_done");
  });
  const confirmEmail = make("email_confirm", [{ name: "key", autocomplete: "one-time-code" }], async (body) => {
    await post("/me/email/confirm", body);
    return t("account.email_confirmed");
  });
  return { main: [newName, password, email, confirmEmail] };
}

/** Whether who plays here can come back, or goes for good and knows it. */
const mayLeave = async (how) => !signedIn()?.player.guest || confirmed(how);

/** Goes even where the line is down: this browser knows the player no more. */
async function signOut(path) {
  if (!(await mayLeave("sign_out"))) return;
  try {
    await call(path, { method: "POST" });
  } finally {
    forget();
  }
}

async function download() {
  const data = await call("/me/export");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(data, null, 2)], { type: "application/json" }));
  link.download = "pyramid-daily.json";
  link.click();
  URL.revokeObjectURL(link.href);
}

async function remove() {
  if (!(await confirmed("delete"))) return;
  await call("/me", { method: "DELETE" });
  forget();
}

function draw() {
  const player = signedIn()?.player;
  const who = player ? `${player.id} ${player.guest}` : "";
  if (who !== shownFor) [forms, shownFor] = [formsOf(player), who];
  render(html`
    ${player ? html`<p class="person"><span class="who" translate="no" .textContent=${player.name}></span> <span class="soft" .textContent=${t(player.guest ? "account.is_guest" : "account.is_kept")}></span></p>` : nothing}
    ${panels(forms.main)}
    ${forms.forgotten ? html`<details><summary>${t("account.reset")}</summary>${panels(forms.forgotten)}</details>` : nothing}
    ${player ? html`<section class="panel" aria-labelledby="more"><h2 id="more">${t("account.more")}</h2>
      <div class="actions is-stacked">
        <button type="button" class="button is-quiet" @click=${() => signOut("/auth/logout")}>${t("account.sign_out")}</button>
        ${player.guest ? nothing : html`<button type="button" class="button is-quiet" @click=${() => signOut("/auth/logout-all")}>${t("account.sign_out_all")}</button>`}
        <button type="button" class="button is-quiet" @click=${download}>${t("account.export")}</button>
        <button type="button" class="button is-grave" @click=${remove}>${t("account.delete")}</button>
      </div></section>` : nothing}`, page);
}

const panels = (some) => html`<div class="forms">${some.map((form) => html`<section class="panel">${form.show()}</section>`)}</div>`;

onChange(draw);
draw();
