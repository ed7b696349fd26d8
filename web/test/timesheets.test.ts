import { expect, test } from "vitest";
import { daysOf } from "../src/screens/timesheets/days.js";
import {
  decimal,
  type Locks,
  locking,
  lockOf,
  monthAsked,
  monthsToChoose,
  people,
  sumOf,
  unlocking,
} from "../src/screens/timesheets/month.js";

const today = "2026-03-10";
const locks = (lockedFrom: string | null, lockedUntil: string | null, lockAfterDays: number | null = null): Locks => ({
  lockedFrom,
  lockedUntil,
  lockAfterDays,
  lockGraceDays: 0,
});

test.each([
  ["2026-02", "2026-02"],
  ["2026-13", "2026-03"],
  ["02-2026", "2026-03"],
  [null, "2026-03"],
])("the address %j shows %s", (asked, month) => {
  expect(monthAsked(asked, today)).toBe(month);
});

test("the next month, two years, and the month that is shown can be chosen", () => {
  const list = monthsToChoose(today, "2020-01");
  expect(list.slice(0, 3)).toEqual(["2026-04", "2026-03", "2026-02"]);
  expect(list.at(-1)).toBe("2020-01");
  expect(monthsToChoose(today, "2026-02")).toHaveLength(26);
});

test.each([
  ["open", locks(null, null), "2026-02"],
  ["open", locks("2026-01-01", "2026-01-31"), "2026-02"],
  ["dates", locks("2026-01-01", "2026-02-28"), "2026-02"],
  ["partly", locks("2026-02-10", "2026-02-28"), "2026-02"],
  ["later", locks("2026-03-01", "2026-03-31"), "2026-03"],
  ["rule", locks(null, null, 5), "2026-02"],
  ["open", locks(null, null, 10), "2026-02"],
])("%s: %j in %s", (state, set, month) => {
  expect(lockOf(set, month, today)).toBe(state);
});

test("a month is locked together with what is locked", () => {
  expect(locking(locks(null, null), "2026-02")).toEqual({ from: "2026-02-01", until: "2026-02-28" });
  expect(locking(locks("2025-11-01", "2025-12-31"), "2026-02")).toEqual({ from: "2025-11-01", until: "2026-02-28" });
  expect(locking(locks("2026-02-10", "2026-03-31"), "2026-02")).toEqual({ from: "2026-02-01", until: "2026-03-31" });
});

test("what is before a month stays locked, else what is after it", () => {
  expect(unlocking(locks("2026-01-01", "2026-03-31"), "2026-02")).toEqual({ from: "2026-01-01", until: "2026-01-31" });
  expect(unlocking(locks("2026-02-01", "2026-03-31"), "2026-02")).toEqual({ from: "2026-03-01", until: "2026-03-31" });
  expect(unlocking(locks("2026-02-01", "2026-02-28"), "2026-02")).toEqual({ from: null, until: null });
});

const total = (workedSeconds: number) => ({
  workedSeconds,
  expectedSeconds: 7200,
  lateSeconds: 60,
  lateDays: 1,
  overtimeSeconds: 0,
  absentDays: 0,
  unconfirmedDays: 0,
});

test("people are found by a part of their name, and summed with what they booked", () => {
  const read = [
    { userId: "1", name: "Budi Santoso", total: total(3600) },
    { userId: "2", name: "Siti", total: total(1800) },
  ];
  expect(people(read, undefined, " sant ").map((p) => p.name)).toEqual(["Budi Santoso"]);
  expect(sumOf(people(read, undefined, "")).booked).toBeUndefined();
  expect(sumOf(people(read, new Map([["2", 900]]), ""))).toEqual({
    worked: 5400,
    expected: 14400,
    late: 120,
    overtime: 0,
    booked: 900,
  });
});

test("hours with two decimals", () => {
  expect([29100, -1800, 0].map(decimal)).toEqual(["8.08", "-0.50", "0.00"]);
});

test("what lies on a date is on its day, in the order of the clock-ins", () => {
  const event = (id: string, clockedInAt: string, flags: string[]) => ({
    id,
    workDate: "2026-03-02",
    needsConfirmation: id === "2",
    clockedInAt,
    clockedInZone: "Asia/Jakarta",
    clockedInFlags: flags,
    clockedOutAt: null,
    clockedOutZone: null,
    clockedOutFlags: flags,
  });
  const part = (from: string) => ({ from, status: "present" as const, leaveSeconds: 0, ...total(60) });
  const days = daysOf(
    {
      timesheet: { people: [{ name: "Budi", total: total(120), parts: [part("2026-03-01"), part("2026-03-02")] }] },
      attendances: {
        edges: [
          { node: event("2", "2026-03-02T06:00:00Z", ["outside"]) },
          { node: event("1", "2026-03-02T01:00:00Z", ["outside", "mock"]) },
        ],
      },
      leaves: { edges: [{ node: { id: "1", dates: ["2026-03-01"], leaveType: { name: "Annual" } } }] },
    },
    new Map([["2026-03-02", 30]]),
  );
  expect(days.map((d) => d.events.map((e) => e.id))).toEqual([[], ["1", "2"]]);
  expect(days.map((d) => d.leaves)).toEqual([["Annual"], []]);
  expect(days[1]).toMatchObject({ flags: ["outside", "mock"], confirm: true, booked: 30, worked: 60 });
});
