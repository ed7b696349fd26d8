import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import { Act } from "../../parts/act.js";
import { Form, textOf } from "../../parts/form.js";
import { Part } from "../../parts/part.js";
import { Ticking } from "../../parts/tick.js";
import { duration, instantIn, stopwatch } from "../../parts/time.js";
import { texts } from "../../texts/texts.js";
import { BookTime, type OpenTaskQuery, StartTimer, StopTimer } from "./tasks.graphql.js";
import { tasksTexts } from "./texts.js";

const second = 1_000;

/** The time that is booked on a task, and a timer for it. `wf-changed` tells that it changed. */
@customElement("wf-timer")
export class Timer extends Part {
  @property({ attribute: false }) read!: OpenTaskQuery;
  @property() zone = "UTC";
  /** Whether who looks books time. */
  @property({ type: Boolean }) writes = false;
  @state() private booking = false;
  /** Whether time was booked, whose form is gone. */
  @state() private booked = false;
  readonly #act = new Act(this);
  #form: Form | undefined;
  #counted: OpenTaskQuery | undefined;
  /** When what is shown was read, in milliseconds of the page. */
  #since = 0;

  constructor() {
    super();
    new Ticking(this, second);
  }

  private form(): Form {
    const local = (value: string | undefined): string | null => (value ? instantIn(this.zone, value) : null);
    this.#form ??= new Form(this, `book ${this.read.task.id}`, async ({ startAt, endAt, note }, key) => {
      const input = { taskId: this.read.task.id, startAt: local(startAt), endAt: local(endAt), note: textOf(note) };
      await ask(BookTime, { input }, { key });
      this.booking = false;
      this.booked = true;
      this.#changed();
      return tasksTexts().bookedNow;
    });
    return this.#form;
  }

  #changed(): void {
    this.dispatchEvent(new Event("wf-changed", { bubbles: true }));
  }

  protected override willUpdate(): void {
    if (this.#counted === this.read) return;
    this.#counted = this.read;
    this.#since = performance.now();
  }

  protected override render(): TemplateResult {
    const t = tasksTexts();
    const { task, timeTotals } = this.read;
    const mine = this.read.runningActivity;
    const here = mine?.taskId === task.id;
    const passed = (performance.now() - this.#since) / second;
    return html`<h3>${t.timer}</h3>
      ${
        here && mine
          ? html`<p class="clock" role="timer" aria-label=${t.running}>${stopwatch(mine.durationSeconds + passed)}</p>`
          : task.running
            ? html`<p class="runs">${t.somebodyRuns}</p>`
            : nothing
      }
      <p>${t.booked}: ${task.durationSeconds === 0 ? texts().form.none : duration(task.durationSeconds + (task.running ? passed : 0))}</p>
      ${
        timeTotals && timeTotals.groups.length > 0
          ? html`<p class="hint">${t.lately}</p><ul class="plain" aria-label=${t.lately}>${timeTotals.groups.map(
              (g) => html`<li>${g.label ?? ""} <span class="number">${duration(g.seconds)}</span></li>`,
            )}</ul>`
          : nothing
      }
      ${this.writes ? this.controls(here) : nothing}
      ${this.#act.told()}`;
  }

  private controls(here: boolean): TemplateResult {
    const t = tasksTexts();
    const other = this.read.runningActivity;
    return html`${!here && other ? html`<p class="hint">${t.otherRuns(other.title)}</p>` : nothing}
      <div class="actions">
        <button type="button" class=${here ? "" : "primary"} ?disabled=${this.#act.busy} @click=${() => (here ? this.#stop() : this.#startIt())}>${here ? t.stop : t.start}</button>
        <button type="button" aria-expanded=${this.booking} @click=${this.#toggle}>${t.book}</button>
      </div>
      ${this.booking ? this.book() : html`<p role="status" class="outcome">${this.booked ? t.bookedNow : ""}</p>`}`;
  }

  readonly #toggle = (): void => {
    this.booking = !this.booking;
    this.booked = false;
  };

  private book(): TemplateResult {
    const t = tasksTexts();
    const form = this.form();
    const fields = (): TemplateResult => html`<div class="fields">
        ${form.text("startAt", t.from, { type: "datetime-local", required: true })}
        ${form.text("endAt", t.to, { type: "datetime-local", required: true })}
      </div>${form.text("note", t.note, { most: 5000 })}`;
    return form.render(fields, texts().form.save, undefined, "plain");
  }

  async #startIt(): Promise<void> {
    const taskId = this.read.task.id;
    await this.#act.run(async (key) => {
      await ask(StartTimer, { input: { taskId } }, { key });
      return tasksTexts().started;
    }, `start ${taskId}`);
    this.#changed();
  }

  async #stop(): Promise<void> {
    const id = this.read.runningActivity?.id ?? null;
    await this.#act.run(async (key) => {
      await ask(StopTimer, { id }, { key });
      return tasksTexts().stopped;
    }, `stop ${id}`);
    this.#changed();
  }
}
