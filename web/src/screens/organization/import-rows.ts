import type { OrganizationImportHolidaysMutation } from "./holidays.graphql.js";

/** A date that an import adds, renames or has already, or an event that it leaves out. */
export interface ImportRow {
  readonly fate: "added" | "changed" | "unchanged" | "leftOut";
  readonly name: string;
  /** Local; "" for an event that is left out. */
  readonly date: string;
  /** The line of the file, and what is wrong there. */
  readonly line?: number;
  readonly reason?: string;
}

type Imported = OrganizationImportHolidaysMutation["importHolidays"];

/** What becomes of each event of a file, what is left out first. */
export function rowsOf(imported: Imported): ImportRow[] {
  const dates = (fate: "added" | "changed" | "unchanged"): ImportRow[] =>
    imported[fate].map(({ name, date }) => ({ fate, name, date }));
  return [
    ...imported.leftOut.map((e) => ({
      fate: "leftOut" as const,
      name: e.name,
      date: "",
      line: e.line,
      reason: e.message,
    })),
    ...dates("added"),
    ...dates("changed"),
    ...dates("unchanged"),
  ];
}

/**
 * The events that a refusal names, which imports all or nothing: the meta member leftOut has each, in the
 * order of the faults that say what is wrong.
 */
export function refusedRows(meta: Readonly<Record<string, unknown>>, details: readonly string[]): ImportRow[] {
  const list = Array.isArray(meta.leftOut) ? (meta.leftOut as { line?: number; name?: string }[]) : [];
  return list.map((e, i) => ({
    fate: "leftOut",
    name: e.name ?? "",
    date: "",
    line: e.line ?? 0,
    reason: details[i] ?? "",
  }));
}
