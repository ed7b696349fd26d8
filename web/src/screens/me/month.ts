import { nodes } from "../../parts/nodes.js";
import { addDays, addMonths, clock, dateOf, datesOf, duration, hoursOf, isFlexible } from "../../parts/time.js";
import type { MonthQuery, PlanFragment } from "./days.graphql.js";
import { daysTexts } from "./days-texts.js";

/** What a day is above all, which its mark in the month tells. */
export type Mark = "" | "planned" | "none" | "worked" | "late" | "absent" | "leave" | "asked" | "holiday" | "confirm";

/** A shift of a day. */
export interface DayShift {
  /** The occurrence; "" where it is not made yet. */
  readonly id: string;
  readonly shiftId: string;
  readonly name: string;
  readonly date: string;
  /** Instants. */
  readonly startAt: string;
  readonly endAt: string;
  readonly zone: string;
}

/** A day of the person. */
export interface MonthDay {
  readonly date: string;
  readonly mark: Mark;
  readonly shifts: readonly DayShift[];
  /** Names of holidays. */
  readonly holidays: readonly string[];
  /** Names of leave, and whether they wait. */
  readonly leaves: readonly string[];
  readonly away: readonly string[];
  readonly workedSeconds: number;
  readonly overtimeSeconds: number;
}

/** The dates that a month's grid has, in whole weeks from a weekday by ISO, 1 for Monday. */
export function gridOf(month: string, firstWeekday: number): string[] {
  const { from, to } = datesOf(month);
  const weekday = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay() || 7;
  const before = (weekday(from) - firstWeekday + 7) % 7;
  const dates: string[] = [];
  for (let date = addDays(from, -before); date <= to || dates.length % 7 !== 0; date = addDays(date, 1))
    dates.push(date);
  return dates;
}

/** The shifts of a period, by start: those that are made, and those that are planned after them. */
function shiftsOf(read: MonthQuery, zone: string): DayShift[] {
  const made = nodes(read.employeeShifts).map((s) => ({
    id: s.id,
    shiftId: s.shift.id,
    name: s.name,
    date: s.date,
    startAt: s.startAt,
    endAt: s.endAt,
    zone: s.timezone,
  }));
  const zones = new Map(made.map((s) => [s.shiftId, s.zone]));
  const dates = new Set(made.map((s) => s.date));
  const planned = [read.plan, read.planned]
    .flatMap((plan: PlanFragment | undefined) => plan?.people[0]?.shifts ?? [])
    .filter((s) => !s.employeeShiftId && !dates.has(s.date))
    .map((s) => ({ ...s, id: "", zone: zones.get(s.shiftId) ?? zone }));
  return [...made, ...planned].sort((a, b) => a.startAt.localeCompare(b.startAt));
}

/**
 * Each date of a period with what the person has on it at an instant in milliseconds. Times are in the zone of the
 * company where the shift's is not known.
 */
export function daysOf(read: MonthQuery, dates: readonly string[], zone: string, now: number): MonthDay[] {
  const t = daysTexts();
  const shifts = shiftsOf(read, zone);
  const parts = new Map((read.timesheet.people[0]?.parts ?? []).map((p) => [p.from, p]));
  const holidays = holidaysOf(read);
  const leaves = nodes(read.leaves ?? {});
  return dates.map((date) => {
    const part = parts.get(date);
    const mine = leaves.filter((l) => l.dates.includes(date));
    const on = {
      date,
      shifts: shifts.filter((s) => s.date === date),
      holidays: holidays.get(date) ?? [],
      leaves: mine.map((l) => {
        const hour = l.fromTime ? `${l.fromTime}–${l.toTime}` : l.half ? t.half : "";
        return [l.leaveType.name, hour, l.state === "pending" ? t.waits : ""].filter((s) => s !== "").join(", ");
      }),
      away: read.away.filter((a) => a.from <= date && date <= a.to).map((a) => a.name),
      workedSeconds: part?.workedSeconds ?? 0,
      overtimeSeconds: part?.overtimeSeconds ?? 0,
    };
    return { ...on, mark: markOf(on, part, mine, now) };
  });
}

