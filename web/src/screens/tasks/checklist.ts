import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { ask } from "../../api/client.js";
import { Act } from "../../parts/act.js";
import { question } from "../../parts/dialog.js";
import { Form } from "../../parts/form.js";
import { Part } from "../../parts/part.js";
import { workTexts } from "../../parts/work-texts.js";
import { texts } from "../../texts/texts.js";
import { AddStep, ChangeStep, DeleteStep } from "./tasks.graphql.js";
import { tasksTexts } from "./texts.js";
import type { Task } from "./work.js";

type Step = Task["checklist"][number];

/** The steps of a task. `wf-changed` tells that they changed. */
@customElement("wf-checklist")
export class Checklist extends Part {
  /** The id of the task. */
  @property() task = "";
  @property({ attribute: false }) steps: readonly Step[] = [];
  @property({ type: Boolean }) writes = false;
  /** The ids of the step that is renamed, and of the one that is asked about. */
  @state() private renaming = "";
  @state() private removing = "";
  /** What was ticked or unticked, until the steps are read anew. */
  @state() private ticked: { readonly id: string; readonly done: boolean } | undefined;
  readonly #act = new Act(this);
  #adding: Form | undefined;
  #naming: Form | undefined;

  private adding(): Form {
    this.#adding ??= new Form(this, `step ${this.task}`, async (values, key) => {
      await ask(AddStep, { input: { taskId: this.task, title: (values.title ?? "").trim() } }, { key });
      this.#changed();
      return "";
    });
    return this.#adding;
  }

  #changed(): void {
    this.dispatchEvent(new Event("wf-changed", { bubbles: true }));
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (changed.has("steps")) this.ticked = undefined;
  }

  protected override render(): TemplateResult {
    const t = tasksTexts();
    const done = this.steps.filter((s) => s.done).length;
    const removed = this.steps.find((s) => s.id === this.removing);
    return html`<h3>${t.checklist} ${this.steps.length === 0 ? nothing : html`<span class="number">${t.steps(done, this.steps.length)}</span>`}</h3>
      ${this.steps.length === 0 ? nothing : html`<ul class="checklist" aria-label=${t.checklist}>${this.steps.map((s, i) => this.step(s, i))}</ul>`}
      ${this.#act.told()}
      ${this.writes ? this.adding().render(() => this.adding().text("title", t.step, { most: 200, required: true }), t.addStep, undefined, "plain") : nothing}
      ${
        removed === undefined
          ? nothing
          : question(
              workTexts().deleteFile(removed.title),
              html`<p>${workTexts().gone}</p>`,
              texts().form.delete,
              (yes) => this.#remove(yes),
            )
      }`;
  }

  private step(s: Step, place: number): TemplateResult {
    const t = tasksTexts();
    const above = this.steps[place - 1];
    return html`<li aria-label=${s.title}>
      ${
        this.renaming === s.id && this.#naming
          ? this.naming(this.#naming)
          : html`<label class="check"><input type="checkbox" .checked=${live(this.ticked?.id === s.id ? this.ticked.done : s.done)} ?disabled=${!this.writes}
            @change=${(e: Event) => this.#tick(s, (e.target as HTMLInputElement).checked)}> <span class=${s.done ? "struck" : ""}>${s.title}</span></label>
          ${
            this.writes
              ? html`<span class="actions">
            ${above ? html`<button type="button" class="link" aria-label=${t.stepUp(s.title)} @click=${() => this.#change(s, { beforeId: above.id })}>↑</button>` : nothing}
            <button type="button" class="link" data-rename=${s.id} aria-label=${t.rename(s.title)} @click=${() => this.#rename(s)}>${texts().form.edit}</button>
            <button type="button" class="link" aria-label=${workTexts().deleteNamed(s.title)} @click=${() => this.#ask(s.id)}>${texts().form.delete}</button></span>`
              : nothing
          }`
      }</li>`;
  }

  private naming(form: Form): TemplateResult {
    const fields = (): TemplateResult => form.text("title", tasksTexts().stepName, { most: 200, required: true });
    return html`<div>${form.render(fields, texts().form.save, undefined, "plain")}
      <button type="button" class="link" @click=${() => this.#leave()}>${workTexts().leave}</button></div>`;
  }

  /** Leaves the name as it is; the focus returns to the button that began it. */
  #leave(): void {
    const id = this.renaming;
    this.#naming?.reset();
    this.renaming = "";
    void this.updateComplete.then(() => this.querySelector<HTMLElement>(`[data-rename="${id}"]`)?.focus());
  }

  #rename(s: Step): void {
    this.renaming = s.id;
    this.#naming = new Form(this, `step-name-${s.id}`, async (values, key) => {
      await ask(ChangeStep, { id: s.id, input: { title: (values.title ?? "").trim() } }, { key });
      this.#leave();
      this.#changed();
      return "";
    });
    this.#naming.begin({ title: s.title });
    void this.updateComplete.then(() => this.querySelector<HTMLElement>("li form input")?.focus());
  }

  #tick(s: Step, done: boolean): void {
    this.ticked = { id: s.id, done };
    void this.#change(s, { done });
  }

  async #change(s: Step, input: { readonly done?: boolean; readonly beforeId?: string }): Promise<void> {
    await this.#act.run(
      async (key) => {
        await ask(ChangeStep, { id: s.id, input }, { key });
        return "";
      },
      `${s.id} ${JSON.stringify(input)}`,
    );
    this.#changed();
  }

  #ask(id: string): void {
    this.removing = id;
  }

  async #remove(yes: boolean): Promise<void> {
    const id = this.removing;
    this.removing = "";
    if (!yes) return;
    await this.#act.run(async (key) => {
      await ask(DeleteStep, { id }, { key });
      this.#changed();
      return workTexts().deleted;
    }, `remove ${id}`);
  }
}
