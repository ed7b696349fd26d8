import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";
import { ask } from "../../api/client.js";
import { serverNow } from "../../api/clock.js";
import type { NodeOf } from "../../parts/nodes.js";
import { everyPage } from "../../parts/pages.js";
import { Part, Reading } from "../../parts/part.js";
import { shown } from "../../parts/states.js";
import { type Column, table } from "../../parts/table.js";
import { dateIn, day } from "../../parts/time.js";
import { query, setQuery } from "../../router.js";
import "./holiday.js";
import { OrganizationHolidays, type OrganizationHolidaysQuery, OrganizationSiteNames } from "./holidays.graphql.js";
import "./import.js";
import { organizationTexts } from "./texts.js";

export type HolidayRow = NodeOf<OrganizationHolidaysQuery["holidays"]>;
export type Place = { readonly id: string; readonly name: string };

/** The holidays of a year. */
@customElement("wf-holidays")
export class Holidays extends Part {
  @property() zone = "UTC";
  @property({ type: Boolean }) writes = false;
  @state() private done = "";
  #year = "";
  private readonly read = new Reading(this, async (signal) => {
    this.#year = this.year();
    const [from, to] = [`${this.#year}-01-01`, `${this.#year}-12-31`];
    return await everyPage(
      async (after) => (await ask(OrganizationHolidays, { after, from, to }, { signal })).holidays,
    );
  });
  private readonly sites = new Reading(this, (signal) => ask(OrganizationSiteNames, {}, { signal }));

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("wf-place", this.#place);
  }

  override disconnectedCallback(): void {
    removeEventListener("wf-place", this.#place);
    super.disconnectedCallback();
  }

  readonly #place = (): void => {
    this.requestUpdate();
    if (this.year() !== this.#year) void this.read.again();
  };

  /** The year that the address asks for, else this one. */
  private year(): string {
    const year = query().get("year") ?? "";
    return /^[12][0-9]{3}$/.test(year) ? year : dateIn(this.zone, new Date(serverNow())).slice(0, 4);
  }

  private places(): readonly Place[] {
    return this.sites.value?.companyAddresses ?? [];
  }

  protected override render(): TemplateResult {
    const t = organizationTexts();
    const year = this.year();
    const step = (by: number): void => setQuery({ year: String(Number(year) + by) });
    return html`<div class="filters no-print">
        <button type="button" @click=${() => step(-1)}>${t.year(Number(year) - 1)}</button>
        <strong class="year" aria-live="polite">${year}</strong>
        <button type="button" @click=${() => step(1)}>${t.year(Number(year) + 1)}</button>
        ${this.filter()}
        ${
          this.writes
            ? html`<button type="button" class="primary" @click=${() => this.open("new")}>${t.newHoliday}</button>
              <button type="button" @click=${() => this.open("import")}>${t.import.button}</button>`
            : nothing
        }
      </div>
      <p role="status" class="outcome">${this.done}</p>
      ${shown(this.read, (all) => this.list(all))}
      ${this.opened()}`;
  }

  private filter(): TemplateResult | typeof nothing {
    const t = organizationTexts();
    const site = query().get("at") ?? "";
    if (this.places().length === 0) return nothing;
    return html`<label>${t.where} <select @change=${(e: Event) => setQuery({ at: (e.target as HTMLSelectElement).value })}>
      <option value="" .selected=${site === ""}>${t.everywhere}</option>
      ${this.places().map((p) => html`<option value=${p.id} .selected=${p.id === site}>${p.name}</option>`)}</select></label>`;
  }

  private list(all: readonly HolidayRow[]): TemplateResult {
    const t = organizationTexts();
    const site = query().get("at") ?? "";
    const rows = all.filter((h) => site === "" || !h.address || h.address.id === site);
    if (rows.length === 0)
      return html`<div class="state"><p>${t.noHolidays(this.year())}</p>${this.writes ? html`<p>${t.noHolidaysNext}</p>` : nothing}</div>`;
    return table(t.sections.holidays, this.columns(), rows);
  }

  private columns(): Column<HolidayRow>[] {
    const t = organizationTexts();
    return [
      {
        name: "name",
        label: t.name,
        text: (h) => h.name,
        cell: (h) => (this.writes ? html`<a href="/app/organization?${linkTo(h.id)}">${h.name}</a>` : h.name),
      },
      { name: "date", label: t.date, text: (h) => day(h.date), order: (h) => h.date },
      { name: "half", label: t.length, text: (h) => (h.half ? t.half : t.whole) },
      { name: "where", label: t.where, text: (h) => h.address?.name ?? t.everywhere },
    ];
  }

  private open(id: string): void {
    this.done = "";
    setQuery({ holiday: id });
  }

  private opened(): TemplateResult | typeof nothing {
    const id = query().get("holiday") ?? "";
    if (!this.writes || id === "") return nothing;
    const closed = (): void => setQuery({ holiday: "" });
    if (id === "import")
      return html`<wf-holiday-import .places=${this.places()} @wf-done=${this.#imported} @wf-closed=${closed}></wf-holiday-import>`;
    const row = this.read.value?.find((h) => h.id === id);
    if (!row && id !== "new") return nothing;
    return html`${keyed(
      id,
      html`<wf-holiday .row=${row} .places=${this.places()} @wf-done=${this.#done} @wf-closed=${closed}></wf-holiday>`,
    )}`;
  }

  readonly #done = async (event: Event): Promise<void> => {
    this.done = (event as CustomEvent<string>).detail;
    setQuery({ holiday: "" });
    await this.read.again();
    await this.updateComplete;
    if (document.activeElement === document.body) this.querySelector<HTMLElement>("button.primary")?.focus();
  };

  /** The dialog of the import stays open, with what became of it. */
  readonly #imported = (): void => void this.read.again();
}

function linkTo(id: string): URLSearchParams {
  const to = query();
  to.set("holiday", id);
  return to;
}
