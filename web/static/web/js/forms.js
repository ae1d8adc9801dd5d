/** Forms: fields with their labels, and refusals said where they belong. */

import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { Refused, Unreachable } from "./api.js";
import { isText, spokenDuration, t } from "./texts.js";

/** Which fields a refusal may be about, where its code alone says it. */
const FIELDS_OF = { name_taken: ["name"], invalid_credentials: ["key", "old", "password"] };

/**
 * @typedef {{name: string, type?: string, autocomplete: string, optional?: boolean, value?: string}} Field
 */
export class Form {
  #draw;
  errors = {};
  problem = "";
  done = "";
  busy = false;

  /**
   * @param {string} name of its texts, below `account`
   * @param {Field[]} fields
   * @param {(values: Record<string, string>) => Promise<unknown>} submit what the answer says is shown
   * @param {() => void} draw
   */
  constructor(name, fields, submit, draw) {
    this.name = name;
    this.fields = fields;
    this.submit = submit;
    this.#draw = draw;
  }

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

  #onSubmit = async (event) => {
    event.preventDefault();
    if (this.busy) return;
    const form = event.currentTarget;
    const values = Object.fromEntries([...new FormData(form)].filter(([, value]) => value));
    this.errors = {};
    for (const { name, optional } of this.fields) {
      if (!optional && !values[name]) this.errors[name] = t("account.needed");
    }
    [this.problem, this.done, this.busy] = ["", "", !Object.keys(this.errors).length];
    this.#draw();
    if (this.busy) {
      try {
        this.done = (await this.submit(values)) ?? "";
        form.reset();
      } catch (refusal) {
        if (!(refusal instanceof Refused || refusal instanceof Unreachable)) throw refusal;
        this.#refuse(refusal);
      }
      this.busy = false;
      this.#draw();
    }
    form.querySelector("[aria-invalid]")?.focus();
  };

  #refuse(refusal) {
    const has = (wanted) => this.fields.some(({ name }) => name === wanted);
    if (refusal instanceof Unreachable) {
      this.problem = t("account.refused.unavailable");
      return;
    }
    const { code, message, problem } = refusal;
    const whole = { field: FIELDS_OF[code]?.find(has), code, detail: message };
    for (const error of problem.errors ?? [whole]) {
      const text = words(error, refusal);
      if (has(error.field)) this.errors[error.field] = text;
      else this.problem = text;
    }
  }
}

/** Why a field was refused, or the whole; the server says it where no text is of its code. */
function words({ field, code, detail }, { retryAfter }) {
  const name = [`account.refused.${field}_${code}`, `account.refused.${code}`].find(isText);
  return name ? t(name, { time: spokenDuration(1000 * retryAfter) }) : detail;
}
