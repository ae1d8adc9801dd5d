/** Forms: labelled fields, and each refusal shown beside the field that it is about. */

import { html, nothing } from "lit-html";
import { isFailure, Unreachable } from "./api.js";
import { isText, spokenDuration, t } from "./texts.js";

/** @import { FieldError } from "api-types" */
/** @import { Refused } from "./api.js" */

/**
 * The fields that a refusal may be about where only its code says so; the first that a form has.
 * @type {Record<string, string[]>}
 */
const FIELDS_OF = { name_taken: ["name"], invalid_credentials: ["key", "old", "password"] };

/**
 * @typedef {object} Field
 * @property {string} name
 * @property {string} [type]
 * @property {AutoFill} autocomplete
 * @property {boolean} [optional]
 * @property {string} [value]
 */

export class Form {
  #draw;
  /** @type {Record<string, string>} by field */ errors = {};
  problem = "";
  done = "";
  busy = false;

  /**
   * @param {string} name of its texts, below `account`
   * @param {Field[]} fields
   * @param {(values: Record<string, string>) => Promise<string|void>} submit returns a text to show, if any
   * @param {() => void} draw
   */
  constructor(name, fields, submit, draw) {
    this.name = name;
    this.fields = fields;
    this.submit = submit;
    this.#draw = draw;
  }

  /** Draws the form as it is now. */
  show() {
    return html`<form class="form" novalidate @submit=${this.#onSubmit} aria-labelledby="form-${this.name}">
      <h2 id="form-${this.name}" .textContent=${t(`account.${this.name}`)}></h2>
      <p class="soft" .textContent=${t(`account.${this.name}_text`)}></p>
      ${this.fields.map((field) => this.#field(field))}
      <p class="problem" role="alert" .textContent=${this.problem}></p>
      <div class="actions"><button class="button" aria-disabled=${this.busy ? "true" : nothing} .textContent=${t(`account.${this.name}_do`)}></button></div>
      <p class="note" role="status" .textContent=${this.done}></p>
    </form>`;
  }

  /** @param {Field} field */
  #field({ name, type = "text", autocomplete, optional, value = "" }) {
    const id = `${this.name}-${name}`;
    const error = this.errors[name];
    return html`<div class="field">
      <label for=${id}><span .textContent=${t(`account.field_${name}`)}></span>${optional ? html` <span class="soft">${t("account.optional")}</span>` : nothing}</label>
      <input id=${id} name=${name} type=${type} autocomplete=${autocomplete} .defaultValue=${value}
        aria-required=${optional ? nothing : "true"} aria-invalid=${error ? "true" : nothing} aria-describedby=${error ? `${id}-error` : nothing}>
      ${error ? html`<p class="problem" id="${id}-error" .textContent=${error}></p>` : nothing}
    </div>`;
  }

  #onSubmit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    if (this.busy) return;
    const form = /** @type {HTMLFormElement} */ (event.currentTarget);
    const values = valuesOf(form);
    this.errors = {};
    for (const { name, optional } of this.fields) {
      if (!optional && !values[name]) this.errors[name] = t("account.needed");
    }
    this.problem = this.done = "";
    this.busy = !Object.keys(this.errors).length;
    this.#draw();
    if (this.busy) {
      await this.#send(form, values);
      this.busy = false;
      this.#draw();
    }
    const wrong = form.querySelector("[aria-invalid]");
    if (wrong instanceof HTMLElement) wrong.focus();
  };

  /**
   * @param {HTMLFormElement} form
   * @param {Record<string, string>} values
   */
  async #send(form, values) {
    try {
      this.done = (await this.submit(values)) ?? "";
      form.reset();
    } catch (error) {
      if (!isFailure(error)) throw error;
      if (error instanceof Unreachable) this.problem = t("account.refused.unavailable");
      else this.#refuse(error);
    }
  }

  /** @param {Refused} refusal */
  #refuse({ code, message, problem, retryAfter }) {
    const has = (/** @type {string} */ wanted) => this.fields.some(({ name }) => name === wanted);
    const whole = { field: FIELDS_OF[code]?.find(has) ?? "", code, detail: message };
    for (const error of problem.errors ?? [whole]) {
      const text = explain(error, retryAfter);
      if (has(error.field)) this.errors[error.field] = text;
      else this.problem = text;
    }
  }
}

/**
 * Returns the fields that are filled in.
 * @param {HTMLFormElement} form
 * @returns {Record<string, string>}
 */
function valuesOf(form) {
  const filled = [...new FormData(form)].filter(([, value]) => value);
  return Object.fromEntries(filled.map(([name, value]) => [name, String(value)]));
}

/**
 * Returns why a field or the whole form was refused, in the server's words where there are no others.
 * @param {FieldError} error
 * @param {number} retryAfter s
 */
function explain({ field, code, detail }, retryAfter) {
  const name = [`account.refused.${field}_${code}`, `account.refused.${code}`].find(isText);
  return name ? t(name, { time: spokenDuration(1000 * retryAfter) }) : detail;
}
