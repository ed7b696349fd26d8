import { html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { ask } from "../api/client.js";
import { query, setQuery } from "../router.js";
import { Part, Reading } from "./part.js";
import { PersonToName } from "./people.graphql.js";
import { people } from "./people.js";
import "./pick.js";
import type { Pick } from "./pick.js";

/** A choice of what a member of the address's query is; "" for what does not filter. */
export function choiceFilter(
  label: string,
  name: string,
  options: readonly (readonly [string, string])[],
): TemplateResult {
  const value = query().get(name) ?? "";
  return html`<label>${label}
    <select @change=${(e: Event) => setQuery({ [name]: (e.target as HTMLSelectElement).value, shown: "" })}>
      ${options.map(([v, text]) => html`<option value=${v} .selected=${v === value}>${text}</option>`)}
    </select></label>`;
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
