import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import { serverNow } from "../../api/clock.js";
import { Part, Reading } from "../../parts/part.js";
import { shown, words } from "../../parts/states.js";
import { type Column, inOrder, table } from "../../parts/table.js";
import { addMonths, dateIn, datesOf, hours, monthOf } from "../../parts/time.js";
import { may, query, setQuery } from "../../router.js";
import type { StartQuery } from "../../shell.graphql.js";
import { texts } from "../../texts/texts.js";
import "./lock.js";
import { decimal, monthAsked, monthsToChoose, type Person, people, sumOf } from "./month.js";
import "./payroll.js";
import "./person.js";
import { timesheetsTexts } from "./texts.js";
import { Booked, Businesses, Timesheets as Document, type TimesheetsQuery } from "./timesheets.graphql.js";

type Read = TimesheetsQuery["timesheet"];

/** How many people are read first, so that some are shown soon, and how many with each request then. */
const first = 100;
const page = 1_000;
/** How long somebody has to pause before what they search for is in the address, in milliseconds. */
const pause = 200;

/** A month of everybody whose attendance one reads; of who reads their own alone, their days. */
@customElement("wf-timesheets")
export class Timesheets extends Part {
  @property({ attribute: false }) start!: StartQuery;
  private readonly sheet = new Reading(this, (signal) => this.everybody(signal));
  private readonly booked = new Reading(this, async (signal) => {
    if (this.alone() || !may(this.start, "time.read")) return undefined;
    const { timeTotals } = await ask(Booked, datesOf(this.month()), { signal });
    return new Map(timeTotals.groups.flatMap((g) => (g.key == null ? [] : [[g.key, g.seconds] as const])));
  });
  private readonly businesses = new Reading(this, async (signal) =>
    this.alone() ? [] : (await ask(Businesses, {}, { signal })).businessStructure,
  );
  /** What was asked for, and of whom the days are shown. */
  #asked = "";
  #month = "";
  #person = "";
  /** The id of whose days were left for the list. */
  #left = "";
  /** How far the page was scrolled before a person's days were shown, in pixels. */
  #scrolled = 0;
  #timer = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#asked = this.asked();
    this.#month = this.month();
    this.#person = this.person();
    addEventListener("wf-place", this.#place);
  }

