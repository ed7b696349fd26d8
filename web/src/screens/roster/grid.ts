import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { ref } from "lit/directives/ref.js";
import { Blocks, block } from "../../parts/blocks.js";
import { Part } from "../../parts/part.js";
import { dateOf, hours } from "../../parts/time.js";
import { setQuery } from "../../router.js";
import { rosterTexts } from "./texts.js";
import {
  type At,
  type Cell,
  cellsOf,
  cellWords,
  holidayWords,
  leaveWords,
  moved,
  type Person,
  timesOf,
  toneOf,
} from "./week.js";

/** Where the list is one column of people with their days below them, and the page scrolls. */
const small = "(max-width: 40rem)";

/**
 * People and their days, as a grid in which arrow keys move; `person` and `on` of the address are the day
 * that is opened, `selected` whose rows are.
 */
@customElement("wf-roster-grid")
export class RosterGrid extends Part {
  @property() label = "";
  @property({ attribute: false }) people: readonly Person[] = [];
  @property({ attribute: false }) dates: readonly string[] = [];
  @property() today = "";
  /** Whether rows can be selected, and days planned. */
  @property({ type: Boolean }) plans = false;
  @property({ attribute: false }) selected: ReadonlySet<string> = new Set();
  /** The zone of a shift's times, by its id. */
  @property({ attribute: false }) zoneOf: (shiftId: string) => string = () => "UTC";
  private readonly blocks = new Blocks(
    this,
    () => this.performUpdate(),
    56,
    () => (matchMedia(small).matches ? null : this.querySelector(".roster")),
  );
  /** Where the keyboard is. */
  #at: At = { row: 0, column: 0 };
  /** The one button that Tab leads to. */
  #current: HTMLElement | null = null;

  protected override updated(): void {
    this.#tab();
  }

  protected override render(): TemplateResult {
    const t = rosterTexts();
    const places = Array.from({ length: Blocks.count(this.people.length) }, (_, i) => i);
    const days = `--days: ${this.dates.length}`;
    return html`<div class="roster" role="region" tabindex="0" aria-label=${this.label}>
      <table role="grid" aria-label=${this.label} aria-rowcount=${this.people.length + 1} .style=${days}
        @keydown=${this.#key} @focusin=${this.#focused}>
        <thead role="rowgroup"><tr role="row" aria-rowindex="1">
          <th role="columnheader" scope="col" class="person">${this.plans ? this.everybody() : nothing}${t.person}</th>
          ${this.dates.map(
            (d) =>
              html`<th role="columnheader" scope="col" aria-current=${d === this.today ? "date" : nothing}>${dateOf(d)}</th>`,
          )}
          <th role="columnheader" scope="col" class="sum">${t.hours}</th></tr></thead>
        ${places.map((place) => this.block(place))}
      </table></div>`;
  }

  private everybody(): TemplateResult {
    const all = this.people.length > 0 && this.people.every((p) => this.selected.has(p.userId));
    return html`<input type="checkbox" aria-label=${rosterTexts().selectAll} .checked=${all} @change=${(e: Event) =>
      this.#select((e.target as HTMLInputElement).checked, this.people)}>`;
  }

  private block(place: number): TemplateResult {
    const people = this.people.slice(place * block, (place + 1) * block);
    if (this.blocks.has(place))
      return html`<tbody role="rowgroup" data-block=${place}>${people.map((p, i) => this.row(p, place * block + i))}</tbody>`;
    const height = this.blocks.height(place, people.length);
    const high = (row: Element | undefined): void => {
      if (row instanceof HTMLElement) row.style.height = `${height}px`;
    };
    return html`<tbody role="presentation" aria-hidden="true" data-block=${place}><tr role="presentation" ${ref(high)}></tr></tbody>`;
  }

  private row(person: Person, row: number): TemplateResult {
    const t = rosterTexts();
    return html`<tr role="row" aria-label=${person.name} aria-rowindex=${row + 2}>
      <th role="rowheader" scope="row" class="person">${
        this.plans
          ? html`<label class="check"><input type="checkbox" aria-label=${t.select(person.name)}
            .checked=${this.selected.has(person.userId)} @change=${(e: Event) =>
              this.#select((e.target as HTMLInputElement).checked, [person])}>${person.name}</label>`
          : person.name
      }</th>
      ${cellsOf(person, this.dates).map((cell, column) => this.cell(person, cell, row, column))}
      <td role="gridcell" class="sum"><span class="label" aria-hidden="true">${t.hours}</span>${hours(person.hours)}</td></tr>`;
  }

  private cell(person: Person, cell: Cell, row: number, column: number): TemplateResult {
    const t = rosterTexts();
    const said = cellWords(cell, this.zoneOf) || t.nothing;
    return html`<td role="gridcell"><span class="label" aria-hidden="true">${dateOf(cell.date)}</span>
      <button type="button" class="cell" tabindex="-1" data-row=${row} data-column=${column}
        aria-label="${person.name}, ${dateOf(cell.date)}: ${said}"
        @click=${() => setQuery({ person: person.userId, on: cell.date })}>
        ${cell.holiday ? html`<span class="free">${holidayWords(cell.holiday)}</span>` : nothing}
        ${cell.leaves.map((l) => html`<span class="free">${leaveWords(l)}</span>`)}
        ${cell.shifts.map((s) => {
          const tone = `--tone: ${toneOf({ id: s.shiftId, colour: s.colour })}`;
          return html`<span class="planned" .style=${tone}><strong>${s.name}</strong>
            <span class="times">${timesOf(s, this.zoneOf(s.shiftId))}</span>
            ${s.clashes.map((c) => html`<span class="clash">${t.clashes[c]}</span>`)}</span>`;
        })}
        ${this.plans && cell.shifts.length === 0 ? html`<span class="add" aria-hidden="true">+</span>` : nothing}
      </button></td>`;
  }

  #select(on: boolean, people: readonly Person[]): void {
    const next = new Set(this.selected);
    for (const p of people) {
      if (on) next.add(p.userId);
      else next.delete(p.userId);
    }
    setQuery({ selected: [...next].join(" ") });
  }

  /** Has Tab lead to the button where the keyboard is, and to no other one. */
  #tab(): void {
    const row = Math.min(this.#at.row, this.people.length - 1);
    const column = Math.min(this.#at.column, this.dates.length - 1);
    const next =
      this.querySelector<HTMLElement>(`[data-row="${row}"][data-column="${column}"]`) ??
      this.querySelector<HTMLElement>("[data-row]");
    if (next === this.#current) return;
    if (this.#current) this.#current.tabIndex = -1;
    if (next) next.tabIndex = 0;
    this.#current = next;
  }

  readonly #focused = (event: Event): void => {
    const { row, column } = (event.target as HTMLElement).dataset;
    if (row === undefined || column === undefined) return;
    this.#at = { row: Number(row), column: Number(column) };
    this.#tab();
  };

  readonly #key = async (event: KeyboardEvent): Promise<void> => {
    if (!(event.target instanceof HTMLElement) || event.target.dataset.row === undefined || event.altKey) return;
    const to = moved(event.key, event.ctrlKey || event.metaKey, this.#at, this.people.length, this.dates.length);
    if (!to) return;
    event.preventDefault();
    this.#at = to;
    this.blocks.show(Math.floor(to.row / block));
    await this.updateComplete;
    this.#tab();
    this.#current?.focus();
  };
}
