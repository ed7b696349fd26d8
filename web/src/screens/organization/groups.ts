import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";
import { Part, Reading } from "../../parts/part.js";
import { shown } from "../../parts/states.js";
import { query, setQuery } from "../../router.js";
import "./group.js";
import { type KindName, kinds } from "./kinds.js";
import { organizationTexts } from "./texts.js";
import "./tree.js";
import type { Tree } from "./tree.js";
import type { Group } from "./tree-rows.js";

/** The tree of the businesses or of the designations. */
@customElement("wf-groups")
export class Groups extends Part {
  @property() kind: KindName = "businesses";
  /** Whether who looks may change them. */
  @property({ type: Boolean }) writes = false;
  @state() private done = "";
  private readonly read = new Reading(this, (signal) => kinds[this.kind].list(signal));

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
    const k = t.kinds[this.kind];
    return html`<div class="filters no-print">
        <label>${t.search} <input type="search" .value=${query().get("search") ?? ""}
          @input=${(e: Event) => setQuery({ search: (e.target as HTMLInputElement).value })}></label>
        ${this.writes ? html`<button type="button" class="primary" @click=${() => this.open("new")}>${k.new}</button>` : nothing}
      </div>
      <p role="status" class="outcome">${this.done}</p>
      ${shown(this.read, (groups) =>
        groups.length === 0
          ? html`<div class="state"><p>${k.empty}</p><p>${k.emptyNext}</p></div>`
          : html`<wf-tree .label=${k.heading} .groups=${groups} @wf-opened=${(e: CustomEvent<string>) => this.open(e.detail)}></wf-tree>`,
      )}
      ${this.read.value ? this.opened(this.read.value) : nothing}`;
  }

  private open(id: string): void {
    this.done = "";
    setQuery({ [kinds[this.kind].param]: id, do: "" });
  }

  private opened(groups: readonly Group[]): TemplateResult | typeof nothing {
    const q = query();
    const id = q.get(kinds[this.kind].param) ?? "";
    const group = groups.find((g) => g.id === id);
    if (!group && !(id === "new" && this.writes)) return nothing;
    const doing = q.get("do") ?? "";
    return html`${keyed(
      `${id} ${doing}`,
      html`<wf-group .kind=${this.kind} .group=${group} .groups=${groups} .doing=${id === "new" ? "create" : doing}
        ?writes=${this.writes} @wf-done=${this.#done} @wf-closed=${() => void this.closed(id)}></wf-group>`,
    )}`;
  }

  readonly #done = (event: Event): void => {
    this.done = (event as CustomEvent<string>).detail;
    void this.read.again().then(() => this.closed(""));
  };

  private async closed(id: string): Promise<void> {
    setQuery({ [kinds[this.kind].param]: "", do: "", below: "" });
    await this.updateComplete;
    if (document.activeElement !== document.body && document.activeElement?.isConnected) return;
    this.querySelector<Tree>("wf-tree")?.focusOn(id);
  }
}
