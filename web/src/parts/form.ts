import { html, nothing, type ReactiveControllerHost, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { Fault, isOfMembers } from "../api/fault.js";
import { texts } from "../texts/texts.js";
import { Act } from "./act.js";
import { closing } from "./dialog.js";
import { draft, keepDraft } from "./draft.js";
import type { Part } from "./part.js";
import { words } from "./states.js";
import { withDates } from "./time.js";

/** What the fields of a form have: the text of each, "on" or "" of a box, ids with blanks between of a list. */
export type Values = Readonly<Record<string, string>>;

interface Look {
  /** What is said under the label. */
  readonly hint?: string;
  readonly required?: boolean;
  /** A value of the server in words, where two sides are shown; as it is without it. */
  readonly shows?: (value: unknown) => string;
}

interface TextLook extends Look {
  readonly type?:
    | "text"
    | "email"
    | "tel"
    | "date"
    | "time"
    | "datetime-local"
    | "month"
    | "number"
    | "password"
    | "url";
  readonly most?: number;
  readonly autocomplete?: AutoFill;
  readonly inputmode?: string;
}

/**
 * A form, whose fields are named as the members of what is sent. What was entered survives a reload and
 * the end of the session, until it was sent. A fault of a member stands at its field. Where the value
 * `version` is sent and somebody else wrote meanwhile, both sides are shown; `wf-taken` at the element
 * tells that theirs was chosen, and is to be read anew.
 */
export class Form {
  readonly #host: Part & ReactiveControllerHost;
  readonly #act: Act;
  readonly #name: string;
  readonly #send: (values: Values, key: string) => Promise<string>;
  readonly #checks: boolean;
  #initial: Values = {};
  #changed: Record<string, string>;
  /** The labels of the fields that are shown, by their names. */
  #labels = new Map<string, string>();
  /** What says the values of a field in words, by its name. */
  readonly #says = new Map<string, (value: unknown) => string | undefined>();
  /** Fields with passwords, which are kept nowhere. */
  readonly #secret = new Set<string>();
  /** The fields that are shown and must have something. */
  #required = new Set<string>();
  /** The fields that were changed since it was sent, whose faults are old. */
  readonly #mended = new Set<string>();

  /**
   * A form of an element. send sends what the fields have, under an Idempotency-Key, and says in words
   * what was done. Where the form checks, that is not called while something is missing that is required.
   */
  constructor(host: Part, name: string, send: (values: Values, key: string) => Promise<string>, checks = false) {
    this.#host = host;
    this.#name = name;
    this.#send = send;
    this.#checks = checks;
    this.#act = new Act(host);
    this.#changed = JSON.parse(draft(`form ${name}`) || "{}");
  }

  get busy(): boolean {
    return this.#act.busy;
  }

  /** What went wrong as far as nobody has changed what it is about. */
  get error(): unknown {
    const { error } = this.#act;
    if (this.#mended.size === 0 || !(error instanceof Fault) || error.code === "VERSION_CONFLICT") return error;
    return error.fields.some((f) => !this.#mended.has(f.field)) ? error : undefined;
  }

  /** Whether something was entered that was not sent. */
  get dirty(): boolean {
    return Object.keys(this.#changed).length > 0;
  }

  /** What was entered, by field, and nothing of what is as it was. */
  get changed(): Values {
    return this.#changed;
  }

  /** What the fields have where nobody entered anything. */
  begin(initial: Values): void {
    this.#initial = initial;
  }

  get values(): Values {
    return { ...this.#initial, ...this.#changed };
  }

  value(name: string): string {
    return this.values[name] ?? "";
  }

  set(name: string, value: string): void {
    if (value === (this.#initial[name] ?? "")) delete this.#changed[name];
    else this.#changed[name] = value;
    const kept = Object.entries(this.#changed).filter(([field]) => !this.#secret.has(field));
    keepDraft(`form ${this.#name}`, kept.length > 0 ? JSON.stringify(Object.fromEntries(kept)) : "");
    this.#mended.add(name);
    this.#host.requestUpdate();
  }

  /** Forgets what was entered. */
  reset(): void {
    this.#changed = {};
    keepDraft(`form ${this.#name}`, "");
    this.#act.clear();
  }

  /** Sends what the fields have. */
  readonly submit = async (event?: Event): Promise<void> => {
    event?.preventDefault();
    const values = this.values;
    const send = async (key: string): Promise<string> => {
      if (this.#checks) this.#check(values);
      return await this.#send(values, key);
    };
    this.#mended.clear();
    const sent = await this.#act.run(send, JSON.stringify(values));
    if (sent) {
      this.#changed = {};
      keepDraft(`form ${this.#name}`, "");
      this.#host.requestUpdate();
      return;
    }
    await this.#host.updateComplete;
    this.#host.querySelector<HTMLElement>("form [aria-invalid=true]")?.focus();
  };

  /** Finds fault with fields that have nothing and must. */
  #check(values: Values): void {
    const missing = [...this.#required].filter((name) => (values[name] ?? "").trim() === "");
    if (missing.length === 0) return;
    const t = texts().form;
    const errors = missing.map((field) => ({ field, code: "VALIDATION_FAILED", detail: t.required }));
    throw new Fault(t.check, { code: "VALIDATION_FAILED", errors });
  }

  /**
   * The form with its fields and the button that sends it; in a dialog also the one that leaves it. The
   * button is plain where another one is what the screen is for.
   */
  render(
    fields: () => TemplateResult,
    verb: string,
    leave?: string,
    look: "primary" | "plain" = "primary",
  ): TemplateResult {
    this.#labels = new Map();
    this.#required = new Set();
    const shown = fields();
    const marked = this.#required.size > 0 && this.#labels.size > 1;
    return html`<form class="form" @submit=${this.submit} novalidate>
      ${marked ? html`<p class="hint">${texts().form.marked}</p>` : nothing}
      ${shown}
      ${this.#told()}
      <div class="actions"><button type="submit" class=${look === "primary" ? look : nothing} ?disabled=${this.busy}>${verb}</button>
        ${leave === undefined ? nothing : closing(leave)}</div>
    </form>`;
  }

  /** What became of it: what was done, or the fault and its members that have no field here. */
  #told(): TemplateResult {
    const { error } = this;
    const faults = error instanceof Fault ? error.fields : [];
    const others = faults.filter((f) => !this.#labels.has(f.field));
    const marked = others.length < faults.length ? texts().form.check : "";
    const told = others.filter((f) => f.detail !== (error as Fault).message);
    return html`<p role="status" class="outcome">${this.#act.done}</p>
      ${
        error === undefined
          ? nothing
          : html`<div class="fault" role="alert"><p>${isOfMembers(error) ? marked : words(error)}</p>
            ${told.map((f) => html`<p>${f.field}: ${withDates(f.detail)}</p>`)}
            ${error instanceof Fault && error.code === "VERSION_CONFLICT" ? this.#sides(error) : nothing}</div>`
      }`;
  }

  /** What somebody else wrote meanwhile beside what was entered, and the choice between them. */
  #sides(error: Fault): TemplateResult {
    const t = texts().form;
    const yours = (error.meta.yours ?? {}) as Record<string, unknown>;
    const theirs = (error.meta.theirs ?? {}) as Record<string, unknown>;
    const mine = (): void => {
      this.#changed.version = String(error.meta.currentVersion);
      void this.submit();
    };
    const take = (): void => {
      this.reset();
      this.#host.dispatchEvent(new Event("wf-taken"));
    };
    return html`<table role="table" aria-label=${t.sides}><thead role="rowgroup"><tr role="row">
        ${[t.field, t.yours, t.theirs].map((name) => html`<th role="columnheader" scope="col">${name}</th>`)}</tr></thead>
      <tbody role="rowgroup">${Object.keys(yours).map(
        (name) => html`<tr role="row"><th role="rowheader" scope="row">${this.#labels.get(name) ?? name}</th>
          <td role="cell"><span class="label" aria-hidden="true">${t.yours}</span>${this.#shown(name, yours[name])}</td>
          <td role="cell"><span class="label" aria-hidden="true">${t.theirs}</span>${this.#shown(name, theirs[name])}</td></tr>`,
      )}</tbody></table>
      <div class="actions"><button type="button" @click=${mine}>${t.saveMine}</button>
        <button type="button" @click=${take}>${t.takeTheirs}</button></div>`;
  }

  #shown(name: string, value: unknown): string {
    const said = this.#says.get(name)?.(value);
    if (said !== undefined) return said;
    if (value === null || value === undefined || value === "") return texts().form.none;
    return String(value);
  }

  /** Says what the values of a field are in words, where both sides are shown. */
  says(name: string, words: (value: unknown) => string | undefined): void {
    this.#says.set(name, words);
  }

  text(name: string, label: string, look: TextLook = {}): TemplateResult {
    if (look.type === "password") this.#secret.add(name);
    return this.#field(
      name,
      label,
      look,
      (described, wrong) => html`<input id=${this.id(name)} name=${name}
      type=${look.type ?? "text"} maxlength=${look.most ?? nothing} autocomplete=${look.autocomplete ?? "off"}
      inputmode=${look.inputmode ?? nothing} step=${look.type === "number" ? "any" : nothing}
      aria-required=${look.required ? "true" : nothing}
      aria-invalid=${wrong ? "true" : nothing} aria-describedby=${described}
      .value=${live(this.value(name))} @input=${this.#entered}>`,
    );
  }

  area(name: string, label: string, look: TextLook = {}): TemplateResult {
    return this.#field(
      name,
      label,
      look,
      (described, wrong) => html`<textarea id=${this.id(name)} name=${name} rows="4"
      maxlength=${look.most ?? nothing} aria-required=${look.required ? "true" : nothing}
      aria-invalid=${wrong ? "true" : nothing} aria-describedby=${described}
      .value=${live(this.value(name))} @input=${this.#entered}></textarea>`,
    );
  }

  choice(
    name: string,
    label: string,
    options: readonly (readonly [string, string])[],
    look: Look = {},
  ): TemplateResult {
    this.says(name, (value) => options.find(([v]) => v === String(value ?? ""))?.[1]);
    return this.#field(
      name,
      label,
      look,
      (described, wrong) => html`<select id=${this.id(name)} name=${name}
      aria-required=${look.required ? "true" : nothing}
      aria-invalid=${wrong ? "true" : nothing} aria-describedby=${described} @change=${this.#entered}>
      ${options.map(([v, text]) => html`<option value=${v} .selected=${v === this.value(name)}>${text}</option>`)}</select>`,
    );
  }

  check(name: string, label: string, look: Look = {}): TemplateResult {
    const wrong = this.wrong(name, label);
    return html`<div class="field">
      <label class="check"><input type="checkbox" name=${name} aria-invalid=${wrong ? "true" : nothing}
        aria-describedby=${`${this.id(name)}-hint ${this.id(name)}-fault`} .checked=${live(this.value(name) === "on")}
        @change=${(e: Event) => this.set(name, (e.target as HTMLInputElement).checked ? "on" : "")}> ${label}</label>
      ${this.#notes(name, look.hint ?? "", wrong)}</div>`;
  }

  /** A label with something below it that enters a value by itself, such as a choice of people. */
  around(name: string, label: string, content: TemplateResult, look: Look = {}): TemplateResult {
    const wrong = this.wrong(name, label);
    if (look.shows) this.says(name, look.shows);
    return html`<div class="field">${content}${this.#notes(name, look.hint ?? "", wrong)}</div>`;
  }

  /** What is wrong with a field that is shown, in words; "" for nothing. */
  wrong(name: string, label: string): string {
    this.#labels.set(name, label);
    const { error } = this;
    return error instanceof Fault && !this.#mended.has(name) ? withDates(error.of(name)) : "";
  }

  /** The id of a field in the page. */
  id(name: string): string {
    return `${this.#name}-${name}`.replaceAll(" ", "-");
  }

  #field(
    name: string,
    label: string,
    look: Look,
    input: (described: string, wrong: boolean) => TemplateResult,
  ): TemplateResult {
    const id = this.id(name);
    const wrong = this.wrong(name, label);
    if (look.shows) this.says(name, look.shows);
    if (look.required) this.#required.add(name);
    return html`<div class="field"><label for=${id} class=${look.required ? "required" : nothing}>${label}</label>
      ${input(`${id}-hint ${id}-fault`, wrong !== "")}
      ${this.#notes(name, look.hint ?? "", wrong)}</div>`;
  }

  #notes(name: string, hint: string, wrong: string): TemplateResult {
    const id = this.id(name);
    return html`<p id="${id}-hint" class="hint" ?hidden=${hint === ""}>${hint}</p>
      <p id="${id}-fault" class="fault" ?hidden=${wrong === ""}>${wrong}</p>`;
  }

  readonly #entered = (event: Event): void => {
    const field = event.target as HTMLInputElement;
    this.set(field.name, field.value);
  };
}

/** A text that was entered, trimmed; null where there is none. */
export function textOf(value: string | undefined): string | null {
  return value?.trim() || null;
}

/** A number that was entered; null where there is none, and NaN where it is none. */
export function numberOf(value: string | undefined): number | null {
  const text = value?.trim().replace(",", ".") ?? "";
  return text === "" ? null : Number(text);
}
