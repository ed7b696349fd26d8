import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import { serverNow } from "../../api/clock.js";
import { closing, dialog } from "../../parts/dialog.js";
import { factList, said } from "../../parts/facts.js";
import { dateOfQuery } from "../../parts/filters.js";
import { regain } from "../../parts/focus.js";
import { Part, Reading } from "../../parts/part.js";
import { shown } from "../../parts/states.js";
import { addDays, addMonths, dateIn, datesOf, duration, hoursOf, monthOf } from "../../parts/time.js";
import { may, mayOthers, query, setQuery } from "../../router.js";
import type { StartQuery } from "../../shell.graphql.js";
import { language } from "../../texts/texts.js";
import "../day.js";
import "./ask-correction.js";
import "./ask-leave.js";
import "./ask-swap.js";
import { Month as Document, type MonthQuery } from "./days.graphql.js";
import { daysTexts } from "./days-texts.js";
import { daysOf, dayWords, gridOf, hoursWord, type Mark, type MonthDay, moved } from "./month.js";
import "./requests.js";
import type { Requests } from "./requests.js";
import { meTexts } from "./texts.js";

const asks = ["leave", "correction", "swap"] as const;
type Ask = (typeof asks)[number];

/** A month of the person's own: its days, what they asked for, and what became of that. */
@customElement("wf-days")
export class Days extends Part {
  @property({ attribute: false }) start!: StartQuery;
  /** What was asked for last, in words. */
  @state() private told = "";
  private readonly read = new Reading(
    this,
    (signal) => {
      const { from, to } = datesOf(this.month());
      const [first, last] = [addDays(from, -6), addDays(to, 6)];
      const { start } = this;
      const at = { me: start.viewer.id, from: first, to: last, first, last, week: from, next: addDays(from, 28) };
      const plan = may(start, "shift.read") && !mayOthers(start, "shift.read"); // else the first row is another's
      this.#asked = this.month();
      return ask(Document, { ...at, plan, leave: may(start, "leave.read") }, { signal });
    },
    () => `days ${this.month()}`,
  );
  #asked = "";
  /** The date of the month that Tab leads to; "" for the one that is open, today or the first. */
  @state() private at = "";
  /** The date that gets the focus once it is there. */
  #wanted = "";

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
    if (query().has("ask")) this.told = "";
    if (this.month() === this.#asked) return;
    this.read.value = undefined;
    void this.read.again();
  };

  protected override updated(): void {
    regain(this.querySelector("dialog")); // where it shows something else now
    const wanted = this.querySelector<HTMLElement>(`.month [data-date="${this.#wanted}"]`);
    if (!wanted) return;
    this.#wanted = "";
    wanted.focus();
  }

  private today(): string {
    return dateIn(this.start.company.timezone, new Date(serverNow()));
  }

  /** The month that is shown: that of the address, else of the date that is opened, else this one. */
  private month(): string {
    const month = query().get("month") ?? "";
    if (/^[0-9]{4}-(0[1-9]|1[0-2])$/.test(month)) return month;
    return (dateOfQuery("date") || this.today()).slice(0, 7);
  }

  protected override render(): TemplateResult {
    return html`<div class="title"><h1 tabindex="-1">${meTexts().places.days}</h1></div>
      <p role="status" class="outcome" tabindex="-1">${this.told}</p>
      ${this.offers("")}
      <div class="own-days"><div>${this.steps()}${shown(this.read, (read) => this.grid(read))}</div>
        <div><wf-requests .start=${this.start} @wf-changed=${this.read.again}></wf-requests></div></div>
      ${this.opened()}`;
  }

  private steps(): TemplateResult {
    const t = daysTexts();
    const month = this.month();
    const go = (months: number) => (): void => setQuery({ month: addMonths(month, months), date: "" });
    return html`<p class="step">
      <button type="button" aria-label=${t.previous} @click=${go(-1)}>‹</button>
      <strong aria-live="polite">${monthOf(month)}</strong>
      <button type="button" aria-label=${t.next} @click=${go(1)}>›</button>
      ${month === this.today().slice(0, 7) ? nothing : html`<button type="button" @click=${() => setQuery({ month: "", date: "" })}>${t.thisMonth}</button>`}
    </p>`;
  }

  private grid(read: MonthQuery): TemplateResult {
    const t = daysTexts();
    const month = this.month();
    const dates = gridOf(month, read.company.settings.firstWeekday);
    const days = daysOf(read, dates, this.start.company.timezone, serverNow());
    const at = [this.at, dateOfQuery("date"), this.today(), `${month}-01`].find((d) => dates.includes(d)) ?? "";
    const weeks = days.filter((_, i) => i % 7 === 0).map((_, i) => days.slice(7 * i, 7 * i + 7));
    const key = (event: KeyboardEvent): void => this.#move(event, dates);
    const marks = [...new Set(days.map((d) => d.mark))].filter((m) => m !== "");
    const own = days.filter((d) => d.date.startsWith(month));
    const sum = (of: (d: MonthDay) => number): number => own.reduce((all, d) => all + of(d), 0);
    const worked = sum((d) => d.workedSeconds);
    const overtime = sum((d) => d.overtimeSeconds);
    const late = own.filter((d) => d.mark === "late").length;
    return html`<ul class="weekdays" aria-hidden="true">${days.slice(0, 7).map((d) => html`<li>${weekday(d.date)}</li>`)}</ul>
      <div class="month" role="grid" aria-label=${monthOf(month)} aria-describedby="month-keys" @keydown=${key} @focusin=${this.#focused}>${weeks.map(
        (week) => html`<div role="row">${week.map((d) => this.cell(d, month, d.date === at))}</div>`,
      )}</div>
      <p id="month-keys" hidden>${t.monthKeys}</p>
      <ul class="legend" aria-label=${t.legend}>${marks.map(
        (m) => html`<li>${mark(m)} ${t.marks[m as Exclude<Mark, "">]}</li>`,
      )}${days.some((d) => d.away.length > 0) ? html`<li><b aria-hidden="true">+</b> ${t.awayMark}</li>` : nothing}</ul>
      ${factList(
        said([
          [t.worked, worked > 0 ? duration(worked) : ""],
          [t.overtime, overtime > 0 ? duration(overtime) : ""],
          [t.lateDays, late > 0 ? String(late) : ""],
        ]),
      )}`;
  }

