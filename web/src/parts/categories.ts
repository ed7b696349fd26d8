import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { setQuery } from "../router.js";
import { texts } from "../texts/texts.js";
import { Act } from "./act.js";
import { closing, dialog, question } from "./dialog.js";
import { Form } from "./form.js";
import { Part, type Reading } from "./part.js";
import { shown } from "./states.js";
import { workTexts } from "./work-texts.js";

/** A category of tasks or tickets. */
export interface Category {
  readonly id: string;
  readonly name: string;
  /** The one above it, which has none above it. */
  readonly parent?: { readonly id: string; readonly name: string } | null;
}

/** How categories are kept; each under an Idempotency-Key. A parent of "" is none. */
export interface KeepingCategories {
  readonly add: (name: string, parentId: string, key: string) => Promise<unknown>;
  readonly rename: (id: string, name: string, key: string) => Promise<unknown>;
  readonly remove: (id: string, key: string) => Promise<unknown>;
}

/** A category's name behind that of the one above it. */
export function pathOf(category: Category): string {
  return category.parent ? `${category.parent.name} / ${category.name}` : category.name;
}

/** Categories in the order in which they are listed. */
export function byPath<Of extends Category>(list: readonly Of[]): Of[] {
  return [...list].sort((a, b) => pathOf(a).localeCompare(pathOf(b)));
}

/** The button that opens the categories. */
export function toCategories(): TemplateResult {
  return html`<button type="button" class="no-print" @click=${() => setQuery({ categories: "1" })}>${workTexts().categories}</button>`;
}

/** The dialog of the categories, which the member `categories` of the address opens, once they are read. */
export function categoriesDialog<Value>(
  reading: Reading<Value>,
  render: (value: Value) => TemplateResult,
): TemplateResult {
  const content = html`${shown(reading, render)}
    ${reading.value === undefined ? html`<div class="actions">${closing()}</div>` : nothing}`;
  return dialog(workTexts().categories, content, () => setQuery({ categories: "" }));
}

/** Categories, each with what changes it, and a form that adds one. `wf-changed` tells that they changed. */
@customElement("wf-categories")
export class Categories extends Part {
  @property({ attribute: false }) categories: readonly Category[] = [];
  @property({ attribute: false }) keeping!: KeepingCategories;
  /** What they are of, which tells drafts apart. */
  @property() of = "";
  /** Whether one may be below another. */
  @property({ type: Boolean }) nested = false;
  /** The id of the category that is renamed. */
  @state() private renaming = "";
  @state() private removing: Category | undefined;
  readonly #act = new Act(this);
  #adding: Form | undefined;
  #naming: Form | undefined;

  /** Whoever opens the dialog may add one at once. */
  protected override firstUpdated(): void {
    this.#toName();
  }

  #toName(): void {
    // The dialog opens, and takes the focus, after this.
    setTimeout(() => this.querySelector<HTMLElement>("form [name=name]")?.focus());
  }

  private adding(): Form {
    this.#adding ??= new Form(this, `category of ${this.of}`, async (values, key) => {
      const name = (values.name ?? "").trim();
      await this.keeping.add(name, values.parentId ?? "", key);
      this.#changed();
      this.#toName();
      return workTexts().categoryAdded(name);
    });
    return this.#adding;
  }

  #changed(): void {
    this.dispatchEvent(new Event("wf-changed"));
  }

  protected override render(): TemplateResult {
    const t = workTexts();
    return html`${
      this.categories.length === 0
        ? html`<p>${t.noCategories}</p>`
        : html`<ul class="checklist" aria-label=${t.categories}>${byPath(this.categories).map((c) => this.row(c))}</ul>`
    }
      ${this.#act.told()}
      ${this.adding().render(() => this.fields(this.adding()), t.addCategory, texts().dialog.close)}
      ${
        this.removing
          ? question(t.deleteFile(pathOf(this.removing)), html`<p>${t.gone}</p>`, texts().form.delete, (yes) =>
              this.#remove(yes),
            )
          : nothing
      }`;
  }

  private fields(form: Form): TemplateResult {
    const t = workTexts();
    const above = byPath(this.categories).filter((c) => !c.parent);
    return html`${form.text("name", t.newCategory, { most: 100, required: true })}
      ${
        this.nested && above.length > 0
          ? form.choice("parentId", t.below, [["", t.none], ...above.map((c) => [c.id, c.name] as const)])
          : nothing
      }`;
  }

  private row(c: Category): TemplateResult {
    const t = workTexts();
    const path = pathOf(c);
    return html`<li aria-label=${path}>${
      this.renaming === c.id && this.#naming
        ? this.naming(this.#naming)
        : html`<span>${c.parent ? html`<span class="hint">${c.parent.name} / </span>` : nothing}${c.name}</span>
          <span class="actions">
            <button type="button" class="link" data-rename=${c.id} aria-label=${t.changeNamed(path)} @click=${() => this.#rename(c)}>${texts().form.edit}</button>
            <button type="button" class="link" aria-label=${t.deleteNamed(path)} @click=${() => this.#ask(c)}>${texts().form.delete}</button></span>`
    }</li>`;
  }

  private naming(form: Form): TemplateResult {
    const t = workTexts();
    return html`<div>${form.render(() => form.text("name", t.categoryName, { most: 100, required: true }), texts().form.save, undefined, "plain")}
      <button type="button" class="link" @click=${() => this.#leave()}>${t.leave}</button></div>`;
  }

  #rename(c: Category): void {
    this.#act.clear();
    this.renaming = c.id;
    this.#naming = new Form(this, `category-name-${this.of}-${c.id}`, async (values, key) => {
      await this.keeping.rename(c.id, (values.name ?? "").trim(), key);
      this.#leave();
      this.#changed();
      return "";
    });
    this.#naming.begin({ name: c.name });
    void this.updateComplete.then(() => this.querySelector<HTMLElement>("li form input")?.focus());
  }

  /** Leaves the name as it is; the focus returns to the button that began it. */
  #leave(): void {
    const id = this.renaming;
    this.#naming?.reset();
    this.renaming = "";
    void this.updateComplete.then(() => this.querySelector<HTMLElement>(`[data-rename="${id}"]`)?.focus());
  }

  #ask(c: Category): void {
    this.removing = c;
  }

  async #remove(yes: boolean): Promise<void> {
    const category = this.removing;
    this.removing = undefined;
    if (!yes || !category) return;
    const gone = await this.#act.run(async (key) => {
      await this.keeping.remove(category.id, key);
      this.#changed();
      return workTexts().deleted;
    }, `remove ${category.id}`);
    if (gone) this.#toName();
  }
}
