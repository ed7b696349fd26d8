import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { ref } from "lit/directives/ref.js";
import { query, setQuery } from "../router.js";
import { language, texts } from "../texts/texts.js";
import { Blocks, block } from "./blocks.js";
import { Part } from "./part.js";
import { saveText } from "./save.js";

/** A column of a table. The first one names the row. */
export interface Column<Row> {
  readonly name: string;
  readonly label: string;
  readonly text: (row: Row) => string;
  /** What is shown where that is more than the text. */
  readonly cell?: (row: Row) => TemplateResult | string;
  /** What rows are sorted by where that is not the text. */
  readonly order?: (row: Row) => string | number;
}

/**
 * Rows as a table, sorted as the address says, that prints and is saved as CSV; file is its name without ".csv",
 * "" for a table that is small enough for neither.
 */
export function table<Row>(
  caption: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  file: string = caption,
): TemplateResult {
  return html`<wf-table .caption=${caption} .columns=${columns} .rows=${rows} .file=${file}></wf-table>`;
}

/** A table. Of many rows those near to what is seen are in the page; all are when it is printed. */
@customElement("wf-table")
export class Table<Row> extends Part {
  @property() caption = "";
  @property({ attribute: false }) columns: readonly Column<Row>[] = [];
  @property({ attribute: false }) rows: readonly Row[] = [];
  @property() file = "";
  private readonly blocks = new Blocks(this, () => this.performUpdate());
  #sort = "";
  #sorted: readonly Row[] = [];

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("wf-place", this.#place);
  }

  override disconnectedCallback(): void {
    removeEventListener("wf-place", this.#place);
    super.disconnectedCallback();
  }

  readonly #place = (): void => {
    if ((query().get("sort") ?? "") !== this.#sort) this.requestUpdate();
  };

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    const sort = query().get("sort") ?? "";
    if (sort === this.#sort && !changed.has("rows") && !changed.has("columns")) return; // it was scrolled
    this.#sort = sort;
    this.#sorted = inOrder(this.columns, this.rows, sort);
  }

  protected override render(): TemplateResult {
    const t = texts().table;
    const many = this.rows.length > block;
    const blocks = Array.from({ length: Blocks.count(this.rows.length) }, (_, i) => i);
    const save = (): void => saveText(`${this.file}.csv`, csv(this.columns, this.#sorted));
    return html`${
      this.file === ""
        ? nothing
        : html`<div class="tools no-print">
        <button type="button" @click=${() => print()}>${t.print}</button>
        <button type="button" @click=${save}>${t.csv}</button>
      </div>`
    }
      <table role="table" class=${many ? "long" : ""} aria-label=${this.caption} aria-rowcount=${many ? this.rows.length + 1 : nothing}>
        <thead role="rowgroup"><tr role="row" aria-rowindex=${many ? 1 : nothing}>${this.columns.map((c) => head(c, this.#sort))}</tr></thead>
        ${many ? blocks.map((place) => this.#block(place)) : html`<tbody role="rowgroup">${this.#sorted.map((row) => this.#row(row))}</tbody>`}
      </table>`;
  }

  #block(place: number): TemplateResult {
    const rows = this.#sorted.slice(place * block, (place + 1) * block);
    if (this.blocks.has(place)) {
      return html`<tbody role="rowgroup" data-block=${place}>${rows.map((row, i) => this.#row(row, place * block + i + 2))}</tbody>`;
    }
    const height = this.blocks.height(place, rows.length);
    const high = (row: Element | undefined): void => {
      if (row instanceof HTMLElement) row.style.height = `${height}px`;
    };
    return html`<tbody role="presentation" aria-hidden="true" data-block=${place}><tr role="presentation" ${ref(high)}></tr></tbody>`;
  }

  #row(row: Row, index?: number): TemplateResult {
    return html`<tr role="row" aria-rowindex=${index ?? nothing}>${this.columns.map((c, i) => cell(c, row, i === 0))}</tr>`;
  }
}

function head<Row>(column: Column<Row>, sort: string): TemplateResult {
  const down = sort === `-${column.name}`;
  const by = down || sort === column.name;
  return html`<th role="columnheader" scope="col" aria-sort=${by ? (down ? "descending" : "ascending") : "none"}>
    <button type="button" class="sort" @click=${() => setQuery({ sort: sort === column.name ? `-${column.name}` : column.name })}>
      ${column.label}<span aria-hidden="true">${by ? (down ? " ↓" : " ↑") : ""}</span></button></th>`;
}

function cell<Row>(column: Column<Row>, row: Row, first: boolean): TemplateResult {
  const text = column.text(row);
  const shown = column.cell?.(row) ?? text;
  if (first) return html`<th role="rowheader" scope="row">${shown}</th>`;
  return html`<td role="cell" class=${shown === "" ? "empty" : ""}>
    <span class="label" aria-hidden="true">${column.label}</span>${shown}</td>`;
}

/** Rows by a column, "-name" for the last first; as they are without one. */
export function inOrder<Row>(columns: readonly Column<Row>[], rows: readonly Row[], sort: string): readonly Row[] {
  const down = sort.startsWith("-");
  const column = columns.find((c) => c.name === (down ? sort.slice(1) : sort));
  if (!column) return rows;
  const by = column.order ?? column.text;
  const words = new Intl.Collator(language(), { numeric: true });
  const compare = (a: string | number, b: string | number): number =>
    typeof a === "number" && typeof b === "number" ? a - b : words.compare(String(a), String(b));
  return [...rows].sort((a, b) => (down ? compare(by(b), by(a)) : compare(by(a), by(b))));
}

/**
 * Rows as RFC 4180 has them. A text that a spreadsheet would take for a formula is behind an apostrophe, and
 * so is one of apostrophes and a formula.
 */
export function csv<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const lines = [columns.map((c) => c.label), ...rows.map((row) => columns.map((c) => c.text(row)))];
  return lines.map((line) => `${line.map(quoted).join(",")}\r\n`).join("");
}

/** A text as a cell that no spreadsheet takes for a formula; an import takes the apostrophe away again. */
function protect(text: string): string {
  return /^'*[=+\-@\t\r＝＋－＠]/.test(text) ? `'${text}` : text;
}

function quoted(text: string): string {
  const safe = protect(text);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
