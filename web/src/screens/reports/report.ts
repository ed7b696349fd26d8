import { addDays, addMonths, datesOf } from "../../parts/time.js";
import { language } from "../../texts/texts.js";

/** The kinds of reports, with what one must be permitted to read for each. */
export const kinds = {
  timesheet: "attendance.read",
  attendance: "attendance.read",
  overtime: "attendance.read",
  leave: "leave.read",
  task: "task.read",
  ticket: "ticket.read",
} as const;

export type Kind = keyof typeof kinds;

export const formats = ["xlsx", "csv", "pdf"] as const;
export const periods = ["lastMonth", "month", "week", "dates"] as const;

/** The dates of a period that is chosen by its name; none for this week, which the server knows. */
export function periodOf(
  name: string,
  today: string,
  chosen: { readonly from: string; readonly to: string },
): { readonly from?: string; readonly to?: string } {
  if (name === "month") return datesOf(today.slice(0, 7));
  if (name === "lastMonth") return datesOf(addMonths(today.slice(0, 7), -1));
  if (name === "week") return {};
  return { ...(chosen.from && { from: chosen.from }), ...(chosen.to && { to: chosen.to }) };
}

/** The month that dates are, such as 2026-03; undefined where they are none. */
export function monthOfDates(from: string, to: string): string | undefined {
  return from.endsWith("-01") && from.slice(0, 7) === to.slice(0, 7) && addDays(to, 1).endsWith("-01")
    ? from.slice(0, 7)
    : undefined;
}

/** The dates from one to another, such as 1–20 Nov 2026; the first of them where there are none. */
export function range(from: string, to: string): string {
  const words = new Intl.DateTimeFormat(language() === "id" ? "id-ID" : "en-GB", {
    dateStyle: "medium",
    timeZone: "UTC",
  });
  return words.formatRange(new Date(`${from}T00:00:00Z`), new Date(`${to < from ? from : to}T00:00:00Z`));
}

/** Bytes in kB and MB, as people read them. */
export function sizeOf(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
