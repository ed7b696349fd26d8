import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import { serverNow } from "../../api/clock.js";
import { everyPage } from "../../parts/pages.js";
import { Part, Reading } from "../../parts/part.js";
import { saveText } from "../../parts/save.js";
import { shown } from "../../parts/states.js";
import { csv } from "../../parts/table.js";
import { addDays, dateIn, dateOf, dates, hours } from "../../parts/time.js";
import { may, query, setQuery } from "../../router.js";
import type { StartQuery } from "../../shell.graphql.js";
import { texts } from "../../texts/texts.js";
import "./assign.js";
import "./copy.js";
import "./grid.js";
import { type Outcome, told } from "./outcome.js";
import "./plan.js";
import { Roster as Document, Patterns, RosterFrame } from "./roster.graphql.js";
import { rosterTexts } from "./texts.js";
import "./swaps.js";
import type { OwnSwapsList } from "./swaps.js";
import "./usual.js";
import { askedBy, cellsOf, cellWords, datesFrom, named, type Person, selectedOf, type Weeks } from "./week.js";

/** How many people of how many weeks are read at once, at most: as an operation may cost. */
const most = 1000;
const personWeeks = 2000;

/** What is done to many, in the order of its buttons. */
const panels = ["assign", "assignRotation", "copy", "plans"] as const;
type Panel = (typeof panels)[number];

/** What everybody works, a week or some. */
@customElement("wf-roster")
export class Roster extends Part {
  @property({ attribute: false }) start!: StartQuery;
  @state() private outcome: Outcome | undefined;
  private readonly weeks = new Reading(this, (signal) => this.read(signal));
  private readonly patterns = new Reading(this, (signal) =>
    everyPage(async (after) => (await ask(Patterns, { after }, { signal })).shifts),
  );
  private readonly frame = new Reading(this, (signal) => ask(RosterFrame, {}, { signal }));
  #asked = "";

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
    if (JSON.stringify(askedBy(query())) !== this.#asked) void this.weeks.again();
  };

  /** Reads the weeks of everybody, and shows the first of them meanwhile. */
  private async read(signal: AbortSignal): Promise<Weeks> {
    const { week, weeks, business } = askedBy(query());
    this.#asked = JSON.stringify({ week, weeks, business });
    const limit = Math.min(most, Math.floor(personWeeks / weeks));
    const people: Person[] = [];
    for (let page = 1; ; page++) {
      const variables = { week: week || null, weeks, business: business || null, page, limit };
      const { roster } = await ask(Document, variables, { signal });
      people.push(...roster.people);
      const read = { startsOn: roster.startsOn, endsOn: roster.endsOn, people: [...people], all: roster.totalCount };
      if (roster.people.length === 0 || people.length >= roster.totalCount) return { ...read, all: people.length };
      if (this.weeks.value === undefined) {
        this.weeks.value = read;
        this.requestUpdate();
      }
    }
  }

  private get plans(): boolean {
    return may(this.start, "shift.write");
  }

  /** The zone in which a shift's times are. */
  private readonly zoneOf = (shiftId: string): string =>
    this.patterns.value?.find((p) => p.id === shiftId)?.timezone ?? this.start.company.timezone;

  protected override render(): TemplateResult {
    const read = this.weeks.value;
    return html`<div class="title">
        <h1 tabindex="-1">${texts().screens.roster}</h1>
        <p>${read ? dates(read.startsOn, read.endsOn) : ""}${this.foreign()}</p>
      </div>
      ${shown(this.weeks, (weeks) => this.everything(weeks))}`;
  }

  /** Names the zone of the times where it is not this browser's. */
  private foreign(): string {
    const { timezone } = this.start.company;
    return Intl.DateTimeFormat().resolvedOptions().timeZone === timezone ? "" : ` · ${texts().time.zone(timezone)}`;
  }

