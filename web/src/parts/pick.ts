import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { texts } from "../texts/texts.js";
import { Part, Reading } from "./part.js";
import { words } from "./states.js";

/** How long somebody has to pause before the server is asked, in milliseconds. */
const pause = 150;

/** What can be chosen. */
export interface Option {
  readonly id: string;
  readonly name: string;
  /** What tells it from others of its name. */
  readonly hint?: string;
}

/**
 * A field in which one or several of many are found by a part of their name, and chosen. `wf-picked` tells
 * that `chosen` changed.
 */
@customElement("wf-pick")
export class Pick extends Part {
  /** The id of the field in the page. */
  @property() field = "pick";
  @property() label = "";
  /** Whether several are chosen. */
  @property({ type: Boolean }) several = false;
  @property({ attribute: false }) chosen: readonly Option[] = [];
  /** Whether what is chosen is refused. */
  @property({ type: Boolean }) wrong = false;
  /** What has a text in its name; all that is usual for "". */
  @property({ attribute: false }) find: (text: string, signal: AbortSignal) => Promise<readonly Option[]> =
    async () => [];
  @state() private text: string | undefined;
  @state() private open = false;
  /** The place of what Enter chooses. */
  @state() private at = 0;
  #timer = 0;
  private readonly found = new Reading(this, async (signal) =>
    this.open ? this.find(this.text?.trim() ?? "", signal) : [],
  );

  override disconnectedCallback(): void {
    clearTimeout(this.#timer);
    super.disconnectedCallback();
  }

  private list(): readonly Option[] {
    const chosen = new Set(this.chosen.map((o) => o.id));
    return (this.found.value ?? []).filter((o) => !this.several || !chosen.has(o.id));
  }

  protected override render(): TemplateResult {
    const t = texts().pick;
    const list = this.list();
    const at = Math.min(this.at, list.length - 1);
    const one = this.several ? undefined : this.chosen[0];
    const listed = `${this.field}-options`;
    return html`<label for=${this.field}>${this.label}</label>
      ${this.several && this.chosen.length > 0 ? this.chips() : nothing}
      <div class="pick">
        <input id=${this.field} role="combobox" autocomplete="off" aria-autocomplete="list"
          aria-expanded=${this.open} aria-controls=${listed}
          aria-activedescendant=${this.open && at >= 0 ? `${listed}-${at}` : nothing}
          aria-invalid=${this.wrong ? "true" : nothing} aria-describedby="${this.field}-hint ${this.field}-fault"
          placeholder=${t.placeholder} .value=${live(this.text ?? one?.name ?? "")}
          @input=${this.#typed} @click=${this.#show} @keydown=${this.#key} @blur=${this.#hide}>
        <ul id=${listed} role="listbox" class="found" aria-label=${t.options} ?hidden=${!this.open}>${list.map(
          (o, i) => html`<li id="${listed}-${i}" role="option" aria-selected=${i === at}
            @pointerdown=${(e: Event) => e.preventDefault()} @click=${() => this.#choose(o)}>
            ${o.name} ${o.hint ? html`<span class="hint">${o.hint}</span>` : nothing}</li>`,
        )}</ul>
        ${this.open && !this.found.busy && list.length === 0 && this.found.error === undefined ? html`<p class="hint" role="status">${t.none}</p>` : nothing}
        ${this.found.error === undefined ? nothing : html`<p class="fault" role="alert">${words(this.found.error)}</p>`}
      </div>`;
  }

  /** The several that are chosen, each with a button that takes it out. */
  private chips(): TemplateResult {
    const t = texts().pick;
    return html`<ul class="chips" aria-label=${t.chosen(this.label)}>${this.chosen.map(
      (o) => html`<li>${o.name} <button type="button" class="link" aria-label=${t.remove(o.name)}
        @click=${() => this.#change(this.chosen.filter((c) => c.id !== o.id))}>×</button></li>`,
    )}</ul>`;
  }

  #change(chosen: readonly Option[]): void {
    this.chosen = chosen;
    this.dispatchEvent(new Event("wf-picked"));
  }

  #choose(option: Option): void {
    this.text = this.several ? "" : undefined;
    this.open = false;
    this.at = 0;
    this.#change(this.several ? [...this.chosen, option] : [option]);
  }

  readonly #show = (): void => {
    if (this.open) return;
    this.open = true;
    this.at = 0;
    void this.found.again();
  };

  /** Leaves the list; a field that was emptied has nothing chosen. */
  readonly #hide = (): void => {
    if (this.text === "" && !this.several && this.chosen.length > 0) this.#change([]);
    this.text = undefined;
    this.open = false;
  };

  readonly #typed = (event: Event): void => {
    this.text = (event.target as HTMLInputElement).value;
    this.at = 0;
    this.open = true;
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.found.again(), pause);
  };

  readonly #key = (event: KeyboardEvent): void => {
    const list = this.list();
    const at = Math.min(this.at, list.length - 1);
    const option = list[at];
    if (event.key === "ArrowDown") {
      if (this.open) this.at = Math.min(at + 1, list.length - 1);
      else this.#show();
    } else if (event.key === "ArrowUp") this.at = Math.max(at - 1, 0);
    else if (event.key === "Enter" && this.open && option && !event.isComposing) this.#choose(option);
    else if (event.key === "Escape" && this.open) this.#hide();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
}
