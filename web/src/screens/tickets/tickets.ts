import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";
import { ask } from "../../api/client.js";
import { serverNow } from "../../api/clock.js";
import { Act } from "../../parts/act.js";
import { leave, wayBack } from "../../parts/back.js";
import { board, type Lane } from "../../parts/board.js";
import { categoriesDialog, type KeepingCategories, toCategories } from "../../parts/categories.js";
import { choiceOf, filter, filterBox, filterPerson, filterText, views } from "../../parts/filters.js";
import { Following } from "../../parts/live.js";
import { nodes } from "../../parts/nodes.js";
import { Part, Reading } from "../../parts/part.js";
import { people } from "../../parts/people.js";
import { shown } from "../../parts/states.js";
import { type Column, table } from "../../parts/table.js";
import { Ticking } from "../../parts/tick.js";
import { dateAndTime } from "../../parts/time.js";
import { workTexts } from "../../parts/work-texts.js";
import { may, query, setQuery } from "../../router.js";
import type { StartQuery } from "../../shell.graphql.js";
import { texts } from "../../texts/texts.js";
import "./new-ticket.js";
import { pressing } from "./sla.js";
import { ticketsTexts } from "./texts.js";
import "./ticket.js";
import type { Ticket } from "./ticket.js";
import {
  AddTicketCategory,
  DeleteTicketCategory,
  Tickets as Document,
  FindTickets,
  RenameTicketCategory,
  TicketChanged,
  TicketChoices,
  type TicketsQuery,
  UpdateTicket,
} from "./tickets.graphql.js";
import {
  type Card,
  concerns,
  mayChange,
  namedClock,
  nextOf,
  priorities,
  type Status,
  statuses,
  versionOf,
  whereOf,
} from "./work.js";

/** How many tickets of a status are shown at first, and at most. */
const few = 50;
const most = 200;
/** How many tickets a search finds at most. */
const mostFound = 200;

const minute = 60_000;

/** The tickets that who looks sees, as a board or a list. */
@customElement("wf-tickets")
export class Tickets extends Part {
  @property({ attribute: false }) start!: StartQuery;
  /** The ticket that was added last. */
  @state() private added: { readonly id: string; readonly number: number; readonly subject: string } | undefined;
  readonly #act = new Act(this);
  #asked = "";
  private readonly read = new Reading(this, (signal) => this.find(signal));
  private readonly choices = new Reading(this, (signal) => ask(TicketChoices, {}, { signal }));
  private readonly changes = new Following(this, TicketChanged, () => void this.again());

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

  /** Reads the tickets anew, and the one that is open. */
  private async again(): Promise<void> {
    this.querySelector<Ticket>("wf-ticket")?.again();
    await this.read.again();
  }

  /** What the address asks for. */
  private wanted() {
    const q = query();
    const names = ["search", "status", "category", "assignee", "priority", "concern", "late", "shown"] as const;
    return names.map((name) => q.get(name) ?? "");
  }

  private limit(): number {
    return Math.min(most, Math.max(few, Number.parseInt(query().get("shown") ?? "", 10) || few));
  }

  private async find(signal: AbortSignal): Promise<TicketsQuery> {
    this.#asked = JSON.stringify(this.wanted());
    const q = query();
    const where = whereOf(q, this.start.viewer.id, new Date(serverNow()).toISOString());
    const search = q.get("search")?.trim() ?? "";
    if (search !== "") {
      const found = await ask(FindTickets, { search, limit: mostFound }, { signal });
      where.push({ idIn: ["0", ...found.ticketList.nodes.map((n) => n.id)] });
    }
    const status = choiceOf("status", statuses);
    const wants = (s: Status): boolean =>
      (status === undefined || status === s) && !(q.has("late") && (s === "resolved" || s === "closed"));
    const of = (s: Status) => ({ and: [{ status: s }, ...where] });
    const assignee = /^[0-9]+$/.test(q.get("assignee") ?? "") ? (q.get("assignee") ?? "") : "";
    const variables = {
      first: this.limit(),
      isOpen: of("open"),
      isInProgress: of("in_progress"),
      isResolved: of("resolved"),
      isClosed: of("closed"),
      open: wants("open"),
      inProgress: wants("in_progress"),
      resolved: wants("resolved"),
      closed: wants("closed"),
      named: assignee !== "",
      user: assignee || "0",
    };
    return await ask(Document, variables, { signal });
  }

