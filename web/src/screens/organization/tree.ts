import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { ref } from "lit/directives/ref.js";
import { repeat } from "lit/directives/repeat.js";
import { Part } from "../../parts/part.js";
import { query, setQuery } from "../../router.js";
import { texts } from "../../texts/texts.js";
import { organizationTexts } from "./texts.js";
import { type Group, keyIn, type Line, linesOf } from "./tree-rows.js";

/** How many lines are in the page at first, and how many more each time. */
const few = 300;

/** Groups as a tree; the arrow keys walk it, `wf-opened` has the id of the one that was chosen as its detail. */
@customElement("wf-tree")
export class Tree extends Part {
  @property() label = "";
  @property({ attribute: false }) groups: readonly Group[] = [];
  /** The id of the line that Tab reaches. */
  @state() private at = "";
  @state() private most = few;

  private toggled(): ReadonlySet<string> {
    return new Set(query().get("toggled")?.split(" ") ?? []);
  }

  private toggle(id: string): void {
    const next = new Set(this.toggled());
    if (!next.delete(id)) next.add(id);
    setQuery({ toggled: [...next].join(" ") });
    this.requestUpdate();
  }

  private lines(): Line[] {
    return linesOf(this.groups, this.toggled(), query().get("search")?.trim() ?? "");
  }

  protected override render(): TemplateResult {
    const lines = this.lines();
    if (lines.length === 0) return html`<div class="state"><p>${texts().table.none}</p></div>`;
    const seen = lines.slice(0, this.most);
    const at = seen.some((l) => l.group.id === this.at) ? this.at : seen[0]?.group.id;
    return html`<ul class="units" role="tree" aria-label=${this.label} @keydown=${this.#key}>
        ${repeat(
          seen,
          (l) => l.group.id,
          (l) => this.line(l, l.group.id === at),
        )}</ul>
      ${
        seen.length < lines.length
          ? html`<p class="more">${texts().table.shown(seen.length, lines.length)}
            <button type="button" @click=${() => {
              this.most += few;
            }}>${texts().table.more}</button></p>`
          : nothing
      }`;
  }

  private line(line: Line, reached: boolean): TemplateResult {
    const { group, level, open } = line;
    const indent = (element: Element | undefined): void => {
      if (element instanceof HTMLElement) element.style.setProperty("--level", String(level - 1));
    };
    const t = organizationTexts();
    return html`<li role="treeitem" data-id=${group.id} aria-level=${level} aria-posinset=${line.place} aria-setsize=${line.siblings}
      aria-expanded=${open ?? nothing} aria-selected="false" tabindex=${reached ? 0 : -1}
      aria-label="${group.name}, ${t.people(group.userCount)}" ${ref(indent)}
      @click=${() => this.open(group.id)} @focus=${() => {
        this.at = group.id;
      }}>
      <span class="twist" aria-hidden="true" @click=${(e: Event) => {
        if (open === null) return;
        e.stopPropagation();
        this.toggle(group.id);
      }}>${open === null ? "" : open ? "▾" : "▸"}</span>
      <span>${group.name}</span> <span class="hint">${t.people(group.userCount)}</span></li>`;
  }

  private open(id: string): void {
    this.at = id;
    this.dispatchEvent(new CustomEvent("wf-opened", { detail: id }));
  }

  readonly #key = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const id = (event.target as HTMLElement).dataset.id ?? "";
    const lines = this.lines().slice(0, this.most);
    const at = lines.findIndex((l) => l.group.id === id);
    if (event.key === "Enter" || event.key === " ") this.open(id);
    else {
      const next = keyIn(lines, at, event.key);
      if (next === undefined) return;
      if (next === "toggle") this.toggle(id);
      else this.focusOn(lines[next]?.group.id ?? id);
    }
    event.preventDefault();
    event.stopPropagation();
  };

  /** Goes on at a line, or at the first one. */
  focusOn(id: string): void {
    const line =
      this.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`) ?? this.querySelector<HTMLElement>("[data-id]");
    line?.focus();
  }
}