  override disconnectedCallback(): void {
    removeEventListener("wf-place", this.#place);
    clearTimeout(this.#timer);
    super.disconnectedCallback();
  }

  /** Whether who looks reads nobody's time but their own. */
  private alone(): boolean {
    return !may(this.start, ["attendance.read.team", "attendance.read.all"]);
  }

  private today(): string {
    return dateIn(this.start.company.timezone, new Date(serverNow()));
  }

  private month(): string {
    return monthAsked(query().get("month"), this.today());
  }

  /** The id of whose days are shown; "" for nobody. */
  private person(): string {
    if (this.alone()) return this.start.viewer.id;
    const asked = query().get("person") ?? "";
    return /^[0-9]+$/.test(asked) ? asked : "";
  }

  private asked(): string {
    return `${this.month()} ${query().get("business") ?? ""}`;
  }

  readonly #place = (): void => {
    if (this.#asked !== this.asked()) {
      this.#asked = this.asked();
      this.sheet.value = undefined; // that of another month would be taken for this one's
      void this.sheet.again();
    }
    if (this.#month !== this.month()) {
      this.#month = this.month();
      this.booked.value = undefined;
      void this.booked.again();
    }
    if (this.#person !== this.person()) this.#turn();
    this.requestUpdate();
  };

  /** Leaves the list for a person's days, or comes back to where it was. */
  #turn(): void {
    const former = this.#person;
    this.#person = this.person();
    if (former === "") this.#scrolled = scrollY;
    this.#left = this.#person === "" ? former : "";
  }

  /** Comes back to whom one left, once everybody is there again. */
  protected override updated(): void {
    const left = this.#left;
    if (left === "" || this.sheet.value === undefined) return;
    this.#left = "";
    requestAnimationFrame(() => {
      scrollTo(0, this.#scrolled);
      requestAnimationFrame(() => this.querySelector<HTMLElement>(`a[data-person="${left}"]`)?.focus());
    });
  }

  /** Reads everybody page by page, and shows those who are there. */
  private async everybody(signal: AbortSignal): Promise<Read> {
    if (this.alone()) return { totalCount: 1, people: [] };
    const business = query().get("business");
    const asked = { ...datesOf(this.month()), ...(business && { businessId: business }) };
    const of = async (n: number, limit: number): Promise<Read> =>
      (await ask(Document, { ...asked, page: n, limit }, { signal })).timesheet;
    let read = await of(1, first);
    for (let n = 1; read.people.length < read.totalCount; n++) {
      if (signal.aborted) return read;
      this.sheet.value = read;
      this.requestUpdate();
      const more = await of(n, page);
      if (more.people.length === 0) break; // some have left meanwhile
      read = { totalCount: more.totalCount, people: n === 1 ? more.people : [...read.people, ...more.people] };
    }
    return read;
  }

  protected override render(): TemplateResult {
    const month = this.month();
    const person = this.person();
    return html`<div class="title"><h1 tabindex="-1">${texts().screens.timesheets}</h1>
        <p aria-live="polite">${monthOf(month)}</p></div>
      ${this.choices(month, person)}
      <div class="chores no-print">${this.payroll(month)}
        <wf-lock .month=${month} .today=${this.today()} .locks=${may(this.start, "company.write")}></wf-lock></div>
      ${person === "" ? nothing : this.days(month, person)}
      <div class="sheet-list" ?hidden=${person !== ""}>${this.alone() ? nothing : shown(this.sheet, (read) => this.list(read))}</div>`;
  }

  private choices(month: string, person: string): TemplateResult {
    const t = timesheetsTexts();
    const to = (next: string): void => setQuery({ month: next, report: "" });
    return html`<div class="filters months no-print">
      <button type="button" aria-label=${t.previous} @click=${() => to(addMonths(month, -1))}><span aria-hidden="true">‹</span></button>
      <label>${t.month}
        <select @change=${(e: Event) => to((e.target as HTMLSelectElement).value)}>${monthsToChoose(
          this.today(),
          month,
        ).map((m) => html`<option value=${m} .selected=${m === month}>${monthOf(m)}</option>`)}</select></label>
      <button type="button" aria-label=${t.next} @click=${() => to(addMonths(month, 1))}><span aria-hidden="true">›</span></button>
      ${person === "" ? this.filters() : nothing}</div>`;
  }

  private filters(): TemplateResult {
    const t = timesheetsTexts();
    const chosen = query().get("business") ?? "";
    const businesses = this.businesses.value ?? [];
    return html`${
      businesses.length < 2
        ? nothing
        : html`<label>${t.business}
          <select @change=${(e: Event) => setQuery({ business: (e.target as HTMLSelectElement).value })}>
            <option value="" .selected=${chosen === ""}>${t.allBusinesses}</option>
            ${businesses.map((b) => html`<option value=${b.id} .selected=${b.id === chosen}>${"\u2003".repeat(b.depth) + b.name}</option>`)}
          </select></label>`
    }
      <label>${t.search}
        <input type="search" class="search" .value=${query().get("search") ?? ""} @input=${this.#search}></label>`;
  }

  readonly #search = (event: Event): void => {
    const { value } = event.target as HTMLInputElement;
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => setQuery({ search: value }), pause);
  };

  private payroll(month: string): TemplateResult | typeof nothing {
    if (!may(this.start, "report.write") || !may(this.start, "report.read")) return nothing;
    return html`<wf-payroll .month=${month} .alone=${this.alone()}></wf-payroll>`;
  }

  private days(month: string, id: string): TemplateResult {
    const t = timesheetsTexts();
    const list = inOrder(this.columns(), this.found(), query().get("sort") ?? "");
    const at = list.findIndex((p) => p.userId === id);
    const step = (by: number, name: string): TemplateResult | typeof nothing => {
      const to = at < 0 ? undefined : list[at + by];
      return to ? html`<a href=${address(to.userId)}>${name}: ${to.name}</a>` : nothing;
    };
    return html`${
      this.alone()
        ? nothing
        : html`<p class="step no-print"><a href=${address("")}>‹ ${t.all}</a><span class="actions">
          ${step(-1, t.previousPerson)} ${step(1, t.nextPerson)}</span></p>`
    }
      <wf-person-month .start=${this.start} .person=${id} .month=${month} .alone=${this.alone()}></wf-person-month>`;
  }

