import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { Part } from "../../parts/part.js";
import { query } from "../../router.js";
import type { StructureQuery } from "./people.graphql.js";
import { peopleTexts } from "./texts.js";
import { above, sums } from "./tree.js";

type Business = StructureQuery["businessStructure"][number];

/** From how many businesses on a branch is shown only when it is opened. */
const many = 25;

/** The businesses as a tree of links that filter. What is below one is opened by its button. */
@customElement("wf-businesses")
export class Businesses extends Part {
  @property({ attribute: false }) tree: readonly Business[] = [];
  /** Which were opened and closed, by id. */
  @state() private chosen: ReadonlyMap<string, boolean> = new Map();
  readonly #place = (): void => this.requestUpdate();

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("wf-place", this.#place);
  }

  override disconnectedCallback(): void {
    removeEventListener("wf-place", this.#place);
    super.disconnectedCallback();
  }

  protected override render(): TemplateResult | typeof nothing {
    if (this.tree.length === 0) return nothing;
    const t = peopleTexts();
    const wide = matchMedia("(min-width: 40.01rem)").matches;
    return html`<details class="tree" ?open=${wide}><summary>${t.businesses}</summary>
      <div role="group" aria-label=${t.businesses}><ul>
        <li>${this.link("", t.allBusinesses)}</li>${this.below(null)}</ul></div></details>`;
  }

  private below(parent: string | null): TemplateResult[] {
    const selected = query().get("business") ?? "";
    const up = new Set([selected, ...above(this.tree, selected)]);
    const count = sums(this.tree);
    const children = new Map<string | null, Business[]>();
    for (const b of this.tree) {
      const key = b.parentId ?? null;
      children.set(key, [...(children.get(key) ?? []), b]);
    }
    const draw = (b: Business): TemplateResult => {
      const own = children.get(b.id) ?? [];
      const open = this.chosen.get(b.id) ?? (this.tree.length < many || b.depth === 0 || up.has(b.id));
      const list = `businesses-${b.id}`;
      return html`<li>
        <div>${
          own.length === 0
            ? html`<span class="twig"></span>`
            : html`<button type="button" class="twig link" aria-expanded=${open} aria-controls=${list} aria-label=${peopleTexts().open(b.name)}
                @click=${() => this.#open(b.id, !open)}>${open ? "▾" : "▸"}</button>`
        }${this.link(b.id, b.name, count.get(b.id))}</div>
        ${own.length === 0 ? nothing : html`<ul id=${list} ?hidden=${!open}>${open ? own.map(draw) : nothing}</ul>`}</li>`;
    };
    return (children.get(parent) ?? []).map(draw);
  }

  #open(id: string, open: boolean): void {
    this.chosen = new Map(this.chosen).set(id, open);
  }

  private link(id: string, name: string, count?: number): TemplateResult {
    const to = query();
    const here = (to.get("business") ?? "") === id;
    if (id === "") to.delete("business");
    else to.set("business", id);
    return html`<a href="/app/people${to.size > 0 ? `?${to}` : ""}" aria-current=${here ? "true" : nothing}>${name}
      ${count === undefined ? nothing : html`<span class="number">${count}</span>`}</a>`;
  }
}
