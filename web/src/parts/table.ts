import { html, type TemplateResult } from "lit";
import { query, setQuery } from "../router.js";
import { language, texts } from "../texts/texts.js";

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

/** Rows as a table, sorted as the address says, that prints and is saved as CSV. */
export function table<Row>(caption: string, columns: readonly Column<Row>[], rows: readonly Row[]): TemplateResult {
  const t = texts().table;
  const sort = query().get("sort") ?? "";
  const sorted = inOrder(columns, rows, sort);
  return html`<div class="tools no-print">
      <button type="button" @click=${() => print()}>${t.print}</button>
      <button type="button" @click=${() => save(caption, csv(columns, sorted))}>${t.csv}</button>
    </div>
    <table role="table" aria-label=${caption}>
      <thead role="rowgroup"><tr role="row">${columns.map((c) => head(c, sort))}</tr></thead>
      <tbody role="rowgroup">${sorted.map((row) => html`<tr role="row">${columns.map((c, i) => cell(c, row, i === 0))}</tr>`)}</tbody>
    </table>`;
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
  return html`<td role="cell" class=${text === "" ? "empty" : ""}>
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

/** Rows as RFC 4180 has them. A text that a spreadsheet would take for a formula begins with an apostrophe. */
export function csv<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const lines = [columns.map((c) => c.label), ...rows.map((row) => columns.map((c) => c.text(row)))];
  return lines.map((line) => `${line.map(quoted).join(",")}\r\n`).join("");
}

function quoted(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function save(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(["\ufeff", text], { type: "text/csv;charset=utf-8" }));
  link.download = `${name}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
