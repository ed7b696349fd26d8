import { html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import { Fault } from "../../api/fault.js";
import { factList, said } from "../../parts/facts.js";
import { Part, Reading } from "../../parts/part.js";
import { shown } from "../../parts/states.js";
import { type Column, table } from "../../parts/table.js";
import { clock, dateOf, datesOf, hours, monthOf } from "../../parts/time.js";
import { may } from "../../router.js";
import type { StartQuery } from "../../shell.graphql.js";
import { flagged } from "../clock-events.js";
import { type Day, daysOf } from "./days.js";
import { decimal } from "./month.js";
import { timesheetsTexts } from "./texts.js";
import { BookedDays, PersonMonth as Document } from "./timesheets.graphql.js";

/** The days of a person in a month, with their sums. */
@customElement("wf-person-month")
export class PersonMonth extends Part {
  @property({ attribute: false }) start!: StartQuery;
  /** The id of the person. */
  @property() person = "";
  /** The month, such as 2026-03. */
  @property() month = "";
  /** Whether the screen has these days alone, and keeps the focus. */
  @property({ type: Boolean }) alone = false;
  readonly #read = new Reading(this, async (signal) => {
    const { from, to } = datesOf(this.month);
    const asked = { id: this.person, ids: [this.person], from, to, first: from, last: to };
    const rights = { shifts: may(this.start, "shift.read"), leave: may(this.start, "leave.read") };
    const read = await ask(Document, { ...asked, ...rights }, { signal });
    return { read, booked: await this.#booked(signal) };
  });
  #told = "";

  /** Booked seconds by date; undefined where one does not read the time that this person books. */
  async #booked(signal: AbortSignal): Promise<ReadonlyMap<string, number> | undefined> {
    if (!may(this.start, "time.read")) return undefined;
    try {
      const { timeTotals } = await ask(BookedDays, { ids: [this.person], ...datesOf(this.month) }, { signal });
      return new Map(timeTotals.groups.flatMap((g) => (g.key == null ? [] : [[g.key, g.seconds] as const])));
    } catch (error) {
      if (error instanceof Fault && error.code === "NOT_FOUND") return undefined;
      throw error;
    }
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (!this.hasUpdated || !(changed.has("person") || changed.has("month"))) return;
    this.#read.value = undefined;
    void this.#read.again();
  }

  /** Goes to the days of a person once they are there. */
  protected override updated(): void {
    if (this.#read.value === undefined || this.#told === this.person) return;
    this.#told = this.person;
    if (!this.alone) this.querySelector("h2")?.focus();
  }

  protected override render(): TemplateResult {
    return shown(this.#read, ({ read, booked }) => {
      const t = timesheetsTexts();
      const person = read.timesheet.people[0];
      if (!person) return html`<div class="state"><p>${t.emptyMonth}</p></div>`;
      const { total } = person;
      const days = daysOf(read, booked);
      const sum = booked && [...booked.values()].reduce((all, seconds) => all + seconds, 0);
      return html`<section aria-labelledby="person-heading">
        <h2 id="person-heading" tabindex="-1">${person.name}</h2>
        ${factList(
          said([
            [t.worked, hours(total.workedSeconds)],
            [t.booked, sum === undefined ? "" : hours(sum)],
            [t.expected, hours(total.expectedSeconds)],
            [t.late, total.lateSeconds > 0 ? `${hours(total.lateSeconds)} · ${t.lateDays(total.lateDays)}` : hours(0)],
            [t.overtime, hours(total.overtimeSeconds)],
            [t.absent, total.absentDays > 0 ? String(total.absentDays) : ""],
          ]),
        )}
        ${table(`${person.name} ${monthOf(this.month)}`, this.columns(days, booked !== undefined), days)}</section>`;
    });
  }

  /** What is known of days; of columns that no day has anything in, those that always are. */
  private columns(days: readonly Day[], booked: boolean): Column<Day>[] {
    const t = timesheetsTexts();
    const columns: (Column<Day> | false)[] = [
      { name: "day", label: t.date, text: (d) => d.date, cell: (d) => dateOf(d.date) },
      { name: "day-status", label: t.status, text: (d) => t.statuses[d.status], cell: (d) => mark(d) },
      { name: "day-shift", label: t.shift, text: (d) => d.shifts.map((s) => this.shift(s)).join(", ") },
      {
        name: "day-in",
        label: t.in,
        text: (d) => d.events.map((e) => this.at(e.clockedInAt, e.clockedInZone)).join(", "),
      },
      {
        name: "day-out",
        label: t.out,
        text: (d) =>
          d.events
            .map((e) => (e.clockedOutAt ? this.at(e.clockedOutAt, e.clockedOutZone ?? e.clockedInZone) : t.open))
            .join(", "),
      },
      time("day-worked", t.worked, (d) => d.worked),
      booked && time("day-booked", t.booked, (d) => d.booked),
      time("day-expected", t.expected, (d) => d.expected),
      time("day-late", t.late, (d) => d.late),
      time("day-overtime", t.overtime, (d) => d.overtime),
      { name: "day-leave", label: t.leave, text: (d) => leave(d) },
      {
        name: "day-flags",
        label: t.flags,
        text: (d) => [flagged(d.flags), d.confirm ? t.confirm : ""].filter((f) => f !== "").join(", "),
      },
    ];
    const optional = new Set(["day-leave", "day-flags"]);
    return columns
      .filter((c) => c !== false)
      .filter((c) => !optional.has(c.name) || days.some((d) => c.text(d) !== ""));
  }

  private shift(s: Day["shifts"][number]): string {
    return `${clock(s.startAt, s.timezone)}–${this.at(s.endAt, s.timezone)}`;
  }

  /** A time of day in a zone, which is named where it is not the company's. */
  private at(time: string, zone: string): string {
    return zone === this.start.company.timezone ? clock(time, zone) : `${clock(time, zone)} (${zone})`;
  }
}

/** The leave of a day, with its length where that is known. */
function leave(d: Day): string {
  if (d.leaves.length === 0) return d.leaveSeconds > 0 ? hours(d.leaveSeconds) : "";
  return d.leaveSeconds > 0 ? `${d.leaves.join(", ")} ${hours(d.leaveSeconds)}` : d.leaves.join(", ");
}

function mark(d: Day): TemplateResult | string {
  const text = timesheetsTexts().statuses[d.status];
  const tone = { present: "in", half_day: "in", needs_confirmation: "late" }[d.status as string] ?? d.status;
  return text === "" ? "" : html`<span class="status ${tone}">${text}</span>`;
}

/** A column of seconds: hours and minutes, decimal hours where it is saved; nothing for 0. */
function time(name: string, label: string, of: (d: Day) => number): Column<Day> {
  return {
    name,
    label,
    text: (d) => (of(d) === 0 ? "" : decimal(of(d))),
    cell: (d) => (of(d) === 0 ? "" : hours(of(d))),
    order: of,
  };
}