  /** Those who were read and have what is searched for in their name. */
  private found(): Person[] {
    return people(this.sheet.value?.people ?? [], this.booked.value, query().get("search") ?? "");
  }

  private list(read: Read): TemplateResult {
    const t = timesheetsTexts();
    if (read.totalCount === 0) return html`<div class="state"><p>${t.empty}</p><p>${t.emptyNext}</p></div>`;
    const found = this.found();
    return html`<p role="status" class="hint">${read.people.length < read.totalCount ? t.reading(read.people.length, read.totalCount) : ""}</p>
      ${this.booked.error === undefined ? nothing : html`<p class="fault" role="alert">${t.booked}: ${words(this.booked.error)}</p>`}
      ${
        found.length === 0
          ? html`<div class="state"><p>${t.none}</p></div>`
          : html`${this.sums(found)}${table(`${texts().screens.timesheets} ${monthOf(this.month())}`, this.columns(), found)}`
      }`;
  }

  private sums(found: readonly Person[]): TemplateResult {
    const t = timesheetsTexts();
    const sum = sumOf(found);
    const tiles: readonly (readonly [string, string])[] = [
      [t.people, String(found.length)],
      [t.worked, hours(sum.worked)],
      ...(sum.booked === undefined ? [] : [[t.booked, hours(sum.booked)] as const]),
      [t.expected, hours(sum.expected)],
      [t.late, hours(sum.late)],
      [t.overtime, hours(sum.overtime)],
    ];
    return html`<ul class="counts sums" aria-label=${t.sums}>${tiles.map(
      ([name, text]) => html`<li class="count"><span>${name}</span> <strong>${text}</strong></li>`,
    )}</ul>`;
  }

  private columns(): Column<Person>[] {
    const t = timesheetsTexts();
    const booked = this.booked.value !== undefined;
    return [
      {
        name: "person",
        label: t.person,
        text: (p) => p.name,
        cell: (p) => html`<a href=${address(p.userId)} data-person=${p.userId}>${p.name}</a>`,
      },
      time("worked", t.worked, (p) => p.total.workedSeconds),
      ...(booked ? [time("booked", t.booked, (p) => p.bookedSeconds ?? 0)] : []),
      time("expected", t.expected, (p) => p.total.expectedSeconds),
      {
        ...time("late", t.late, (p) => p.total.lateSeconds),
        cell: (p) =>
          p.total.lateSeconds === 0
            ? ""
            : html`<span><span class="hint">${t.lateDays(p.total.lateDays)}</span> ${hours(p.total.lateSeconds)}</span>`,
      },
      time("overtime", t.overtime, (p) => p.total.overtimeSeconds),
      number("absent", t.absent, (p) => p.total.absentDays),
      number("unconfirmed", t.unconfirmed, (p) => p.total.unconfirmedDays),
    ];
  }
}

/** A column of seconds: hours and minutes, decimal hours where it is saved; nothing for 0. */
function time(name: string, label: string, of: (p: Person) => number): Column<Person> {
  return {
    name,
    label,
    text: (p) => (of(p) === 0 ? "" : decimal(of(p))),
    cell: (p) => (of(p) === 0 ? "" : hours(of(p))),
    order: of,
  };
}

function number(name: string, label: string, of: (p: Person) => number): Column<Person> {
  return { name, label, text: (p) => (of(p) === 0 ? "" : String(of(p))), order: of };
}

/** The address that shows the days of a person, and of "" that of everybody. */
function address(person: string): string {
  const to = query();
  if (person === "") to.delete("person");
  else to.set("person", person);
  const text = to.toString();
  return `/app/timesheets${text && `?${text}`}`;
}

export function show(start: StartQuery): TemplateResult {
  return html`<wf-timesheets .start=${start}></wf-timesheets>`;
}
