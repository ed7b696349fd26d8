import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import { serverNow } from "../../api/clock.js";
import { Act } from "../../parts/act.js";
import { leave } from "../../parts/back.js";
import { beginOrKeep } from "../../parts/basis.js";
import { closing, dialog } from "../../parts/dialog.js";
import { type Fact, factList, said } from "../../parts/facts.js";
import "../../parts/files.js";
import type { Keeping } from "../../parts/files.js";
import { Form, type Values } from "../../parts/form.js";
import { Part, Reading } from "../../parts/part.js";
import { shown } from "../../parts/states.js";
import "../../parts/talk.js";
import type { Talking } from "../../parts/talk.js";
import { Ticking } from "../../parts/tick.js";
import { dateAndTime } from "../../parts/time.js";
import { workTexts } from "../../parts/work-texts.js";
import { may, query } from "../../router.js";
import type { StartQuery } from "../../shell.graphql.js";
import { texts } from "../../texts/texts.js";
import { type Offer, ticketFields } from "./fields.js";
import "./hold.js";
import "./merge.js";
import { clocksOf } from "./sla.js";
import { ticketsTexts } from "./texts.js";
import {
  AddTicketComment,
  AddTicketFile,
  ChangeTicketComment,
  DeleteTicketComment,
  DeleteTicketFile,
  FollowTicket,
  OpenTicket,
  ResumeTicket,
  UnfollowTicket,
  UpdateTicket,
} from "./tickets.graphql.js";
import {
  clockWords,
  inputOf,
  mayChange,
  mayNote,
  type Ticket as Row,
  type Status,
  type TicketInput,
  valuesOf,
  versionOf,
} from "./work.js";

const minute = 60_000;

/** The ticket that the address names, with all that belongs to it. */
@customElement("wf-ticket")
export class Ticket extends Part {
  /** The id of the ticket. */
  @property() ticket = "";
  @property({ attribute: false }) start!: StartQuery;
  @property({ attribute: false }) categories: Offer["categories"] = [];
  /** What is asked before it is done. */
  @state() private asking: "" | "hold" | "merge" = "";
  readonly #act = new Act(this);
  #form: Form | undefined;
  #focused = false;
  private readonly read = new Reading(this, (signal) => ask(OpenTicket, { id: this.ticket }, { signal }));

  constructor() {
    super();
    new Ticking(this, minute);
  }