/** The names of holidays by date: those where the person works where that is planned, else the company's. */
function holidaysOf(read: MonthQuery): Map<string, string[]> {
  const t = daysTexts();
  const of = new Map<string, string[]>();
  const add = (h: { date: string; name: string; half: boolean }): void => {
    const name = h.half ? `${h.name}, ${t.half}` : h.name;
    const there = of.get(h.date) ?? [];
    if (!there.includes(name)) of.set(h.date, [...there, name]);
  };
  const plans = [read.plan, read.planned].flatMap((p: PlanFragment | undefined) => p?.people ?? []);
  for (const h of plans.flatMap((p) => p.holidays)) add(h);
  if (plans.length === 0) for (const h of nodes(read.holidays)) if (!h.address) add(h);
  return of;
}

/** The statuses of a day on which the person was there, be it for less than a minute. */
const presences = ["present", "half_day", "work_from_home"];

type Part = NonNullable<MonthQuery["timesheet"]["people"][number]>["parts"][number];

function markOf(
  day: Pick<MonthDay, "shifts" | "holidays">,
  part: Part | undefined,
  leaves: readonly { readonly state: string }[],
  now: number,
): Mark {
  if (part?.status === "needs_confirmation") return "confirm";
  const worked = part && (part.workedSeconds > 0 || presences.includes(part.status ?? ""));
  if (worked) return part.lateSeconds > 0 ? "late" : "worked";
  if (part?.status === "absent") return "absent";
  if (leaves.some((l) => l.state === "approved")) return "leave";
  if (leaves.length > 0) return "asked";
  if (day.holidays.length > 0) return "holiday";
  if (day.shifts.length === 0) return "";
  return day.shifts.every((s) => Date.parse(s.endAt) <= now) ? "none" : "planned";
}

/** What a cell of the month says of the hours of a day: when its first shift begins, or that it is flexible. */
export function hoursWord(day: Pick<MonthDay, "shifts">): string {
  const [first] = day.shifts;
  if (!first) return "";
  return isFlexible(first) ? daysTexts().flexible : clock(first.startAt, first.zone);
}

const moves: Readonly<Record<string, (date: string, place: number) => string>> = {
  ArrowLeft: (date) => addDays(date, -1),
  ArrowRight: (date) => addDays(date, 1),
  ArrowUp: (date) => addDays(date, -7),
  ArrowDown: (date) => addDays(date, 7),
  Home: (date, place) => addDays(date, -place),
  End: (date, place) => addDays(date, 6 - place),
  PageUp: (date) => inMonth(date, -1),
  PageDown: (date) => inMonth(date, 1),
};

/** The date to which a key leads from one of a month's grid; undefined for another key. */
export function moved(key: string, date: string, grid: readonly string[]): string | undefined {
  return moves[key]?.(date, Math.max(0, grid.indexOf(date)) % 7);
}

/** The same day of a month some months after a date's; its last day where it has fewer. */
function inMonth(date: string, months: number): string {
  const month = addMonths(date.slice(0, 7), months);
  const wanted = `${month}-${date.slice(8)}`;
  const { to } = datesOf(month);
  return wanted < to ? wanted : to;
}

/** A day in words: what a screen reader says of it in the month. */
export function dayWords(day: MonthDay): string {
  const t = daysTexts();
  const shifts = day.shifts.map((s) => `${s.name} ${hoursOf(s, s.zone)}`);
  const worked = day.workedSeconds > 0 ? [t.workedHours(duration(day.workedSeconds))] : [];
  const mark = ["late", "absent", "none", "confirm"].includes(day.mark) ? [t.marks[day.mark as "late"]] : [];
  const away = day.away.length > 0 ? [t.awayCount(day.away.length)] : [];
  return [dateOf(day.date), ...day.holidays, ...day.leaves, ...shifts, ...worked, ...mark, ...away].join(", ");
}
