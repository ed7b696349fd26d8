import { html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { ask } from "../api/client.js";
import { query, setQuery } from "../router.js";
import { Part, Reading } from "./part.js";
import { PersonToName } from "./people.graphql.js";
import { people } from "./people.js";
import type { Option, Pick } from "./pick.js";
import "./pick.js";
import { workTexts } from "./work-texts.js";

/** How long somebody has to pause before what is typed is looked for, in milliseconds. */
const pause = 250;
let timer = 0;

/** A choice that is a member of the address; "" takes it out. */
export function filter(name: string, label: string, options: readonly (readonly [string, string])[]): TemplateResult {
  const value = query().get(name) ?? "";
  return html`<label>${label}
    <select @change=${(e: Event) => setQuery({ [name]: (e.target as HTMLSelectElement).value, shown: "" })}>
      ${options.map(([v, text]) => html`<option value=${v} .selected=${v === value}>${text}</option>`)}
    </select></label>`;
}

/** A box whose member of the address is 1, or is not there. */
export function filterBox(name: string, label: string, on = "1"): TemplateResult {
  const changed = (e: Event): void => setQuery({ [name]: (e.target as HTMLInputElement).checked ? on : "", shown: "" });
  return html`<label class="check"><input type="checkbox" .checked=${live(query().get(name) === on)} @change=${changed}> ${label}</label>`;
}

/** A text that is looked for, a member of the address. */
export function filterText(name: string, label: string): TemplateResult {
  const typed = (e: Event): void => {
    clearTimeout(timer);
    const text = (e.target as HTMLInputElement).value; // a space at its end may begin the next word
    timer = window.setTimeout(() => setQuery({ [name]: text, shown: "" }), pause);
  };
  return html`<label>${label} <input type="search" class="search" autocomplete="off" .value=${query().get(name) ?? ""} @input=${typed}></label>`;
}

/** The statuses of an address, of those there are; all of them without one. */
export function choiceOf<T extends string>(name: string, of: readonly T[]): T | undefined {
  return of.find((v) => v === query().get(name));
}

/** Board or list, the member `view` of the address. */
export function views(): TemplateResult {
  const t = workTexts();
  const view = query().get("view") === "list" ? "list" : "board";
  const of = (name: string, label: string): TemplateResult =>
    html`<button type="button" aria-pressed=${view === name} @click=${() => setQuery({ view: name === "board" ? "" : name })}>${label}</button>`;
  return html`<div class="views" role="group" aria-label=${t.views}>${of("board", t.board)}${of("list", t.list)}</div>`;
}

/** A person by whom is filtered: a member of the address has the id, chosen is who that is. */
export function filterPerson(
  name: string,
  label: string,
  chosen: Option | undefined,
  find: Pick["find"],
): TemplateResult {
  const picked = (e: Event): void => setQuery({ [name]: (e.target as Pick).chosen[0]?.id ?? "", shown: "" });
  return html`<wf-pick .field=${`filter-${name}`} .label=${label} .find=${find} @wf-picked=${picked}
    .chosen=${chosen && query().get(name) === chosen.id ? [chosen] : []}></wf-pick>`;
}

/** A date that a member of the address's query has. */
export function dateFilter(label: string, name: string): TemplateResult {
  return html`<label>${label}
    <input type="date" .value=${live(dateOfQuery(name))} @change=${(e: Event) => setQuery({ [name]: (e.target as HTMLInputElement).value, shown: "" })}></label>`;
}

/** The date that a member of the address's query has, such as 2026-03-10; "" for none. */
export function dateOfQuery(name: string): string {
  const text = query().get(name) ?? "";
  return /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text) ? text : "";
}

/** The id that a member of the address's query has; "" for none. */
export function idOfQuery(name: string): string {
  const text = query().get(name) ?? "";
  return /^[0-9]+$/.test(text) ? text : "";
}

/** The person whose id a member of the address's query has, found by a part of their name. */
@customElement("wf-person-filter")
export class PersonFilter extends Part {
  @property() label = "";
  /** The member of the query. */
  @property() name = "person";
  private readonly chosen = new Reading(this, async (signal) => {
    const id = idOfQuery(this.name);
    return id === "" ? [] : [{ id, name: (await ask(PersonToName, { id }, { signal })).user.name }];
  });

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("wf-place", this.#place);
  }

  override disconnectedCallback(): void {
    removeEventListener("wf-place", this.#place);
    super.disconnectedCallback();
  }

  readonly #place = (): void => {
    if ((this.chosen.value?.[0]?.id ?? "") !== idOfQuery(this.name)) void this.chosen.again();
  };

  protected override render(): TemplateResult {
    const picked = (event: Event): void =>
      setQuery({ [this.name]: (event.currentTarget as Pick).chosen[0]?.id ?? "", shown: "" });
    return html`<wf-pick .field="filter-${this.name}" .label=${this.label} .chosen=${this.chosen.value ?? []}
      .find=${people} @wf-picked=${picked}></wf-pick>`;
  }
}
