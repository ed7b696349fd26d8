import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import { serverNow } from "../../api/clock.js";
import { Act } from "../../parts/act.js";
import { toldBefore } from "../../parts/back.js";
import { regain } from "../../parts/focus.js";
import { Following } from "../../parts/live.js";
import { type NodeOf, nodes } from "../../parts/nodes.js";
import { Part, Reading } from "../../parts/part.js";
import { shown } from "../../parts/states.js";
import { Ticking } from "../../parts/tick.js";
import { dateAndTime, duration, stopwatch } from "../../parts/time.js";
import { may } from "../../router.js";
import type { StartQuery } from "../../shell.graphql.js";
import { meTexts } from "./texts.js";
import { AddMyPictures, MyTaskChanged, MyWork, type MyWorkQuery, StartMyTimer, StopMyTimer } from "./work.graphql.js";
import { workTexts } from "./work-texts.js";

type Task = NonNullable<MyWorkQuery["tasksWidget"]>["items"][number];
type Ticket = NodeOf<NonNullable<MyWorkQuery["tickets"]>>;
type Running = NonNullable<MyWorkQuery["runningActivity"]>;

const second = 1_000;

/** What the person is to do: their tasks with a timer and photos, and their tickets. */
@customElement("wf-my-work")
export class MyWorkPage extends Part {
  @property({ attribute: false }) start!: StartQuery;
  readonly #act = new Act(this);
  /** When what is shown was read, in milliseconds of the page. */
  #since = 0;
  /** What was done before this page was shown again. */
  #told = toldBefore();
  /** What gets the focus once it is there, where nothing has it. */
  #next = "";
  private readonly read = new Reading(
    this,
    async (signal) => {
      const { start } = this;
      const sees = {
        tasks: may(start, "task.read"),
        time: may(start, "time.read"),
        tickets: may(start, "ticket.read"),
      };
      const read = await ask(MyWork, { me: start.viewer.id, ...sees }, { signal });
      this.#since = performance.now();
      return read;
    },
    () => "my work",
  );
  private readonly changes = new Following(this, MyTaskChanged, () => void this.read.again());

  constructor() {
    super();
    new Ticking(this, second);
  }

  protected override updated(): void {
    const next = this.#next === "" ? null : this.querySelector<HTMLElement>(this.#next);
    if (!next) return;
    this.#next = "";
    regain(next);
  }

