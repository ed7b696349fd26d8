import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { ask } from "../api/client.js";
import { serverNow } from "../api/clock.js";
import { closing, dialog } from "../parts/dialog.js";
import { factList, said } from "../parts/facts.js";
import { type NodeOf, nodes } from "../parts/nodes.js";
import { Part, Reading } from "../parts/part.js";
import { shown, words } from "../parts/states.js";
import { addDays, clock, dateAndTime, day, duration, hoursOf, isFlexible, monthOf } from "../parts/time.js";
import { setQuery } from "../router.js";
import { texts } from "../texts/texts.js";
import { asked, flagged, judged } from "./clock-events.js";
import { ConfirmAttendance, type DayQuery, Day as Document } from "./day.graphql.js";
import { timesheetsTexts } from "./timesheets/texts.js";

type Attendance = NodeOf<DayQuery["attendances"]>;

/**
 * One person's day: a part of the screen, or a dialog of the one whose address names them. `person` is who,
 * and `on` the date.
 */
@customElement("wf-day")
export class Day extends Part {
  /** The id of the person. */
  @property() person = "";
  @property() date = "";
  @property() zone = "UTC";
  /** Whether who looks may confirm what a rule closed, and decides about what waits. */
  @property({ type: Boolean }) confirms = false;
  /** Whether who looks reads corrections. */
  @property({ type: Boolean }) corrections = false;
  /** Whether who looks reads leave. */
  @property({ type: Boolean }) leaves = false;
  /** The member of the address that has the date. */
  @property() member = "on";
  /** Whether it is a part of the screen. */
  @property({ type: Boolean }) inline = false;
  @state() private error: unknown;
  @state() private confirmed = false;
  private readonly read = new Reading(
    this,
    (signal) => {
      const { person: user, date, corrections, leaves } = this;
      return ask(Document, { user, date, day: date, corrections, leaves }, { signal });
    },
    () => `day ${this.person} ${this.date}`,
  );

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (!this.hasUpdated || !(changed.has("person") || changed.has("date"))) return;
    this.read.value = undefined;
    this.error = undefined;
    this.confirmed = false;
    void this.read.again();
  }

  /** Reads anew. */
  again(): void {
    void this.read.again();
  }

  protected override render(): TemplateResult {
    const t = texts().day;
    const step = (days: number): void => setQuery({ [this.member]: addDays(this.date, days) });
    const content = html`<p class="step">
        <button type="button" @click=${() => step(-1)}>${t.previous}</button>
        <span aria-live="polite">${day(this.date)}</span>
        <button type="button" @click=${() => step(1)}>${t.next}</button>
      </p>
      <p role="status" class="outcome">${this.confirmed ? t.confirmed : ""}</p>
      ${this.error === undefined ? nothing : html`<p class="fault" role="alert">${words(this.error)}</p>`}
      ${shown(this.read, (read) => this.content(read))}`;
    if (this.inline) return content;
    return dialog(
      this.read.value?.user.name ?? t.heading,
      html`${content}<div class="actions">${closing()}</div>`,
      () => setQuery({ person: "", on: "" }),
    );
  }

  private content(read: DayQuery): TemplateResult {
    const t = texts().day;
    const shifts = nodes(read.shifts);
    const events = nodes(read.attendances);
    const leaves = nodes(read.leaves ?? {}).filter((l) => l.dates.includes(this.date));
    const waiting = nodes(read.corrections ?? {}).filter((c) => Date.parse(c.expiresAt) > serverNow());
    const part = read.timesheet.people[0]?.parts[0];
    const expected = shifts.some(isFlexible) ? 0 : (part?.expectedSeconds ?? 0); // the whole day is what nobody expects
    const sums = said([
      [t.shift, shifts.map((s) => `${s.name}, ${hoursOf(s, s.timezone)}`).join("; ")],
      [t.status, events.length === 0 ? timesheetsTexts().statuses[part?.status ?? "none"] : ""],
      [t.leave, leaves.map((l) => l.leaveType.name).join(", ")],
      [t.worked, part && part.workedSeconds > 0 ? duration(part.workedSeconds) : ""],
      [t.expected, expected > 0 ? duration(expected) : ""],
      [t.late, part && part.lateSeconds > 0 ? duration(part.lateSeconds) : ""],
      [t.overtime, part && part.overtimeSeconds > 0 ? duration(part.overtimeSeconds) : ""],
    ]);
    const month = this.date.slice(0, 7);
    const sheet = html`<p class="no-print"><a href=${`/app/timesheets?month=${month}&person=${this.person}`}>${t.month(monthOf(month))}</a></p>`;
    if (sums.length + events.length + waiting.length === 0) return html`<p>${t.empty}</p>${sheet}`;
    const overtime = part?.estimatedOvertimeSeconds ?? 0;
    return html`${factList(sums)}
      ${events.length === 0 ? nothing : html`<ul class="items" aria-label=${t.events}>${events.map((e) => this.event(e, overtime))}</ul>`}
      ${waiting.map((c) => html`${this.waits(t.correction)}${factList(asked(c))}`)}
      ${sheet}`;
  }

  /** Says that something waits for a decision, and why. */
  private waits(why: string): TemplateResult {
    const t = texts().day;
    return html`<p class="warning">${this.confirms ? html`<a href="/app/inbox">${t.waits}</a>` : t.waits}: ${why}</p>`;
  }

  /** One event; overtime is that of the day once all is confirmed, in seconds. */
  private event(e: Attendance, overtime: number): TemplateResult {
    const t = texts();
    const out = e.clockedOutAt
      ? t.clockEvents.out(clock(e.clockedOutAt, e.clockedOutZone ?? e.clockedInZone))
      : t.day.open;
    return html`<li>
      <div>
        <p><strong>${t.clockEvents.in(clock(e.clockedInAt, e.clockedInZone))}</strong> · ${e.address.name}${this.foreign(e.clockedInZone)}</p>
        ${factList(judged(e.clockedInVerdict, e.clockedInFlags, e.clockedInNote))}
        ${e.clockedInReview === "pending" ? this.waits(flagged(e.clockedInFlags)) : nothing}
        ${this.decided(e.clockedInReview, e.clockedInReviewer?.name, e.clockedInReviewedAt, e.clockedInReviewNote)}
        <p><strong>${out}</strong></p>
        ${e.clockedOutAt ? factList(judged(e.clockedOutVerdict, e.clockedOutFlags, e.clockedOutNote)) : nothing}
        ${e.clockedOutReview === "pending" ? this.waits(flagged(e.clockedOutFlags)) : nothing}
        ${this.decided(e.clockedOutReview, e.clockedOutReviewer?.name, e.clockedOutReviewedAt, e.clockedOutReviewNote)}
        ${e.needsConfirmation ? this.unconfirmed(e, overtime) : nothing}
      </div>
    </li>`;
  }

  /** Says who decided about what was flagged, and how. */
  private decided(
    review: Attendance["clockedInReview"],
    by = "",
    at?: string | null,
    note?: string | null,
  ): TemplateResult | typeof nothing {
    if (!at || (review !== "accepted" && review !== "rejected")) return nothing;
    const said = texts().day[review](by, dateAndTime(at, this.zone));
    return html`<p class=${review === "rejected" ? "warning" : ""}>${said} ${note ?? ""}</p>`;
  }

  /** Names a zone that is not the company's. */
  private foreign(zone: string): string {
    return zone === this.zone ? "" : ` · ${texts().time.zone(zone)}`;
  }

  private unconfirmed(e: Attendance, overtime: number): TemplateResult {
    const t = texts().day;
    return html`<p class="warning">${t.forgotten} ${e.closingRule ? t.rules[e.closingRule] : ""}
        ${t.leadsTo(overtime > 0 ? duration(overtime) : "")}</p>
      ${this.confirms ? html`<p>${t.forgottenHint}</p><button type="button" class="primary" @click=${() => this.confirm(e.id)}>${t.confirm}</button>` : nothing}`;
  }

  private async confirm(id: string): Promise<void> {
    this.error = undefined;
    try {
      await ask(ConfirmAttendance, { id });
      this.confirmed = true;
    } catch (error) {
      this.error = error;
    }
    await this.read.again();
    await this.updateComplete;
    this.querySelector<HTMLElement>("button")?.focus(); // the one that was used is gone
    this.dispatchEvent(new Event("wf-changed", { bubbles: true }));
  }
}
