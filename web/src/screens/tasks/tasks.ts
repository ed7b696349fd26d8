import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";
import { ask } from "../../api/client.js";
import { serverNow } from "../../api/clock.js";
import { Act } from "../../parts/act.js";
import { leave, wayBack } from "../../parts/back.js";
import { board } from "../../parts/board.js";
import { categoriesDialog, type KeepingCategories, toCategories } from "../../parts/categories.js";
import { choiceOf, filter, filterBox, filterPerson, filterText, views } from "../../parts/filters.js";
import { Following } from "../../parts/live.js";
import { Part, Reading } from "../../parts/part.js";
import { people } from "../../parts/people.js";
import { shown } from "../../parts/states.js";
import { type Column, table } from "../../parts/table.js";
import { Ticking } from "../../parts/tick.js";
import { dateAndTime, hours } from "../../parts/time.js";
import { workTexts } from "../../parts/work-texts.js";
import { may, query, setQuery } from "../../router.js";
import type { StartQuery } from "../../shell.graphql.js";
import { texts } from "../../texts/texts.js";
import "./new-task.js";
import "./task.js";
import type { Task } from "./task.js";
import {
  AddTaskCategory,
  DeleteTaskCategory,
  Tasks as Document,
  RenameTaskCategory,
  TaskChanged,
  TaskChoices,
  type TasksQuery,
  UpdateTask,
} from "./tasks.graphql.js";
import { tasksTexts } from "./texts.js";
import { type Card, categoryOptions, isOverdue, nextOf, priorities, type Status, statuses } from "./work.js";

/** How many tasks of a status are shown at first, and at most. */
const few = 50;
const most = 200;

const minute = 60_000;

/** The tasks that who looks sees, as a board or a list. */
@customElement("wf-tasks")
export class Tasks extends Part {
  @property({ attribute: false }) start!: StartQuery;
  /** The task that was added last. */
  @state() private added: { readonly id: string; readonly title: string } | undefined;
  @state() private gone = "";
  readonly #act = new Act(this);
  #asked = "";
  private readonly read = new Reading(this, (signal) => ask(Document, this.asked(), { signal }));
  private readonly choices = new Reading(this, (signal) => ask(TaskChoices, {}, { signal }));
  private readonly changes = new Following(this, TaskChanged, () => void this.again());