  private get zone(): string {
    return this.start.company.timezone;
  }

  private get writes(): boolean {
    return may(this.start, "ticket.write");
  }

  /** Whether who looks keeps the categories. */
  private get sorts(): boolean {
    return may(this.start, "ticket.write.all");
  }

  protected override render(): TemplateResult {
    const t = ticketsTexts();
    return html`${wayBack()}<div class="title">
        <h1 tabindex="-1">${texts().screens.tickets}</h1>
        ${this.changes.mark()}
        ${this.writes ? html`<button type="button" class="primary no-print" @click=${() => setQuery({ ticket: "new" })}>${t.newTicket}</button>` : nothing}
        ${this.sorts ? toCategories() : nothing}
      </div>
      ${this.#act.told()}
      <p role="status" class="outcome">${this.added ? html`${t.added} <a href=${linkTo(this.added.id)}>${nameOf(this.added)}</a>` : nothing}</p>
      ${this.filters()}
      ${shown(this.read, (read) => this.content(read))}
      ${this.opened()}
      ${this.sorts && query().has("categories") ? this.sorting() : nothing}`;
  }

  private sorting(): TemplateResult {
    return categoriesDialog(
      this.choices,
      () => html`<wf-categories of="tickets" .categories=${this.categories()} .keeping=${this.keeping}
        @wf-changed=${this.#sorted}></wf-categories>`,
    );
  }

  private readonly keeping: KeepingCategories = {
    add: (name, _parentId, key) => ask(AddTicketCategory, { input: { name } }, { key }),
    rename: (id, name, key) => ask(RenameTicketCategory, { id, input: { name } }, { key }),
    remove: (id, key) => ask(DeleteTicketCategory, { id }, { key }),
  };