  readonly #focused = (event: FocusEvent): void => {
    this.at = (event.target as HTMLElement).dataset.date ?? this.at;
  };

  /** Goes to the day that a key leads to, in this month's grid or in that of another month. */
  #move(event: KeyboardEvent, dates: readonly string[]): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const date = moved(event.key, this.at, dates);
    if (!date) return;
    event.preventDefault();
    this.at = date;
    this.#wanted = date;
    const month = date.slice(0, 7);
    const shows = event.key.startsWith("Page") ? month === this.month() : dates.includes(date);
    if (!shows) setQuery({ month, date: "" });
    this.requestUpdate();
  }

  private cell(d: MonthDay, month: string, tab: boolean): TemplateResult {
    const hours = hoursWord(d);
    const classes = `${d.date.startsWith(month) ? "" : "other"} ${d.away.length > 0 ? "away" : ""}`;
    const to = new URLSearchParams({ month, date: d.date });
    return html`<div role="gridcell" class=${classes}><a href="/app/me/days?${to}" data-date=${d.date} tabindex=${tab ? 0 : -1}
      aria-current=${d.date === this.today() ? "date" : nothing}>
      <span class="hidden">${dayWords(d)}</span>
      <span class="date" aria-hidden="true">${Number(d.date.slice(8))}</span>${d.mark === "" ? nothing : mark(d.mark)}
      <small aria-hidden="true">${hours || "\u00a0"}</small></a></div>`;
  }

  /** What can be asked for, on a date or in general. */
  private offers(date: string, leave: TemplateResult | typeof nothing = nothing): TemplateResult {
    const { start } = this;
    const now = this.today();
    const may_: Record<Ask, boolean> = {
      leave: may(start, "leave.write"),
      correction: may(start, "correction.write") && date <= now,
      swap: may(start, "shift.read") && (date === "" || date >= now),
    };
    return html`<div class="actions">${asks
      .filter((a) => may_[a])
      .map(
        (a) =>
          html`<button type="button" @click=${() => setQuery({ ask: a, date: date || dateOfQuery("date") || now, month: this.month() })}>${daysTexts().asks[a]}</button>`,
      )}${leave}</div>`;
  }

  /** The day that the address names, or what is asked for on it. */
  private opened(): TemplateResult | typeof nothing {
    const t = daysTexts();
    const date = dateOfQuery("date");
    const asking = asks.find((a) => a === query().get("ask"));
    if (date === "") return nothing;
    const { start } = this;
    if (asking) {
      const form = {
        leave: () => html`<wf-ask-leave .date=${date} @wf-asked=${this.#done}></wf-ask-leave>`,
        correction: () =>
          html`<wf-ask-correction .me=${start.viewer.id} .date=${date} .reads=${may(start, "attendance.read")} @wf-asked=${this.#done}></wf-ask-correction>`,
        swap: () => html`<wf-ask-swap .me=${start.viewer.id} .date=${date} @wf-asked=${this.#done}></wf-ask-swap>`,
      }[asking]();
      return dialog(t.asks[asking], form, () => query().get("ask") === asking && setQuery({ ask: "", date: "" }));
    }
    const closed = (): void => {
      if (query().get("ask") === null) setQuery({ date: "" });
    };
    const of = this.read.value && daysOf(this.read.value, [date], start.company.timezone, serverNow())[0];
    const made = of?.shifts.every((s) => s.id !== "");
    return dialog(
      t.day,
      html`<wf-day .person=${start.viewer.id} .date=${date} .zone=${start.company.timezone} member="date" inline
          .corrections=${may(start, "correction.read")} .leaves=${may(start, "leave.read")}></wf-day>
        ${factList(
          said([
            [t.holiday, of?.holidays.join(", ")],
            [t.planned, made ? "" : of?.shifts.map((s) => `${s.name}, ${hoursOf(s, s.zone)}`).join("; ")],
            [t.awayToo, of?.away.join(", ")],
          ]),
        )}
        ${this.offers(date, closing())}`,
      closed,
    );
  }

  readonly #done = async (): Promise<void> => {
    setQuery({ ask: "", date: "" });
    this.told = daysTexts().asked;
    void this.read.again();
    this.querySelector<Requests>("wf-requests")?.again();
    await this.updateComplete;
    this.querySelector<HTMLElement>(":scope > .outcome")?.focus(); // and so it is in sight
  };
}

/** The mark of a day, of which no two have the same shape. */
function mark(name: Mark): TemplateResult {
  return html`<i class="mark ${name}" aria-hidden="true"></i>`;
}

/** The day of the week of a date, in two or three letters. */
function weekday(date: string): string {
  const options = { weekday: "short", timeZone: "UTC" } as const;
  return new Intl.DateTimeFormat(language() === "id" ? "id-ID" : "en-GB", options).format(
    new Date(`${date}T00:00:00Z`),
  );
}

export function show(start: StartQuery): TemplateResult {
  return html`<wf-days .start=${start}></wf-days>`;
}
