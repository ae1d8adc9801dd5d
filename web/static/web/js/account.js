/** The account page: signing in, claiming a guest, and the settings of an account. */

import { html, nothing, render } from "lit-html";
import { call } from "./api.js";
import { confirmed } from "./dialogs.js";
import { element } from "./dom.js";
import { Form } from "./forms.js";
import { forget, isGuest, keep, onPlayerChange, signedIn, update } from "./identity.js";
import "./shell.js";
import { t } from "./texts.js";

/** @import { Me, Player } from "api-types" */
/** @import { Field } from "./forms.js" */

const page = element("[data-account]");

/** @type {Field} */
const NAME = { name: "name", autocomplete: "username" };
/** @type {Field} */
const PASSWORD = { name: "password", type: "password", autocomplete: "current-password" };
/** @type {Field} */
const FIRST_PASSWORD = { name: "password", type: "password", autocomplete: "new-password" };
/** @type {Field} */
const OLD = { name: "old", type: "password", autocomplete: "current-password" };
/** @type {Field} */
const NEW = { name: "new", type: "password", autocomplete: "new-password" };
/** @type {Field} */
const EMAIL = { name: "email", type: "email", autocomplete: "email" };
/** @type {Field} */
const CODE = { name: "key", autocomplete: "one-time-code" };

/** @typedef {{main: Form[], forgotten?: Form[]}} Forms */

/** @type {Forms} */
let forms = { main: [] };
/** @type {string|undefined} */
let shownFor;

/**
 * Returns the forms for a guest, an account, or nobody.
 * @param {Player|undefined} player
 * @returns {Forms}
 */
function formsOf(player) {
  if (!player) return { main: [signInForm()], forgotten: forgottenForms() };
  const rename = renameForm(player);
  if (!player.guest) return { main: [rename, ...accountForms()] };
  return { main: [claimForm(player), rename, signInForm()], forgotten: forgottenForms() };
}

/**
 * Makes a form that posts its values and then shows a text.
 * @param {string} name
 * @param {Field[]} fields
 * @param {string} path
 * @param {string} done
 * @param {{as?: null}} [options] `as: null` sends no token: one that has expired would be refused
 */
const postForm = (name, fields, path, done, options = {}) =>
  new Form(
    name,
    fields,
    async (body) => {
      await call(path, { method: "POST", body, ...options });
      return t(done);
    },
    draw,
  );

const signInForm = () =>
  new Form(
    "sign_in",
    [NAME, PASSWORD],
    async (body) => {
      if (!(await mayLeave("sign_in"))) return;
      keep(await call("/auth/login", { method: "POST", body, as: null }));
      location.assign("/profile");
    },
    draw,
  );

function forgottenForms() {
  const path = "/auth/reset/confirm";
  return [
    postForm("reset", [EMAIL], "/auth/reset", "account.reset_done", { as: null }),
    postForm("reset_confirm", [CODE, FIRST_PASSWORD], path, "account.password_changed", {
      as: null,
    }),
  ];
}

/** @param {Player} player */
const renameForm = ({ name }) =>
  new Form(
    "rename",
    [{ ...NAME, value: name }],
    async (body) => {
      /** @type {Me} */
      const { player } = await call("/me", { method: "PATCH", body });
      update(player);
      return t("account.renamed");
    },
    draw,
  );

/** @param {Player} guest */
const claimForm = (guest) =>
  new Form(
    "claim",
    [{ ...NAME, value: guest.name }, { ...EMAIL, optional: true }, FIRST_PASSWORD],
    async ({ name, ...rest }) => {
      const body = name === guest.name ? rest : { name, ...rest };
      /** @type {Me} */
      const { player } = await call("/me/claim", { method: "POST", body });
      update(player);
    },
    draw,
  );

const accountForms = () => [
  postForm("password", [OLD, NEW], "/me/password", "account.password_changed"),
  postForm("email", [EMAIL, PASSWORD], "/me/email", "account.email_done"),
  postForm("email_confirm", [CODE], "/me/email/confirm", "account.email_confirmed"),
];

/**
 * Whether the player can come back; a guest is asked first, because nobody can.
 * @param {"sign_in"|"sign_out"} action
 */
const mayLeave = async (action) => !isGuest() || confirmed(action);

/**
 * Signs out, even while the connection is down: this browser forgets the player.
 * @param {string} path
 */
async function signOut(path) {
  if (!(await mayLeave("sign_out"))) return;
  try {
    await call(path, { method: "POST" });
  } finally {
    forget();
  }
}

/** Saves all data of the player as a file. */
async function download() {
  const data = await call("/me/export");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(
    new Blob([JSON.stringify(data, null, 2)], { type: "application/json" }),
  );
  link.download = "pyramid-daily.json";
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Deletes the player for good. */
async function remove() {
  if (!(await confirmed("delete"))) return;
  await call("/me", { method: "DELETE" });
  forget();
}

function draw() {
  const player = signedIn()?.player;
  const who = player ? `${player.id} ${player.guest}` : "";
  if (who !== shownFor) {
    forms = formsOf(player);
    shownFor = who;
  }
  render(
    html`${player ? person(player) : nothing}
    ${panels(forms.main)}
    ${forms.forgotten ? html`<details><summary>${t("account.reset")}</summary>${panels(forms.forgotten)}</details>` : nothing}
    ${player ? more(player) : nothing}`,
    page,
  );
}

/** @param {Player} player */
const person = ({
  name,
  guest,
}) => html`<p class="person"><span class="who" translate="no" .textContent=${name}></span>
  <span class="soft" .textContent=${t(guest ? "account.is_guest" : "account.is_kept")}></span></p>`;

/** @param {Form[]} forms */
const panels = (forms) =>
  html`<div class="forms">${forms.map((form) => html`<section class="panel">${form.show()}</section>`)}</div>`;

/** @param {Player} player */
const more = ({
  guest,
}) => html`<section class="panel" aria-labelledby="more"><h2 id="more">${t("account.more")}</h2>
  <div class="actions is-stacked">
    <button type="button" class="button is-quiet" @click=${() => signOut("/auth/logout")}>${t("account.sign_out")}</button>
    ${guest ? nothing : html`<button type="button" class="button is-quiet" @click=${() => signOut("/auth/logout-all")}>${t("account.sign_out_all")}</button>`}
    <button type="button" class="button is-quiet" @click=${download}>${t("account.export")}</button>
    <button type="button" class="button is-grave" @click=${remove}>${t("account.delete")}</button>
  </div></section>`;

onPlayerChange(draw);
draw();
