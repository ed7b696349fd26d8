import { expect, test } from "vitest";
import { shiftsOf } from "../src/screens/roster/plan.js";
import { stateOf } from "../src/screens/roster/swaps.js";
import {
  askedBy,
  cellsOf,
  cellWords,
  datesFrom,
  moved,
  named,
  type Person,
  type RosterShift,
  selectedOf,
  swappable,
  toneOf,
} from "../src/screens/roster/week.js";

function shift(date: string, change: Partial<RosterShift> = {}): RosterShift {
  return {
    employeeShiftId: `on ${date}`,
    shiftId: "1",
    name: "Pagi",
    colour: null,
    date,
    startAt: `${date}T01:00:00Z`,
    endAt: `${date}T10:00:00Z`,
    origin: "assignment",
    clashes: [],
    ...change,
  };
}

function person(userId: string, name: string, change: Partial<Person> = {}): Person {
  return { userId, name, hours: 0, shifts: [], leaves: [], holidays: [], ...change };
}

const people = [person("1", "Agus"), person("2", "Désirée"), person("3", "Budi")];

test.each([
  ["", { week: "", weeks: 1, business: "" }],
  ["week=2026-03-10&weeks=4&business=7", { week: "2026-03-10", weeks: 4, business: "7" }],
  ["week=soon&weeks=5&business=x", { week: "", weeks: 1, business: "" }],
])("what %j asks for", (query, asked) => {
  expect(askedBy(new URLSearchParams(query))).toEqual(asked);
});

test("the dates from one to another, over the end of a month", () => {
  expect(datesFrom("2026-02-27", "2026-03-01")).toEqual(["2026-02-27", "2026-02-28", "2026-03-01"]);
  expect(datesFrom("2026-03-02", "2026-03-01")).toEqual([]);
});

test("what somebody has on a date: shifts, leave that covers it, a holiday", () => {
  const leave = { leaveId: "5", name: "Cuti", startsOn: "2026-03-09", endsOn: "2026-03-10", half: false };
  const of = person("1", "Agus", {
    shifts: [shift("2026-03-09"), shift("2026-03-10", { clashes: ["leave"] })],
    leaves: [{ ...leave, fromTime: null, toTime: null, workFromHome: false, state: "pending" }],
    holidays: [{ date: "2026-03-11", name: "Nyepi", half: true }],
  });
  const words = cellsOf(of, ["2026-03-10", "2026-03-11", "2026-03-12"]).map((c) => cellWords(c, () => "Asia/Jakarta"));
  expect(words).toEqual(["Cuti, not decided; Pagi 08:00–17:00, on leave", "Nyepi, half day", ""]);
});

test.each([
  ["", "Agus Désirée Budi"],
  [" desi", "Désirée"],
  ["U", "Agus Budi"],
  ["zz", ""],
])("those named %j: %s", (part, names) => {
  expect(
    named(people, part)
      .map((p) => p.name)
      .join(" "),
  ).toBe(names);
});

test.each([
  ["ArrowRight", false, { row: 1, column: 2 }],
  ["ArrowLeft", false, { row: 1, column: 0 }],
  ["ArrowUp", false, { row: 0, column: 1 }],
  ["PageDown", false, { row: 11, column: 1 }],
  ["PageUp", false, { row: 0, column: 1 }],
  ["Home", false, { row: 1, column: 0 }],
  ["End", true, { row: 99, column: 6 }],
  ["a", false, undefined],
  ["constructor", false, undefined],
])("the key %s, far %s", (key, far, to) => {
  expect(moved(key, far, { row: 1, column: 1 }, 100, 7)).toEqual(to);
});

test("no key leads out of the grid", () => {
  expect(moved("ArrowDown", false, { row: 1, column: 1 }, 2, 2)).toEqual({ row: 1, column: 1 });
  expect(moved("ArrowRight", false, { row: 1, column: 1 }, 2, 2)).toEqual({ row: 1, column: 1 });
});

test("shifts that can be swapped: made, not started, by start", () => {
  const of = person("1", "Agus", {
    shifts: [
      shift("2026-03-12"),
      shift("2026-03-09"),
      shift("2026-03-11"),
      shift("2026-03-25", { employeeShiftId: null }),
    ],
  });
  expect(swappable([of], Date.parse("2026-03-10T00:00:00Z")).map((s) => s.id)).toEqual([
    "on 2026-03-11",
    "on 2026-03-12",
  ]);
});

test("whose rows are selected", () => {
  expect(selectedOf("3 1 99", people).map((p) => p.name)).toEqual(["Agus", "Budi"]);
  expect(selectedOf("", people)).toEqual([]);
});

test.each([
  [{}, undefined],
  [{ choice: "7" }, ["7"]],
  [{ choice: "off" }, []],
  [{ choice: "usual" }, null],
  [{ choice: "several" }, undefined],
  [{ choice: "several", several: "7 9" }, ["7", "9"]],
])("what %j plans", (values, ids) => {
  expect(shiftsOf(values)).toEqual(ids);
});

test("a colour that is none is not used", () => {
  expect(toneOf({ id: "1", colour: "#0D9488" })).toBe("#0D9488");
  expect(toneOf({ id: "1", colour: "red; width: 9px" })).toBe("hsl(137 55% 50%)");
});

test.each([
  ["asked", 0, "asked"],
  ["agreed", 1, "expired"],
  ["asked", 2, "expired"],
  ["approved", 2, "approved"],
  ["cancelled", 2, "cancelled"],
] as const)("a request that is %s, looked at %d ms from its end, is %s", (state, after, want) => {
  const expiresAt = "2026-03-12T01:00:00Z";
  expect(stateOf({ state, expiresAt }, Date.parse(expiresAt) - 1 + after)).toBe(want);
});