  private everything(weeks: Weeks): TemplateResult {
    const t = rosterTexts();
    const q = query();
    const people = named(weeks.people, q.get("search") ?? "");
    const all = datesFrom(weeks.startsOn, weeks.endsOn);
    const days = all.includes(q.get("day") ?? "") ? [q.get("day") ?? ""] : all;
    const chosen = selectedOf(q.get("selected") ?? "", weeks.people);
    return html`${this.steps(weeks)}${this.filters(all)}
      ${this.plans ? this.tools(chosen.length) : nothing}
      ${told(this.outcome, weeks.people, (week) => setQuery({ week }))}
      ${this.plans ? this.panel(weeks, people, chosen) : nothing}
      ${
        people.length === 0
          ? html`<div class="state"><p>${weeks.all === 0 ? t.empty : t.nobody}</p>${weeks.all === 0 ? html`<p>${t.emptyNext}</p>` : nothing}</div>`
          : this.grid(weeks, people, days, chosen)
      }
      <wf-own-swaps .me=${this.start.viewer.id}></wf-own-swaps>
      ${this.opened(weeks)}`;
  }

  private grid(
    weeks: Weeks,
    people: readonly Person[],
    days: readonly string[],
    chosen: readonly Person[],
  ): TemplateResult {
    const t = rosterTexts();
    const label = `${texts().screens.roster}, ${dates(weeks.startsOn, weeks.endsOn)}`;
    return html`<div class="tools no-print"><p class="hint">${t.count(people.length, weeks.all)} · ${this.plans ? t.keys : t.ownKeys}</p>
        <button type="button" @click=${() => print()}>${texts().table.print}</button>
        <button type="button" @click=${() => this.save(label, people, days)}>${texts().table.csv}</button></div>
      <wf-roster-grid .label=${label} .people=${people} .dates=${days} .plans=${this.plans} .zoneOf=${this.zoneOf}
        .today=${dateIn(this.start.company.timezone, new Date(serverNow()))}
        .selected=${new Set(chosen.map((p) => p.userId))}></wf-roster-grid>`;
  }

  private save(label: string, people: readonly Person[], days: readonly string[]): void {
    const t = rosterTexts();
    const columns = [
      { name: "person", label: t.person, text: (p: Person) => p.name },
      ...days.map((date) => ({
        name: date,
        label: date,
        text: (p: Person) =>
          cellsOf(p, [date])
            .map((cell) => cellWords(cell, this.zoneOf))
            .join(""),
      })),
      { name: "hours", label: t.hours, text: (p: Person) => hours(p.hours) },
    ];
    saveText(`${label}.csv`, csv(columns, people));
  }

  private steps(weeks: Weeks): TemplateResult {
    const t = rosterTexts();
    const go = (week: string): void => setQuery({ week, day: "" });
    return html`<div class="tools weeks no-print">
      <button type="button" @click=${() => go(addDays(weeks.startsOn, -7))}>‹ ${t.previous}</button>
      <button type="button" ?disabled=${!query().has("week")} @click=${() => go("")}>${t.now}</button>
      <button type="button" @click=${() => go(addDays(weeks.startsOn, 7))}>${t.next} ›</button></div>`;
  }

  private filters(days: readonly string[]): TemplateResult {
    const t = rosterTexts();
    const q = query();
    const businesses = this.frame.value?.businessStructure ?? [];
    const counts = [1, 2, 3, 4].map((n) => [String(n), t.weekCount(n)] as const);
    return html`<div class="filters no-print">
      <label>${t.search}<input type="search" placeholder=${t.searchHint} .value=${q.get("search") ?? ""}
        @input=${(e: Event) => setQuery({ search: (e.target as HTMLInputElement).value })}></label>
      ${select(t.weeks, String(askedBy(q).weeks), counts, (n) => setQuery({ weeks: n === "1" ? "" : n, day: "" }))}
      ${select(t.day, q.get("day") ?? "", [["", t.allDays], ...days.map((d) => [d, dateOf(d)] as const)], (day) => setQuery({ day }))}
      ${
        businesses.length < 2 || !(may(this.start, "shift.read.team") || may(this.start, "shift.read.all"))
          ? nothing
          : select(
              t.business,
              q.get("business") ?? "",
              [["", t.allBusinesses], ...businesses.map((b) => [b.id, "\u2003".repeat(b.depth) + b.name] as const)],
              (business) => setQuery({ business }),
            )
      }</div>`;
  }

