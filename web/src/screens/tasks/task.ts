import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import { serverNow } from "../../api/clock.js";
import { Act } from "../../parts/act.js";
import { leave } from "../../parts/back.js";
import { beginOrKeep } from "../../parts/basis.js";
import { closing, dialog, question } from "../../parts/dialog.js";
import { factList, said } from "../../parts/facts.js";
import "../../parts/files.js";
import type { Attached, Keeping } from "../../parts/files.js";
import { Form, type Values } from "../../parts/form.js";
import { Part, Reading } from "../../parts/part.js";
import { shown } from "../../parts/states.js";
import "../../parts/talk.js";
import type { Talking } from "../../parts/talk.js";
import { addDays, dateAndTime, dateIn, dateOf } from "../../parts/time.js";
import { workTexts } from "../../parts/work-texts.js";
import { may, query } from "../../router.js";
import type { StartQuery } from "../../shell.graphql.js";
import { texts } from "../../texts/texts.js";
import "./checklist.js";
import { taskFields } from "./fields.js";
import {
  AddTaskComment,
  AddTaskFile,
  AddTaskPictures,
  ChangeTaskComment,
  DeleteTask,
  DeleteTaskComment,
  DeleteTaskFile,
  DeleteTaskPicture,
  OpenTask,
  type OpenTaskQuery,
  type TaskChoicesQuery,
  UpdateTask,
} from "./tasks.graphql.js";
import { tasksTexts } from "./texts.js";
import "./timer.js";
import { inputOf, type Task as Row, valuesOf } from "./work.js";

/** How many days back time is summed by person. */
const lately = 90;

/** The task that the address names, with all that belongs to it. */
@customElement("wf-task")
export class Task extends Part {
  /** The id of the task. */
  @property() task = "";
  @property({ attribute: false }) start!: StartQuery;
  @property({ attribute: false }) choices: TaskChoicesQuery | undefined;
  @state() private removing = false;
  readonly #act = new Act(this);
  #form: Form | undefined;
  private readonly read = new Reading(this, (signal) => ask(OpenTask, this.asked(), { signal }));

  private asked() {
    const from = addDays(dateIn(this.zone, new Date(serverNow())), -lately);
    return { id: this.task, time: may(this.start, "time.read"), ids: [this.task], from };
  }

  private get zone(): string {
    return this.start.company.timezone;
  }

  private get writes(): boolean {
    return may(this.start, "task.write");
  }

  /** Reads it anew. */
  again(): void {
    void this.read.again();
  }