  constructor() {
    super();
    new Ticking(this, minute);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("wf-place", this.#place);
  }

  override disconnectedCallback(): void {
    removeEventListener("wf-place", this.#place);
    super.disconnectedCallback();
  }

  readonly #place = (): void => {
    this.requestUpdate();
    if (JSON.stringify(this.wanted()) !== this.#asked) void this.read.again();
  };

  /** Reads the tasks anew, and the one that is open. */
  private async again(): Promise<void> {
    this.querySelector<Task>("wf-task")?.again();
    await this.read.again();
  }

  /** What the address asks for. */
  private wanted() {
    const q = query();
    const id = (name: string) => (/^[0-9]+$/.test(q.get(name) ?? "") ? { [`${name}Id`]: q.get(name) } : {});
    const search = (q.get("search") ?? "").trim();
    const overdue = q.has("overdue");
    const status = choiceOf("status", statuses);
    const wants = (s: Status): boolean =>
      (status === undefined || status === s) && (!overdue || s === "open" || s === "in_progress");
    const assignee = id("assignee");
    return {
      ...id("project"),
      ...id("category"),
      ...assignee,
      ...(search !== "" && { search }),
      limit: Math.min(most, Math.max(few, Number.parseInt(q.get("shown") ?? "", 10) || few)),
      overdue,
      open: wants("open"),
      inProgress: wants("in_progress"),
      done: wants("done"),
      cancelled: wants("cancelled"),
      named: "assigneeId" in assignee,
      user: assignee.assigneeId ?? "0",
    };
  }

  private asked() {
    const { overdue, ...wanted } = this.wanted();
    this.#asked = JSON.stringify(this.wanted());
    return { ...wanted, ...(overdue && { to: new Date(serverNow()).toISOString() }) };
  }

  private get zone(): string {
    return this.start.company.timezone;
  }

  private get writes(): boolean {
    return may(this.start, "task.write");
  }

  /** Whether who looks keeps the categories. */
  private get sorts(): boolean {
    return may(this.start, "project.write.all");
  }

  protected override render(): TemplateResult {
    const t = tasksTexts();
    return html`${wayBack()}<div class="title">
        <h1 tabindex="-1">${texts().screens.tasks}</h1>
        ${this.changes.mark()}
        ${this.writes ? html`<button type="button" class="primary no-print" @click=${() => setQuery({ task: "new" })}>${t.newTask}</button>` : nothing}
        ${this.sorts ? toCategories() : nothing}
      </div>
      ${this.#act.told()}
      <p role="status" class="outcome">${this.added ? html`${t.added} <a href=${linkTo(this.added.id)}>${this.added.title}</a>` : this.gone}</p>
      ${this.filters()}
      ${shown(this.read, (read) => this.content(read))}
      ${this.opened()}
      ${this.sorts && query().has("categories") ? this.categories() : nothing}`;
  }

  private categories(): TemplateResult {
    return categoriesDialog(
      this.choices,
      (read) => html`<wf-categories of="tasks" nested .categories=${read.taskCategoryList} .keeping=${this.keeping}
        @wf-changed=${this.#sorted}></wf-categories>`,
    );
  }

  private readonly keeping: KeepingCategories = {
    add: (name, parentId, key) => ask(AddTaskCategory, { input: { name, parentId: parentId || null } }, { key }),
    rename: (id, name, key) => ask(RenameTaskCategory, { id, input: { name } }, { key }),
    remove: (id, key) => ask(DeleteTaskCategory, { id }, { key }),
  };

  readonly #sorted = (): void => {
    void this.choices.again();
    void this.read.again();
  };

  private filters(): TemplateResult {
    const t = tasksTexts();
    const w = workTexts();
    const { projectList = [], taskCategoryList = [] } = this.choices.value ?? {};
    const others = may(this.start, ["task.read.team", "task.read.all"]);
    return html`<div class="filters no-print">
      ${views()}
      ${filterText("search", w.search)}
      ${filter("status", w.status, [["", w.all], ...statuses.map((s) => [s, t.statuses[s]] as const)])}
      ${projectList.length === 0 ? nothing : filter("project", t.project, [["", w.all], ...named(projectList)])}
      ${taskCategoryList.length === 0 ? nothing : filter("category", w.category, [["", w.all], ...categoryOptions(taskCategoryList)])}
      ${others ? filterPerson("assignee", t.assignee, this.read.value?.user ?? undefined, people) : nothing}
      ${others ? filterBox("assignee", w.mine, this.start.viewer.id) : nothing}
      ${filterBox("overdue", t.overdue)}
    </div>`;
  }

  private content(read: TasksQuery): TemplateResult {
    const t = tasksTexts();
    const lanes = statuses.flatMap((status) => {
      const list = read[status];
      return list ? [{ status, label: t.statuses[status], cards: list.nodes, total: list.totalCount }] : [];
    });
    const cards = lanes.flatMap((l) => l.cards);
    if (cards.length === 0) return this.empty();
    const capped = lanes.some((l) => l.cards.length < l.total);
    return html`${query().get("view") === "list" ? table(texts().screens.tasks, this.columns(), cards) : this.board(lanes)}
      ${
        capped
          ? this.more(
              cards.length,
              lanes.reduce((sum, l) => sum + l.total, 0),
            )
          : nothing
      }`;
  }

  private empty(): TemplateResult {
    const t = tasksTexts();
    const w = workTexts();
    const filtered = ["search", "status", "project", "category", "assignee", "overdue"].some((f) => query().has(f));
    if (filtered)
      return html`<div class="state"><p>${w.filtered}</p><p><a href="/app/tasks">${w.unfiltered}</a></p></div>`;
    return html`<div class="state"><p>${t.empty}</p><p>${this.writes ? t.emptyNext : t.emptyOwn}</p></div>`;
  }

  private more(count: number, all: number): TemplateResult {
    const t = texts().table;
    const { limit } = this.wanted();
    return html`<p class="more no-print">${t.shown(count, all)}
      <button type="button" ?disabled=${limit >= most} @click=${() => setQuery({ shown: String(Math.min(most, limit * 2)) })}>${t.more}</button></p>`;
  }

  private board(lanes: Parameters<typeof board<Card>>[0]["lanes"]): TemplateResult {
    return board<Card>({
      label: texts().screens.tasks,
      lanes,
      id: (c) => c.id,
      name: (c) => c.title,
      link: (c) => linkTo(c.id),
      content: (c) => this.card(c),
      next: (c) => (this.writes ? nextOf(c.status) : []),
      move: (c, status) => void this.move(c, status as Status),
    });
  }

  private card(c: Card): TemplateResult {
    const w = workTexts();
    const about = [
      c.project?.name,
      c.category?.name,
      c.priority === "normal" ? "" : `${w.priority}: ${w.priorities[c.priority]}`,
    ].filter(Boolean);
    return html`${about.length === 0 ? nothing : html`<p class="hint">${about.join(" · ")}</p>`}
      ${c.dueAt && c.status !== "done" && c.status !== "cancelled" ? html`<p class=${isOverdue(c, serverNow()) ? "late-text" : "hint"}>${this.due(c)}</p>` : nothing}
      ${c.assignees.length === 0 ? nothing : html`<p class="hint">${c.assignees.map((a) => a.name).join(", ")}</p>`}
      ${c.running ? html`<p class="runs">${tasksTexts().running}</p>` : nothing}`;
  }

  private due(c: Card): string {
    const t = tasksTexts();
    if (!c.dueAt) return "";
    const when = dateAndTime(c.dueAt, this.zone);
    return isOverdue(c, serverNow()) ? t.overdueSince(when) : t.due(when);
  }

  private columns(): Column<Card>[] {
    const t = tasksTexts();
    const w = workTexts();
    return [
      {
        name: "title",
        label: t.title,
        text: (c) => c.title,
        cell: (c) => html`<a href=${linkTo(c.id)}>${c.title}</a>`,
      },
      {
        name: "status",
        label: w.status,
        text: (c) => t.statuses[c.status],
        cell: (c) => html`<span class="status ${c.status}">${t.statuses[c.status]}</span>`,
        order: (c) => statuses.indexOf(c.status),
      },
      {
        name: "priority",
        label: w.priority,
        text: (c) => w.priorities[c.priority],
        order: (c) => -priorities.indexOf(c.priority),
      },
      { name: "project", label: t.project, text: (c) => c.project?.name ?? "" },
      { name: "assignees", label: t.assignee, text: (c) => c.assignees.map((a) => a.name).join(", ") },
      {
        name: "due",
        label: t.dueAt,
        text: (c) => (c.dueAt ? dateAndTime(c.dueAt, this.zone) : ""),
        cell: (c) =>
          isOverdue(c, serverNow())
            ? html`<span class="late-text">${this.due(c)}</span>`
            : c.dueAt
              ? dateAndTime(c.dueAt, this.zone)
              : "",
        order: (c) => c.dueAt ?? "~",
      },
      {
        name: "time",
        label: t.time,
        text: (c) => (c.durationSeconds === 0 ? "" : hours(c.durationSeconds)),
        cell: (c) =>
          html`${c.durationSeconds === 0 ? "" : hours(c.durationSeconds)}${c.running ? html` · ${t.running}` : nothing}`,
        order: (c) => -c.durationSeconds,
      },
    ];
  }

  private async move(card: Card, status: Status): Promise<void> {
    await this.#act.run(async (key) => {
      await ask(UpdateTask, { id: card.id, input: { status, version: card.version } }, { key });
      return workTexts().moved(card.title, tasksTexts().statuses[status]);
    }, `${card.id} ${card.version} ${status}`);
    await this.read.again();
    await this.updateComplete;
    if (document.activeElement === document.body)
      [...this.querySelectorAll<HTMLElement>("li a")].find((a) => a.getAttribute("href") === linkTo(card.id))?.focus();
  }

  /** The task that the address names, or the form of a new one. */
  private opened(): TemplateResult | typeof nothing {
    const task = query().get("task") ?? "";
    const choices = this.choices.value;
    if (task === "new" && this.writes)
      return html`<wf-new-task .start=${this.start} .choices=${choices} @wf-added=${this.#added}></wf-new-task>`;
    if (!/^[0-9]+$/.test(task)) return nothing;
    return html`${keyed(task, html`<wf-task .task=${task} .start=${this.start} .choices=${choices} @wf-changed=${this.read.again} @wf-gone=${this.#gone}></wf-task>`)}`;
  }

  readonly #added = (event: CustomEvent<{ id: string; title: string }>): void => {
    this.added = event.detail;
    leave({ task: "" }, `${tasksTexts().added} ${event.detail.title}`);
    void this.read.again();
  };

  readonly #gone = (event: CustomEvent<string>): void => {
    this.added = undefined;
    this.gone = tasksTexts().deleted(event.detail);
    leave({ task: "" }, this.gone);
    void this.read.again();
    this.querySelector<HTMLElement>("h1")?.focus();
  };
}

/** The address that opens a task over what is shown. */
function linkTo(id: string): string {
  const to = query();
  to.set("task", id);
  return `/app/tasks?${to}`;
}

function named(list: readonly { readonly id: string; readonly name: string }[]): (readonly [string, string])[] {
  return list.map((o) => [o.id, o.name] as const);
}

export function show(start: StartQuery): TemplateResult {
  return html`<wf-tasks .start=${start}></wf-tasks>`;
}
