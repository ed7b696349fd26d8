import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { texts } from "../texts/texts.js";
import { Act } from "./act.js";
import { question } from "./dialog.js";
import { Part } from "./part.js";
import { sizeOf } from "./size.js";
import { dateAndTime } from "./time.js";
import { workTexts } from "./work-texts.js";

/** A file of a task or a ticket. Its address is signed. */
export interface Attached {
  readonly id: string;
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  readonly url: string;
  readonly createdAt: string;
  readonly user: { readonly name: string };
  /** A small picture of it. */
  readonly thumbnailUrl?: string;
}

/** How files are kept; each under an Idempotency-Key. */
export interface Keeping {
  readonly add: (file: File, key: string) => Promise<unknown>;
  readonly remove: (id: string, key: string) => Promise<unknown>;
}

/** Files, and a field that adds some. `wf-changed` tells that they changed. */
@customElement("wf-files")
export class Files extends Part {
  @property() heading = "";
  /** What the field that adds files is called. */
  @property() adds = "";
  /** The types that the field offers, as HTML has them. */
  @property() accept = "";
  /** The id of the field in the page. */
  @property() field = "files";
  @property() zone = "UTC";
  @property({ attribute: false }) files: readonly Attached[] = [];
  @property({ attribute: false }) keeping!: Keeping;
  @property({ type: Boolean }) writes = false;
  @state() private removing: Attached | undefined;
  readonly #act = new Act(this);

  protected override render(): TemplateResult {
    const t = workTexts();
    return html`<h3>${this.heading} <span class="number">${this.files.length}</span></h3>
      ${this.files.length === 0 ? nothing : html`<ul class="attached" aria-label=${this.heading}>${this.files.map((f) => this.file(f))}</ul>`}
      ${
        this.writes
          ? html`<label for=${this.field}>${this.adds}</label>
        <input id=${this.field} type="file" multiple accept=${this.accept || nothing} ?disabled=${this.#act.busy} @change=${this.#add}>`
          : nothing
      }
      ${this.#act.told()}
      ${
        this.removing === undefined
          ? nothing
          : question(t.deleteFile(this.removing.name), html`<p>${t.gone}</p>`, texts().form.delete, (yes) =>
              this.#remove(yes),
            )
      }`;
  }

  private file(f: Attached): TemplateResult {
    const remove = (): void => {
      this.removing = f;
    };
    const name =
      f.thumbnailUrl === undefined
        ? html`<a href=${f.url} download=${f.name}>${f.name}</a>`
        : html`<a href=${f.url} target="_blank" rel="noopener"><img src=${f.thumbnailUrl} alt=${f.name}></a>`;
    return html`<li aria-label=${f.name}>${name}
      <span class="hint">${sizeOf(f.size)} · ${f.user.name}, ${dateAndTime(f.createdAt, this.zone)}</span>
      ${this.writes ? html`<button type="button" class="link" aria-label=${workTexts().deleteNamed(f.name)} @click=${remove}>${texts().form.delete}</button>` : nothing}</li>`;
  }

  readonly #add = async (event: Event): Promise<void> => {
    const field = event.target as HTMLInputElement;
    const chosen = [...(field.files ?? [])];
    if (chosen.length === 0) return;
    await this.#act.run(async (key) => {
      try {
        for (const [i, file] of chosen.entries()) await this.keeping.add(file, i === 0 ? key : `${key}-${i}`);
      } finally {
        field.value = "";
        this.#changed();
      }
      return workTexts().added(chosen.length);
    });
  };

  #changed(): void {
    this.dispatchEvent(new Event("wf-changed", { bubbles: true }));
  }

  async #remove(yes: boolean): Promise<void> {
    const file = this.removing;
    this.removing = undefined;
    if (!yes || !file) return;
    await this.#act.run(async (key) => {
      await this.keeping.remove(file.id, key);
      this.#changed();
      return workTexts().deleted;
    }, `remove ${file.id}`);
  }
}