  /** Reads it anew, and has the screen do so. */
  readonly #changed = (): void => {
    void this.read.again();
    this.dispatchEvent(new Event("wf-changed"));
  };

  private form(task: Row): Form {
    this.#form ??= new Form(this, `task ${this.task}`, (values, key) => this.save(values, key));
    beginOrKeep(this.#form, `task ${this.task}`, valuesOf(task, this.zone));
    return this.#form;
  }

  private async save(values: Values, key: string): Promise<string> {
    const { version: _, ...changed } = this.#form?.changed ?? {};
    if (Object.keys(changed).length === 0) return tasksTexts().nothingChanged;
    const input = inputOf({ ...changed, version: values.version ?? "" }, this.zone);
    await ask(UpdateTask, { id: this.task, input }, { key });
    await this.read.again();
    this.dispatchEvent(new Event("wf-changed"));
    return texts().form.saved;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.addEventListener("wf-taken", this.#changed);
  }

  override disconnectedCallback(): void {
    this.removeEventListener("wf-taken", this.#changed);
    super.disconnectedCallback();
  }

  protected override render(): TemplateResult {
    const t = tasksTexts();
    const content = html`<div class="actions bar">
        ${this.writes && this.read.value ? html`<button type="button" @click=${this.#ask}>${t.delete}</button>` : nothing}
        ${closing()}
      </div>
      ${this.#act.told()}
      ${shown(this.read, (read) => this.content(read))}`;
    const title = this.read.value?.task.title ?? t.openTask;
    return html`${dialog(title, content, () => query().get("task") === this.task && leave({ task: "" }))}
      ${
        this.removing
          ? question(t.deleteAsk(title), html`<p>${t.deleteHint} ${workTexts().gone}</p>`, texts().form.delete, (yes) =>
              this.#remove(yes),
            )
          : nothing
      }`;
  }

  private content(read: OpenTaskQuery): TemplateResult {
    const { task } = read;
    const offer = {
      zone: this.zone,
      choices: this.choices,
      assigns: may(this.start, ["task.write.team", "task.write.all"]),
      task,
    };
    const form = this.form(task);
    return html`${factList(this.facts(task))}
      <div class="halves" @wf-changed=${this.#inner}>
        <div>${this.writes ? form.render(() => taskFields(form, offer), texts().form.save) : this.plain(task)}</div>
        <div>
          ${may(this.start, "time.read") ? html`<wf-timer .read=${read} .zone=${this.zone} .writes=${may(this.start, "time.write")}></wf-timer>` : nothing}
          <wf-checklist .task=${task.id} .steps=${task.checklist} .writes=${this.writes}></wf-checklist>
          ${this.files(task)}
          <wf-talk .of=${`task ${task.id}`} .comments=${task.comments} .talking=${this.talking} .me=${this.start.viewer.id}
            .zone=${this.zone} .verb=${workTexts().comment} .writes=${this.writes} .rules=${this.writes} tells plain></wf-talk>
        </div>
      </div>`;
  }

  private facts(task: Row) {
    const t = tasksTexts();
    return said([
      [t.createdBy, `${task.creator.name}, ${dateAndTime(task.createdAt, this.zone)}`],
      [t.completed, task.completedAt ? dateAndTime(task.completedAt, this.zone) : ""],
      [t.repeats, task.recursOn ? t.nextCopy(dateOf(task.recursOn)) : ""],
      [t.repeats, task.copyOf ? t.copyOf(task.copyOf.title) : ""],
    ]);
  }

  /** What who may not change it sees of its members. */
  private plain(task: Row): TemplateResult {
    const t = tasksTexts();
    const w = workTexts();
    return html`<p class="text">${task.description ?? ""}</p>${factList(
      said([
        [w.status, t.statuses[task.status]],
        [w.priority, w.priorities[task.priority]],
        [t.assignTo, task.assignees.map((a) => a.name).join(", ")],
        [t.project, task.project?.name],
        [w.category, task.category?.name],
        [t.startAt, task.startAt ? dateAndTime(task.startAt, this.zone) : ""],
        [t.dueAt, task.dueAt ? dateAndTime(task.dueAt, this.zone) : ""],
        [t.rule, task.recurrence],
      ]),
    )}`;
  }

  private files(task: Row): TemplateResult {
    const t = tasksTexts();
    const w = workTexts();
    const pictures: Attached[] = task.images.map((i, nth) => ({ ...i, name: i.caption ?? t.picture(nth + 1) }));
    return html`<wf-files .heading=${t.pictures} .adds=${t.addPictures} field="pictures" accept="image/jpeg,image/png,image/webp"
        .files=${pictures} .keeping=${this.pictures} .zone=${this.zone} .writes=${this.writes}></wf-files>
      <wf-files .heading=${w.files} .adds=${w.addFiles} .files=${task.attachments} .keeping=${this.keeping}
        .zone=${this.zone} .writes=${this.writes}></wf-files>`;
  }

  private readonly pictures: Keeping = {
    add: (file, key) => ask(AddTaskPictures, { id: this.task, input: { images: [file] } }, { key }),
    remove: (imageId, key) => ask(DeleteTaskPicture, { id: this.task, imageId }, { key }),
  };

  private readonly keeping: Keeping = {
    add: (file, key) => ask(AddTaskFile, { input: { taskId: this.task, file } }, { key }),
    remove: (id, key) => ask(DeleteTaskFile, { id }, { key }),
  };

  private readonly talking: Talking = {
    add: ({ text, mentionIds }, key) =>
      ask(AddTaskComment, { input: { taskId: this.task, text, mentionIds: [...mentionIds] } }, { key }),
    change: (id, text, key) => ask(ChangeTaskComment, { id, input: { text } }, { key }),
    remove: (id, key) => ask(DeleteTaskComment, { id }, { key }),
  };

  readonly #inner = (event: Event): void => {
    event.stopPropagation();
    this.#changed();
  };

  readonly #ask = (): void => {
    this.removing = true;
  };

  async #remove(yes: boolean): Promise<void> {
    this.removing = false;
    const title = this.read.value?.task.title ?? "";
    if (!yes) return;
    await this.#act.run(async (key) => {
      await ask(DeleteTask, { id: this.task }, { key });
      this.#form?.reset();
      this.dispatchEvent(new CustomEvent("wf-gone", { detail: title }));
      return "";
    }, `delete ${this.task}`);
  }
}
