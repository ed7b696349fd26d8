import { addDays, addMonths, datesOf } from "../../parts/time.js";
import { language } from "../../texts/texts.js";
import type { LocksQuery, SumsFragment, TimesheetsQuery } from "./timesheets.graphql.js";

/** A person's month. */
export type Person = TimesheetsQuery["timesheet"]["people"][number] & {
  /** Of tasks; undefined where that is not known. */
  readonly bookedSeconds: number | undefined;
};

/** What is locked: dates as 2026-03-31, days. */
export type Locks = LocksQuery["company"]["settings"];

/** A period that is locked by its dates; nulls for none. */
export interface Lock {
  readonly from: string | null;
  readonly until: string | null;
}

/** The month that an address names, such as 2026-03; that of today where it names none. */
export function monthAsked(text: string | null, today: string): string {
  return text !== null && /^[0-9]{4}-(0[1-9]|1[0-2])$/.test(text) ? text : today.slice(0, 7);
}

/** The months that can be chosen, the latest first: two years, the next month, and the one that is shown. */
export function monthsToChoose(today: string, shown: string): string[] {
  const last = addMonths(today.slice(0, 7), 1);
  const list = Array.from({ length: 26 }, (_, back) => addMonths(last, -back));
  return list.includes(shown) ? list : [...list, shown].sort().reverse();
}

/** People with what they booked, those whose name has a text alone. */
export function people(
  read: TimesheetsQuery["timesheet"]["people"],
  booked: ReadonlyMap<string, number> | undefined,
  search: string,
): Person[] {
  const wanted = search.trim().toLocaleLowerCase();
  return read
    .filter((p) => p.name.toLocaleLowerCase().includes(wanted))
    .map((p) => ({ ...p, bookedSeconds: booked && (booked.get(p.userId) ?? 0) }));
}

/** What people come to together, in seconds and days; booked is undefined where it is not known. */
export function sumOf(list: readonly Person[]) {
  const of = (name: keyof SumsFragment): number => list.reduce((sum, p) => sum + Number(p.total[name]), 0);
  return {
    worked: of("workedSeconds"),
    expected: of("expectedSeconds"),
    late: of("lateSeconds"),
    overtime: of("overtimeSeconds"),
    booked: list.some((p) => p.bookedSeconds === undefined)
      ? undefined
      : list.reduce((sum, p) => sum + (p.bookedSeconds ?? 0), 0),
  };
}

/** Seconds as hours with two decimals, as spreadsheets reckon: 8.08. */
export function decimal(seconds: number): string {
  return (seconds / 3600).toFixed(2);
}

/**
 * Whether a month is locked today: by its dates (dates), by the rule that locks months some days after
 * their end (rule), by dates that are not over (later), in part by dates (partly), or not (open).
 */
export function lockOf(locks: Locks, month: string, today: string): "dates" | "rule" | "later" | "partly" | "open" {
  const { from, to } = datesOf(month);
  const { lockedFrom, lockedUntil, lockAfterDays } = locks;
  if (lockAfterDays && today > addDays(to, lockAfterDays)) return "rule";
  if (!lockedFrom || !lockedUntil || lockedFrom > to || lockedUntil < from) return "open";
  if (lockedFrom > from || lockedUntil < to) return "partly";
  return today > lockedUntil ? "dates" : "later";
}

/** The period that is locked once a month is: one period, with the dates between it and what is locked. */
export function locking(locks: Locks, month: string): Lock {
  const { from, to } = datesOf(month);
  const { lockedFrom, lockedUntil } = locks;
  return {
    from: lockedFrom && lockedFrom < from ? lockedFrom : from,
    until: lockedUntil && lockedUntil > to ? lockedUntil : to,
  };
}

/** The period that stays locked once a month is not: what is before it, else what is after it. */
export function unlocking(locks: Locks, month: string): Lock {
  const { from, to } = datesOf(month);
  const { lockedFrom, lockedUntil } = locks;
  if (lockedFrom && lockedFrom < from) return { from: lockedFrom, until: addDays(from, -1) };
  if (lockedUntil && lockedUntil > to) return { from: addDays(to, 1), until: lockedUntil };
  return { from: null, until: null };
}

/** The dates from one to another in words, with years: 1 March 2026 – 31 March 2026. */
export function span(from: string, until: string): string {
  const words = new Intl.DateTimeFormat(language() === "id" ? "id-ID" : "en-GB", {
    dateStyle: "long",
    timeZone: "UTC",
  });
  return [from, until].map((date) => words.format(new Date(`${date}T00:00:00Z`))).join(" – ");
}
