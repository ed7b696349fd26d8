import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";
import { ask } from "../../api/client.js";
import { daysOfWeek } from "../../parts/boxes.js";
import type { NodeOf } from "../../parts/nodes.js";
import { everyPage } from "../../parts/pages.js";
import { Part, Reading } from "../../parts/part.js";
import { shown } from "../../parts/states.js";
import { type Column, table } from "../../parts/table.js";
import { query, setQuery } from "../../router.js";
import "./site.js";
import { OrganizationSites, type OrganizationSitesQuery } from "./sites.graphql.js";
import { organizationTexts } from "./texts.js";

export type SiteRow = NodeOf<OrganizationSitesQuery["addresses"]>;

/** The sites of the company. */
@customElement("wf-site-list")
export class Sites extends Part {
  /** The company's zone. */
  @property() zone = "";
  @property({ type: Boolean }) writes = false;
  @state() private done = "";
  #archived = false;
  private readonly read = new Reading(this, async (signal) => {
    const active = !query().has("archived");
    this.#archived = !active;
    return await everyPage(async (after) => (await ask(OrganizationSites, { after, active }, { signal })).addresses);
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
    this.requestUpdate();
    if (query().has("archived") !== this.#archived) void this.read.again();
  };

  protected override render(): TemplateResult {
    const t = organizationTexts();
    const archived = query().has("archived");
    return html`<div class="filters no-print">
        <label class="check"><input type="checkbox" .checked=${archived}
          @change=${(e: Event) => setQuery({ archived: (e.target as HTMLInputElement).checked ? "1" : "" })}> ${t.archived}</label>
        ${this.writes ? html`<button type="button" class="primary" @click=${() => this.open("new")}>${t.newSite}</button>` : nothing}
      </div>
      <p role="status" class="outcome">${this.done}</p>
      ${shown(this.read, (sites) =>
        sites.length > 0
          ? table(t.sections.sites, this.columns(), sites)
          : html`<div class="state"><p>${archived ? t.noArchived : t.noSites}</p>${archived ? nothing : html`<p>${t.noSitesNext}</p>`}</div>`,
      )}
      ${this.read.value ? this.opened(this.read.value) : nothing}`;
  }

  private columns(): Column<SiteRow>[] {
    const t = organizationTexts();
    return [
      {
        name: "name",
        label: t.name,
        text: (s) => s.name,
        cell: (s) => html`<a href="/app/organization?${linkTo(s.id)}">${s.name}</a>`,
      },
      { name: "address", label: t.address, text: (s) => s.address },
      {
        name: "radius",
        label: t.radius,
        text: (s) => (s.radius == null ? t.noLimit : t.metres(s.radius)),
        order: (s) => s.radius ?? Number.MAX_SAFE_INTEGER,
      },
      { name: "zone", label: t.zone, text: (s) => s.timezone ?? this.zone },
      {
        name: "offs",
        label: t.weeklyOffs,
        text: (s) =>
          s.weeklyOffs == null ? t.asCompany : s.weeklyOffs.length === 0 ? t.noDay : daysOfWeek(s.weeklyOffs),
      },
      { name: "business", label: t.business, text: (s) => s.business?.name ?? "" },
    ];
  }

  private open(id: string): void {
    this.done = "";
    setQuery({ site: id });
  }

  private opened(sites: readonly SiteRow[]): TemplateResult | typeof nothing {
    const id = query().get("site") ?? "";
    const site = sites.find((s) => s.id === id);
    if (!site && !(id === "new" && this.writes)) return nothing;
    return html`${keyed(
      id,
      html`<wf-site .site=${site} .zone=${this.zone} ?writes=${this.writes}
        @wf-done=${this.#done} @wf-closed=${() => setQuery({ site: "" })}></wf-site>`,
    )}`;
  }

  readonly #done = async (event: Event): Promise<void> => {
    this.done = (event as CustomEvent<string>).detail;
    setQuery({ site: "" });
    await this.read.again();
    await this.updateComplete;
    if (document.activeElement === document.body) this.querySelector<HTMLElement>("button.primary")?.focus();
  };
}

function linkTo(id: string): URLSearchParams {
  const to = query();
  to.set("site", id);
  return to;
}
