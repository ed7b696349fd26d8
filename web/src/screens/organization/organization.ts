import { html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { Part } from "../../parts/part.js";
import { may, query } from "../../router.js";
import type { StartQuery } from "../../shell.graphql.js";
import { texts } from "../../texts/texts.js";
import "./groups.js";
import "./holidays.js";
import "./sites.js";
import { organizationTexts } from "./texts.js";

const sections = ["businesses", "designations", "sites", "holidays"] as const;
type Section = (typeof sections)[number];

/** How the company is made up: its businesses, designations, sites and holidays, one of them at a time. */
@customElement("wf-organization")
export class Organization extends Part {
  @property({ attribute: false }) start!: StartQuery;

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("wf-place", this.#place);
  }

  override disconnectedCallback(): void {
    removeEventListener("wf-place", this.#place);
    super.disconnectedCallback();
  }

  readonly #place = (): void => this.requestUpdate();

  protected override render(): TemplateResult {
    const t = organizationTexts();
    const now = sections.find((s) => s === query().get("show")) ?? "businesses";
    return html`<div class="title"><h1 tabindex="-1">${texts().screens.organization}</h1></div>
      <ul class="tabs no-print" aria-label=${t.parts}>${sections.map(
        (s) =>
          html`<li><a href="/app/organization?show=${s}" aria-current=${s === now ? "page" : "false"}>${t.sections[s]}</a></li>`,
      )}</ul>
      ${this.section(now)}`;
  }

  private section(section: Section): TemplateResult {
    const writes = may(this.start, "organization.write");
    const { timezone } = this.start.company;
    switch (section) {
      case "sites":
        return html`<wf-site-list .zone=${timezone} ?writes=${writes}></wf-site-list>`;
      case "holidays":
        return html`<wf-holidays .zone=${timezone} ?writes=${writes}></wf-holidays>`;
      case "designations":
        return html`<wf-groups kind="designations" ?writes=${writes}></wf-groups>`;
      default:
        // Another tag around it, so that the tree of the one is not taken for that of the other.
        return html`<div><wf-groups kind="businesses" ?writes=${writes}></wf-groups></div>`;
    }
  }
}

export function show(start: StartQuery): TemplateResult {
  return html`<wf-organization .start=${start}></wf-organization>`;
}
