import { html, nothing, type TemplateResult } from "lit";
import { instant, number } from "./format.js";
import type { Texts } from "./texts.js";
import { Widget } from "./widget.js";

interface Task {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly priority: string;
  readonly dueAt: string | null;
  readonly running: boolean;
}

interface Tasks {
  readonly open: number;
  readonly inProgress: number;
  readonly overdue: number;
  readonly doneToday: number;
  readonly items: readonly Task[];
}

/** What a person is to do. */
export class TasksWidget extends Widget<Tasks> {
  protected override readonly kind = "tasks";
  protected override readonly parameters = ["limit"];

  protected override heading(texts: Texts): string {
    return texts.tasks.title;
  }

  protected override rows(value: Tasks): unknown {
    return value.items;
  }

  protected override content(value: Tasks): TemplateResult {
    const t = this.texts.tasks;
    const names = ["open", "inProgress", "overdue", "doneToday"] as const;
    return html`${this.counts(names.map((n) => [t[n], number(value[n], this.language)]))}
      ${
        value.items.length === 0
          ? html`<p class="faint" part="empty">${t.empty}</p>`
          : html`<ul part="list" role="list" aria-label=${t.list}>${value.items.map((i) => this.#item(i))}</ul>`
      }`;
  }

  #item(task: Task): TemplateResult {
    const { id, title, status, priority, dueAt, running } = task;
    const t = this.texts;
    const late = dueAt !== null && Date.parse(dueAt) < Date.now();
    const due = dueAt === null ? "" : instant(dueAt, this.language);
    const high = priority === "high" || priority === "urgent";
    return html`<li part="item">
      <button type="button" part="item-button" @click=${() => this.select({ kind: "task", id, title, status })}>
        <span class="name" part="item-title">${title}</span>
        <span class="meta" part="item-meta">
          <span part="status">${t.tasks.statuses[status] ?? status}</span>
          <span part="priority" class=${high ? "strong" : ""}>${t.priority(t.priorities[priority] ?? priority)}</span>
          ${due ? html`<span part="due" class=${late ? "bad" : ""}>${late ? t.late(due) : t.due(due)}</span>` : nothing}
          ${running ? html`<span part="running" class="running strong">${t.tasks.running}</span>` : nothing}
        </span>
      </button>
    </li>`;
  }
}
