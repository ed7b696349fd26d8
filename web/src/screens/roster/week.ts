import { addDays, clock, dateOf } from "../../parts/time.js";
import type { PatternsQuery, RosterQuery } from "./roster.graphql.js";
import { rosterTexts } from "./texts.js";

export type Person = RosterQuery["roster"]["people"][number];
export type RosterShift = Person["shifts"][number];
export type Pattern = NonNullable<NonNullable<NonNullable<PatternsQuery["shifts"]["edges"]>[number]>["node"]>;

/** What the address asks for: the weeks, whose, and which of them. */
export interface Asked {
  /** A date of the first week; "" is this one. */
  readonly week: string;
  /** 1 to 4. */
  readonly weeks: number;
  /** The id of a business; "" is all. */
  readonly business: string;
}

/** The weeks of everybody, as far as they are read. */
export interface Weeks {
  readonly startsOn: string;
  readonly endsOn: string;
  readonly people: readonly Person[];
  /** How many people there are, also those that are not read yet. */
  readonly all: number;
}

/** What one person has on one date. */
export interface Cell {
  readonly date: string;
  readonly shifts: readonly RosterShift[];
  readonly leaves: Person["leaves"];
  readonly holiday: Person["holidays"][number] | undefined;
}

const isDate = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;

/** What a query asks for; what it has no sense of is as if it was absent. */
export function askedBy(query: URLSearchParams): Asked {
  const week = query.get("week") ?? "";
  const weeks = Number.parseInt(query.get("weeks") ?? "", 10);
  return {
    week: isDate.test(week) ? week : "",
    weeks: weeks >= 1 && weeks <= 4 ? weeks : 1,
    business: /^[0-9]+$/.test(query.get("business") ?? "") ? (query.get("business") ?? "") : "",
  };
}

/** The dates from one to another, both of them. */
export function datesFrom(first: string, last: string): string[] {
  const dates: string[] = [];
  for (let date = first; date <= last && dates.length < 400; date = addDays(date, 1)) dates.push(date);
  return dates;
}

/** What a person has on each of the dates. */
export function cellsOf(person: Person, dates: readonly string[]): Cell[] {
  return dates.map((date) => ({
    date,
    shifts: person.shifts.filter((s) => s.date === date),
    leaves: person.leaves.filter((l) => l.startsOn <= date && date <= l.endsOn),
    holiday: person.holidays.find((h) => h.date === date),
  }));
}

/** Those whose name has a text, whatever its case and accents. */
export function named(people: readonly Person[], part: string): readonly Person[] {
  const plain = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const wanted = plain(part.trim());
  return wanted === "" ? people : people.filter((p) => plain(p.name).includes(wanted));
}

/** The time of a shift, such as 08:00–17:00. */
export function timesOf(shift: RosterShift, zone: string): string {
  return `${clock(shift.startAt, zone)}–${clock(shift.endAt, zone)}`;
}

/** What a leave is, in words: its name, how much of the day, and whether it still waits. */
export function leaveWords(leave: Person["leaves"][number]): string {
  const t = rosterTexts();
  const part = leave.half ? t.half : leave.fromTime ? `${leave.fromTime}–${leave.toTime}` : "";
  return [leave.name, part, leave.state === "pending" ? t.waits : ""].filter((s) => s !== "").join(", ");
}

/** What a holiday is, in words. */
export function holidayWords(holiday: NonNullable<Cell["holiday"]>): string {
  return holiday.half ? `${holiday.name}, ${rosterTexts().half}` : holiday.name;
}

/** What a cell has, in words and in the order in which it is shown: holiday, leave, shifts with their times and clashes; "" for nothing. */
export function cellWords(cell: Cell, zoneOf: (shiftId: string) => string): string {
  const t = rosterTexts();
  return [
    ...(cell.holiday ? [holidayWords(cell.holiday)] : []),
    ...cell.leaves.map(leaveWords),
    ...cell.shifts.map((s) =>
      [`${s.name} ${timesOf(s, zoneOf(s.shiftId))}`, ...s.clashes.map((c) => t.clashes[c])].join(", "),
    ),
  ].join("; ");
}

/** A place in a grid, both from 0. */
export interface At {
  readonly row: number;
  readonly column: number;
}

/** How many rows a page of the keyboard has. */
const page = 10;

/** Where a key leads in a grid of so many rows and columns; undefined for keys that lead nowhere. */
export function moved(key: string, far: boolean, at: At, rows: number, columns: number): At | undefined {
  const to: Record<string, At> = {
    ArrowLeft: { row: at.row, column: at.column - 1 },
    ArrowRight: { row: at.row, column: at.column + 1 },
    ArrowUp: { row: at.row - 1, column: at.column },
    ArrowDown: { row: at.row + 1, column: at.column },
    PageUp: { row: at.row - page, column: at.column },
    PageDown: { row: at.row + page, column: at.column },
    Home: { row: far ? 0 : at.row, column: 0 },
    End: { row: far ? rows - 1 : at.row, column: columns - 1 },
  };
  const next = Object.hasOwn(to, key) ? to[key] : undefined;
  if (!next) return undefined;
  const within = (n: number, count: number): number => Math.max(0, Math.min(n, count - 1));
  return { row: within(next.row, rows), column: within(next.column, columns) };
}

/** An occurrence that may be swapped: one that is made and has not started. */
export interface Swappable {
  readonly id: string;
  readonly person: string;
  readonly name: string;
  readonly shift: RosterShift;
}

/** Whose shifts they are. */
type Owner = Pick<Person, "userId" | "name"> & { readonly shifts: readonly RosterShift[] };

/** The occurrences of people that have not started at an instant, in milliseconds, by start. */
export function swappable(people: readonly Owner[], now: number): Swappable[] {
  return people
    .flatMap((p) =>
      p.shifts.flatMap((shift) =>
        shift.employeeShiftId && Date.parse(shift.startAt) > now
          ? [{ id: shift.employeeShiftId, person: p.userId, name: p.name, shift }]
          : [],
      ),
    )
    .sort((a, b) => a.shift.startAt.localeCompare(b.shift.startAt) || a.name.localeCompare(b.name));
}

/** Whose rows are selected, of those that are shown; "all" is everybody. */
export function selectedOf(text: string, people: readonly Person[]): readonly Person[] {
  if (text === "all") return people;
  const ids = new Set(text.split(" "));
  return people.filter((p) => ids.has(p.userId));
}

/** The names of the days of the week, short, from Monday on. */
export function weekdayNames(): string[] {
  return datesFrom("2024-01-01", "2024-01-07").map((date) => dateOf(date).split(/[ ,]/)[0] ?? date);
}

/** The colour of a shift in the roster: its own, else one by its id, of the same lightness as others. */
export function toneOf(shift: { readonly id: string; readonly colour?: string | null | undefined }): string {
  const own = shift.colour ?? "";
  return /^#[0-9a-f]{6}$/i.test(own) ? own : `hsl(${(Number(shift.id) * 137) % 360} 55% 50%)`;
}