  protected override render(): TemplateResult {
    return html`<div class="title"><h1 tabindex="-1">${meTexts().places.work}</h1>${this.changes.mark()}</div>
      ${this.#told === "" ? nothing : html`<p role="status" class="outcome">${this.#told}</p>`}
      ${this.#act.told()}
      ${shown(this.read, (read) => this.content(read))}`;
  }

  private content(read: MyWorkQuery): TemplateResult {
    const running = read.runningActivity ?? undefined;
    return html`${running ? this.running(running) : nothing}
      <div class="halves">${read.tasksWidget ? this.tasks(read.tasksWidget, running) : nothing}
        ${read.tickets ? this.tickets(nodes(read.tickets)) : nothing}</div>`;
  }

  private running(running: Running): TemplateResult {
    const t = workTexts();
    const seconds = running.durationSeconds + (performance.now() - this.#since) / second;
    return html`<section class="running" aria-label=${t.running}>
      <p><strong>${running.title}</strong></p>
      <p class="clock" role="timer" aria-label=${t.running}>${stopwatch(seconds)}</p>
      ${
        may(this.start, "time.write")
          ? html`<button type="button" class="primary" aria-label=${t.stopOf(running.title)} ?disabled=${this.#act.busy}
            @click=${() => this.#stop(running, seconds)}>${t.stop}</button>`
          : nothing
      }</section>`;
  }

  private tasks(read: NonNullable<MyWorkQuery["tasksWidget"]>, running: Running | undefined): TemplateResult {
    const t = workTexts();
    return html`<section><h2>${t.tasks} <span class="number">${read.items.length}</span></h2>
      ${read.doneToday > 0 ? html`<p class="hint">${t.doneToday(read.doneToday)}</p>` : nothing}
      ${
        read.items.length === 0
          ? html`<div class="state"><p>${t.tasksEmpty}</p></div>`
          : html`<ul class="items" aria-label=${t.tasks}>${read.items.map((x) => this.task(x, x.id === running?.taskId))}</ul>`
      }
      <p class="links"><a href="/app/tasks?from=me">${t.allTasks}</a>
        ${may(this.start, "task.write") ? html`<a href="/app/tasks?from=work&task=new">${t.newTask}</a>` : nothing}</p></section>`;
  }

  private task(task: Task, runs: boolean): TemplateResult {
    const t = workTexts();
    const due = task.dueAt ? dateAndTime(task.dueAt, this.start.company.timezone) : "";
    const late = task.dueAt ? Date.parse(task.dueAt) < serverNow() : false;
    const facts = [
      t.statuses[task.status],
      task.project?.name,
      task.durationSeconds > 0 ? t.booked(duration(task.durationSeconds)) : "",
    ].filter((x) => x);
    return html`<li aria-label=${task.title}><div>
        <p><a href="/app/tasks?from=work&task=${task.id}">${task.title}</a></p>
        <p class="hint">${facts.join(" · ")}</p>
        ${due === "" ? nothing : html`<p class=${late ? "status missing" : "hint"}>${late ? t.overdue(due) : t.due(due)}</p>`}</div>
      <div class="actions">${
        may(this.start, "time.write") && !runs
          ? html`<button type="button" data-task=${task.id} aria-label=${t.startOf(task.title)} ?disabled=${this.#act.busy} @click=${() => this.#startIt(task)}>${t.start}</button>`
          : nothing
      }${
        may(this.start, "task.write")
          ? html`<label class="button" data-busy=${this.#act.busy}>${t.photo}<input type="file" class="hidden" accept="image/*" capture="environment" multiple
              aria-label=${t.photoOf(task.title)} ?disabled=${this.#act.busy} @change=${(e: Event) => this.#photo(task, e)}></label>`
          : nothing
      }</div></li>`;
  }

  private tickets(list: readonly Ticket[]): TemplateResult {
    const t = workTexts();
    const one = (k: Ticket): TemplateResult => {
      const state = k.heldAt ? `${t.ticketStates[k.status]}, ${t.held}` : t.ticketStates[k.status];
      const helper = k.assignee ? t.helper(k.assignee.name) : t.nobody;
      return html`<li aria-label=${k.subject}><div><p><a href="/app/tickets?from=work&ticket=${k.id}">${k.subject}</a></p>
        <p class="hint">#${k.number} · ${state} · ${helper}</p></div></li>`;
    };
    return html`<section><h2>${t.tickets} <span class="number">${list.length}</span></h2>
      ${
        list.length === 0
          ? html`<div class="state"><p>${t.ticketsEmpty}</p></div>`
          : html`<ul class="items" aria-label=${t.tickets}>${list.map(one)}</ul>`
      }
      <p class="links"><a href="/app/tickets?from=me">${t.allTickets}</a>
        ${may(this.start, "ticket.write") ? html`<a href="/app/tickets?from=work&ticket=new">${t.newTicket}</a>` : nothing}</p></section>`;
  }

  async #startIt(task: Task): Promise<void> {
    await this.#act.run(async (key) => {
      await ask(StartMyTimer, { id: task.id }, { key });
      this.#next = ".running button";
      return workTexts().started(task.title);
    }, `start ${task.id}`);
    await this.read.again();
  }

  async #stop({ id, taskId }: Running, seconds: number): Promise<void> {
    await this.#act.run(async (key) => {
      await ask(StopMyTimer, { id }, { key });
      return workTexts().stopped(duration(seconds));
    }, `stop ${id}`);
    await this.read.again();
    await this.updateComplete;
    const again = this.querySelector<HTMLElement>(`[data-task="${taskId}"]`);
    regain(again ?? this.querySelector<HTMLElement>("h1"));
  }

  async #photo(task: Task, event: Event): Promise<void> {
    const field = event.target as HTMLInputElement;
    const images = [...(field.files ?? [])];
    if (images.length === 0) return;
    await this.#act.run(async (key) => {
      await ask(AddMyPictures, { id: task.id, images }, { key });
      return workTexts().photoAdded(images.length, task.title);
    });
    field.value = "";
  }
}

export function show(start: StartQuery): TemplateResult {
  return html`<wf-my-work .start=${start}></wf-my-work>`;
}