  private tools(selected: number): TemplateResult {
    const t = rosterTexts();
    const open = query().get("do");
    return html`<div class="tools weeks no-print">${panels.map(
      (name) => html`<button type="button" data-do=${name} aria-expanded=${open === name}
        @click=${() => setQuery({ do: open === name ? "" : name })}>${t[name]}</button>`,
    )}<p class="hint" role="status">${selected > 0 ? t.selected(selected) : ""}</p></div>`;
  }

  /** What is done to many, where the address says so. */
  private panel(weeks: Weeks, people: readonly Person[], chosen: readonly Person[]): TemplateResult | typeof nothing {
    const name = panels.find((p) => p === query().get("do"));
    if (!name) return nothing;
    const filtered = people.length < weeks.all || query().has("business") ? people : [];
    return html`<section class="panel no-print" aria-labelledby="panel-heading" @wf-done=${this.#done}>
      <h2 id="panel-heading">${rosterTexts()[name]}</h2>${this.inside(name, weeks, filtered, chosen)}</section>`;
  }

  private inside(name: Panel, weeks: Weeks, filtered: readonly Person[], chosen: readonly Person[]): TemplateResult {
    if (name === "copy") return html`<wf-copy .week=${weeks.startsOn} .shown=${filtered} .chosen=${chosen}></wf-copy>`;
    if (name === "plans") return html`<wf-usual .chosen=${chosen}></wf-usual>`;
    const rotates = name === "assignRotation";
    const from = [weeks.startsOn, dateIn(this.start.company.timezone, new Date(serverNow()))].sort()[1];
    return rotates
      ? html`<wf-assign rotates .from=${from} .chosen=${chosen}></wf-assign>`
      : html`<wf-assign .from=${from} .chosen=${chosen} .patterns=${this.patterns.value}></wf-assign>`;
  }

  /** The day that the address names. */
  private opened(weeks: Weeks): TemplateResult | typeof nothing {
    const q = query();
    const person = weeks.people.find((p) => p.userId === q.get("person"));
    const date = q.get("on") ?? "";
    if (!person || date < weeks.startsOn || date > weeks.endsOn) return nothing;
    return html`<wf-plan .person=${person} .date=${date} .people=${weeks.people} .patterns=${this.patterns.value}
      .plans=${this.plans} .own=${person.userId === this.start.viewer.id} .zoneOf=${this.zoneOf}
      .several=${this.frame.value?.company.settings.severalShifts ?? false} @wf-done=${this.#done}></wf-plan>`;
  }

  /** Shows what was done, and reads anew. */
  readonly #done = (event: Event): void => {
    const outcome = (event as CustomEvent<Outcome>).detail;
    if (outcome.text !== "") this.outcome = outcome;
    const done = (event.currentTarget as Element).matches(".panel") ? query().get("do") : null;
    if (done && done !== "plans" && outcome.text !== "") {
      setQuery({ do: "", selected: "" });
      this.querySelector<HTMLElement>(`[data-do=${done}]`)?.focus();
    }
    this.querySelector<OwnSwapsList>("wf-own-swaps")?.again();
    void this.weeks.again();
  };
}

function select(
  label: string,
  value: string,
  options: readonly (readonly [string, string])[],
  choose: (value: string) => void,
): TemplateResult {
  return html`<label>${label}
    <select @change=${(e: Event) => choose((e.target as HTMLSelectElement).value)}>
      ${options.map(([v, text]) => html`<option value=${v} .selected=${v === value}>${text}</option>`)}
    </select></label>`;
}

export function show(start: StartQuery): TemplateResult {
  return html`<wf-roster .start=${start}></wf-roster>`;
}