  private get zone(): string {
    return this.start.company.timezone;
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

  override connectedCallback(): void {
    super.connectedCallback();
    this.addEventListener("wf-taken", this.#changed);
  }

  override disconnectedCallback(): void {
    this.removeEventListener("wf-taken", this.#changed);
    super.disconnectedCallback();
  }

  /** Whoever opens a ticket may answer it at once. */
  protected override updated(): void {
    if (this.#focused || !this.read.value) return;
    this.#focused = true;
    const talk = this.querySelector<Part>("wf-talk");
    void talk?.updateComplete.then(() => talk.querySelector<HTMLElement>("form textarea")?.focus());
  }

  private form(ticket: Row): Form {
    this.#form ??= new Form(this, `ticket ${this.ticket}`, (values, key) => this.save(values, key));
    beginOrKeep(this.#form, `ticket ${this.ticket}`, valuesOf(ticket));
    return this.#form;
  }

  private async save(values: Values, key: string): Promise<string> {
    const { version: _, ...changed } = this.#form?.changed ?? {};
    if (Object.keys(changed).length === 0) return ticketsTexts().nothingChanged;
    const based = values.version === undefined ? {} : { version: values.version };
    await ask(UpdateTicket, { id: this.ticket, input: inputOf({ ...changed, ...based }) }, { key });
    await this.read.again();
    this.dispatchEvent(new Event("wf-changed"));
    return texts().form.saved;
  }

  protected override render(): TemplateResult {
    const ticket = this.read.value?.ticket;
    const name = ticket ? `#${ticket.number} ${ticket.subject}` : ticketsTexts().openTicket;
    const content = html`<div class="actions bar">${ticket ? this.verbs(ticket) : nothing}${closing(ticketsTexts().back)}</div>
      ${this.#act.told()}
      ${shown(this.read, (read) => this.content(read.ticket))}`;
    return html`${dialog(name, content, () => query().get("ticket") === this.ticket && leave({ ticket: "" }))}
      ${this.asking === "hold" ? html`<wf-hold .ticket=${this.ticket} @wf-done=${this.#answered} @wf-left=${this.#left}></wf-hold>` : nothing}
      ${
        this.asking === "merge" && ticket
          ? html`<wf-merge .ticket=${ticket} @wf-done=${this.#answered} @wf-left=${this.#left}></wf-merge>`
          : nothing
      }`;
  }

  private verbs(ticket: Row): TemplateResult {
    const t = ticketsTexts();
    const me = this.start.viewer.id;
    const changes = mayChange(this.start, ticket);
    const writes = may(this.start, "ticket.write");
    const done = ticket.status === "resolved" || ticket.status === "closed";
    const follows = ticket.followers.some((f) => f.id === me);
    const button = (label: string, act: () => void): TemplateResult =>
      html`<button type="button" ?disabled=${this.#act.busy} @click=${act}>${label}</button>`;
    return html`${changes && ticket.assignee?.id !== me && !done ? button(t.take, () => this.change({ assigneeId: me }, t.taken)) : nothing}
      ${changes && !done ? button(t.resolve, () => this.status("resolved")) : nothing}
      ${changes && done && !ticket.duplicateOf ? button(t.reopen, () => this.status("open")) : nothing}
      ${changes && ticket.status === "resolved" ? button(t.close, () => this.status("closed")) : nothing}
      ${changes && !done && !ticket.heldAt ? button(t.hold, () => this.#ask("hold")) : nothing}
      ${changes && ticket.heldAt && !done ? button(t.resume, () => this.resume()) : nothing}
      ${changes && !ticket.duplicateOf ? button(t.merge, () => this.#ask("merge")) : nothing}
      ${changes && ticket.duplicateOf ? button(t.unmerge, () => this.change({ duplicateOfId: null }, t.unmerged)) : nothing}
      ${writes ? button(follows ? t.unfollow : t.follow, () => this.follow(!follows)) : nothing}`;
  }

  private content(ticket: Row): TemplateResult {
    const t = ticketsTexts();
    const changes = mayChange(this.start, ticket);
    const writes = may(this.start, "ticket.write");
    const form = this.form(ticket);
    const offer = {
      categories: this.categories,
      assigns: may(this.start, ["ticket.write.team", "ticket.write.all"]),
      ticket,
    };
    return html`${factList(this.facts(ticket))}
      <div class="halves" @wf-changed=${this.#inner}>
        <div>
          <h3>${t.description}</h3>
          <p class="text">${ticket.description || t.noDescription}</p>
          <wf-talk .of=${`ticket ${ticket.id}`} .comments=${ticket.comments} .talking=${this.talking} .me=${this.start.viewer.id}
            .zone=${this.zone} .verb=${t.reply} .writes=${writes} .rules=${changes} .notes=${mayNote(this.start, ticket)}></wf-talk>
        </div>
        <div>
          ${changes ? html`<h3>${t.details}</h3>${form.render(() => ticketFields(form, offer), texts().form.save, undefined, "plain")}` : nothing}
          <wf-files .heading=${workTexts().files} .adds=${workTexts().addFiles} .files=${ticket.attachments} .keeping=${this.keeping}
            .zone=${this.zone} .writes=${changes}></wf-files>
          ${this.holds(ticket)}
        </div>
      </div>`;
  }

  private facts(ticket: Row): Fact[] {
    const t = ticketsTexts();
    const w = workTexts();
    const at = (time: string | null | undefined): string => (time ? dateAndTime(time, this.zone) : "");
    const clocks = clocksOf(ticket, serverNow()).map((c): Fact => {
      const due = c.what === "answer" ? ticket.respondBy : ticket.resolveBy;
      const words = c.state === "held" ? t.heldSince(at(ticket.heldAt)) : `${clockWords(c)} (${at(due)})`;
      return [c.what === "answer" ? t.answer : t.resolution, words];
    });
    return [
      ...said([
        [w.status, t.statuses[ticket.status]],
        [w.priority, w.priorities[ticket.priority]],
        [t.requester, `${ticket.requester.name}, ${at(ticket.createdAt)}`],
        [t.assignee, ticket.assignee?.name ?? w.nobody],
        [w.category, ticket.category?.name],
        [t.followers, ticket.followers.map((f) => f.name).join(", ")],
        [t.duplicateOf, ticket.duplicateOf ? `#${ticket.duplicateOf.number} ${ticket.duplicateOf.subject}` : ""],
      ]),
      ...clocks,
    ];
  }

  private holds(ticket: Row): TemplateResult | typeof nothing {
    const t = ticketsTexts();
    const waits = ticket.holds.filter((h) => h.kind === "waiting");
    if (waits.length === 0) return nothing;
    return html`<h3>${t.holds}</h3><ul class="plain" aria-label=${t.holds}>${waits.map(
      (
        h,
      ) => html`<li>${t.until(dateAndTime(h.startedAt, this.zone), h.endedAt ? dateAndTime(h.endedAt, this.zone) : t.now)}
        <span class="hint">${[h.user.name, h.reason].filter(Boolean).join(": ")}</span></li>`,
    )}</ul>`;
  }

  private readonly keeping: Keeping = {
    add: (file, key) => ask(AddTicketFile, { input: { ticketId: this.ticket, file } }, { key }),
    remove: (id, key) => ask(DeleteTicketFile, { id }, { key }),
  };

  private readonly talking: Talking = {
    add: ({ text, internal }, key) =>
      ask(AddTicketComment, { input: { ticketId: this.ticket, text, internal } }, { key }),
    change: (id, text, key) => ask(ChangeTicketComment, { id, input: { text } }, { key }),
    remove: (id, key) => ask(DeleteTicketComment, { id }, { key }),
  };

  private status(status: Status): Promise<void> {
    return this.change({ status }, workTexts().moved(workTexts().status, ticketsTexts().statuses[status]));
  }

  /** Changes members at once, and says in words what was done. */
  private async change(members: TicketInput, done: string): Promise<void> {
    const input = { ...members, ...(this.read.value && versionOf(this.read.value.ticket)) };
    await this.do((key) => ask(UpdateTicket, { id: this.ticket, input }, { key }), done, JSON.stringify(input));
  }

  private async resume(): Promise<void> {
    await this.do((key) => ask(ResumeTicket, { id: this.ticket }, { key }), ticketsTexts().resumed, "resume");
  }

  private async follow(follows: boolean): Promise<void> {
    const t = ticketsTexts();
    const input = { ticketId: this.ticket };
    const send = (key: string): Promise<unknown> =>
      follows ? ask(FollowTicket, { input }, { key }) : ask(UnfollowTicket, { input }, { key });
    await this.do(send, follows ? t.following : t.unfollowed, `follow ${follows}`);
  }

  private async do(send: (key: string) => Promise<unknown>, done: string, same: string): Promise<void> {
    const at = document.activeElement;
    await this.#act.run(async (key) => {
      await send(key);
      return done;
    }, same);
    this.#changed();
    await this.updateComplete;
    if (!at?.isConnected) this.querySelector<HTMLElement>("dialog .bar button")?.focus();
  }

  readonly #inner = (event: Event): void => {
    event.stopPropagation();
    this.#changed();
  };

  #ask(what: "hold" | "merge"): void {
    this.asking = what;
  }

  readonly #left = (): void => {
    this.asking = "";
  };

  readonly #answered = (): void => {
    this.asking = "";
    this.#changed();
  };
}
