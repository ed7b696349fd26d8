import { type NodeOf, nodes } from "../../parts/nodes.js";
import type { PersonMonthQuery } from "./timesheets.graphql.js";

type Event = NodeOf<PersonMonthQuery["attendances"]>;
type Shift = NodeOf<NonNullable<PersonMonthQuery["employeeShifts"]>>;
type Part = PersonMonthQuery["timesheet"]["people"][number]["parts"][number];

/** A day of a person: what lies on its date, and seconds. */
export interface Day {
  readonly date: string;
  readonly status: NonNullable<Part["status"]>;
  readonly shifts: readonly Shift[];
  readonly events: readonly Event[];
  /** The names of the types of leave. */
  readonly leaves: readonly string[];
  readonly flags: readonly string[];
  /** Whether a rule made a clock-out that nobody confirmed. */
  readonly confirm: boolean;
  readonly worked: number;
  readonly booked: number;
  readonly expected: number;
  readonly late: number;
  readonly overtime: number;
  readonly leaveSeconds: number;
}

/** The days of a month, with what lies on each, in the order in which it began. */
export function daysOf(read: PersonMonthQuery, booked: ReadonlyMap<string, number> | undefined): Day[] {
  const events = nodes(read.attendances).sort((a, b) => a.clockedInAt.localeCompare(b.clockedInAt));
  const shifts = read.employeeShifts ? nodes(read.employeeShifts) : [];
  const leaves = read.leaves ? nodes(read.leaves) : [];
  return (read.timesheet.people[0]?.parts ?? []).map((part) => {
    const date = part.from;
    const own = events.filter((e) => e.workDate === date);
    return {
      date,
      status: part.status ?? "none",
      shifts: shifts.filter((s) => s.date === date).sort((a, b) => a.startAt.localeCompare(b.startAt)),
      events: own,
      leaves: leaves.filter((l) => l.dates.includes(date)).map((l) => l.leaveType.name),
      flags: [...new Set(own.flatMap((e) => [...e.clockedInFlags, ...e.clockedOutFlags]))],
      confirm: own.some((e) => e.needsConfirmation),
      worked: part.workedSeconds,
      booked: booked?.get(date) ?? 0,
      expected: part.expectedSeconds,
      late: part.lateSeconds,
      overtime: part.overtimeSeconds,
      leaveSeconds: part.leaveSeconds,
    };
  });
}