  readonly #sorted = (): void => {
    void this.choices.again();
    void this.read.again();
  };

  private filters(): TemplateResult {
    const t = ticketsTexts();
    const w = workTexts();
    const others = may(this.start, ["ticket.read.team", "ticket.read.all"]);
    const categories = this.categories();
    return html`<div class="filters no-print">
      ${views()}
      ${filterText("search", w.search)}
      ${filter("status", w.status, [["", w.all], ...statuses.map((s) => [s, t.statuses[s]] as const)])}
      ${filter("priority", w.priority, [["", w.all], ...priorities.map((p) => [p, w.priorities[p]] as const)])}
      ${categories.length === 0 ? nothing : filter("category", w.category, [["", w.all], ...categories.map((c) => [c.id, c.name] as const)])}
      ${filter("concern", t.concern, [["", w.all], ...concerns.map((c) => [c, t.concerns[c]] as const)])}
      ${others ? filterPerson("assignee", t.assignee, this.read.value?.user ?? undefined, people) : nothing}
      ${filterBox("late", t.breached)}
    </div>`;
  }

  private categories() {
    return this.choices.value ? nodes(this.choices.value.ticketCategories) : [];
  }

  private content(read: TicketsQuery): TemplateResult {
    const t = ticketsTexts();
    const lanes = statuses.flatMap((status) => {
      const list = read[status];
      return list ? [{ status, label: t.statuses[status], cards: nodes(list) as Card[], total: list.totalCount }] : [];
    });
    const cards = lanes.flatMap((l) => l.cards);
    if (cards.length === 0) return this.empty();
    const all = lanes.reduce((sum, l) => sum + l.total, 0);
    return html`${query().get("view") === "list" ? table(texts().screens.tickets, this.columns(), cards) : this.board(lanes)}
      ${cards.length < all ? this.more(cards.length, all) : nothing}`;
  }

  private empty(): TemplateResult {
    const t = ticketsTexts();
    const w = workTexts();
    if (this.wanted().some((value) => value !== ""))
      return html`<div class="state"><p>${w.filtered}</p><p><a href="/app/tickets">${w.unfiltered}</a></p></div>`;
    return html`<div class="state"><p>${t.empty}</p>${this.writes ? html`<p>${t.emptyNext}</p>` : nothing}</div>`;
  }

  private more(count: number, all: number): TemplateResult {
    const t = texts().table;
    return html`<p class="more no-print">${t.shown(count, all)}
      <button type="button" ?disabled=${this.limit() >= most} @click=${() => setQuery({ shown: String(Math.min(most, this.limit() * 2)) })}>${t.more}</button></p>`;
  }

  private board(lanes: readonly Lane<Card>[]): TemplateResult {
    return board<Card>({
      label: texts().screens.tickets,
      lanes,
      id: (c) => c.id,
      name: nameOf,
      link: (c) => linkTo(c.id),
      content: (c) => this.card(c),
      next: (c) => (mayChange(this.start, c) ? nextOf(c.status) : []),
      move: (c, status) => void this.move(c, status as Status),
    });
  }

  private card(c: Card): TemplateResult {
    const w = workTexts();
    const about = [
      c.category?.name,
      c.priority === "normal" ? "" : `${w.priority}: ${w.priorities[c.priority]}`,
    ].filter(Boolean);
    return html`${about.length === 0 ? nothing : html`<p class="hint">${about.join(" · ")}</p>`}
      ${this.clock(c)}
      <p class="hint">${c.requester.name} → ${c.assignee?.name ?? w.nobody}</p>`;
  }

  private clock(c: Card): TemplateResult | typeof nothing {
    const clock = pressing(c, serverNow());
    if (!clock) return nothing;
    return html`<p class=${clock.state === "runs" && clock.seconds < 0 ? "late-text" : "hint"}>${namedClock(clock)}</p>`;
  }

  private clockText(c: Card): string {
    const clock = pressing(c, serverNow());
    return clock ? namedClock(clock) : "";
  }

  private columns(): Column<Card>[] {
    const t = ticketsTexts();
    const w = workTexts();
    return [
      {
        name: "subject",
        label: t.subject,
        text: nameOf,
        cell: (c) => html`<a href=${linkTo(c.id)}>${nameOf(c)}</a>`,
        order: (c) => c.number,
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
      {
        name: "clock",
        label: t.clock,
        text: (c) => this.clockText(c),
        cell: (c) => html`${this.clock(c)}`,
        order: (c) => pressing(c, serverNow())?.seconds ?? Number.MAX_SAFE_INTEGER,
      },
      { name: "category", label: w.category, text: (c) => c.category?.name ?? "" },
      { name: "requester", label: t.requester, text: (c) => c.requester.name },
      { name: "assignee", label: t.assignee, text: (c) => c.assignee?.name ?? "" },
      {
        name: "created",
        label: texts().inbox.asked,
        text: (c) => dateAndTime(c.createdAt, this.zone),
        order: (c) => c.createdAt,
      },
    ];
  }

  private async move(card: Card, status: Status): Promise<void> {
    await this.#act.run(async (key) => {
      await ask(UpdateTicket, { id: card.id, input: { status, ...versionOf(card) } }, { key });
      return workTexts().moved(nameOf(card), ticketsTexts().statuses[status]);
    }, `${card.id} ${card.status} ${status}`);
    await this.read.again();
    await this.updateComplete;
    if (document.activeElement === document.body)
      [...this.querySelectorAll<HTMLElement>("li a")].find((a) => a.getAttribute("href") === linkTo(card.id))?.focus();
  }

  /** The ticket that the address names, or the form of a new one. */
  private opened(): TemplateResult | typeof nothing {
    const ticket = query().get("ticket") ?? "";
    const categories = this.categories();
    if (ticket === "new" && this.writes)
      return html`<wf-new-ticket .start=${this.start} .categories=${categories} @wf-added=${this.#added}></wf-new-ticket>`;
    if (!/^[0-9]+$/.test(ticket)) return nothing;
    return html`${keyed(ticket, html`<wf-ticket .ticket=${ticket} .start=${this.start} .categories=${categories} @wf-changed=${this.read.again}></wf-ticket>`)}`;
  }

  readonly #added = (event: CustomEvent<NonNullable<Tickets["added"]>>): void => {
    this.added = event.detail;
    leave({ ticket: "" }, `${ticketsTexts().added} ${nameOf(event.detail)}`);
    void this.read.again();
  };
}

/** A ticket's number and subject. */
function nameOf(ticket: { readonly number: number; readonly subject: string }): string {
  return `#${ticket.number} ${ticket.subject}`;
}

/** The address that opens a ticket over what is shown. */
function linkTo(id: string): string {
  const to = query();
  to.set("ticket", id);
  return `/app/tickets?${to}`;
}

export function show(start: StartQuery): TemplateResult {
  return html`<wf-tickets .start=${start}></wf-tickets>`;
}
