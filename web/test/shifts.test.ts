import { expect, test } from "vitest";
import {
  breaksOf,
  breaksText,
  changedOf,
  daysOf,
  daysText,
  newShift,
  type Shift,
  shiftInput,
  shiftValues,
} from "../src/screens/shifts/fields.js";

const shift: Shift = {
  id: "1",
  name: "Pagi",
  startTime: "08:00",
  endTime: "17:00",
  timezone: null,
  opensBeforeMinutes: 60,
  closesAfterMinutes: 30,
  lateGraceMinutes: null,
  earlyGraceMinutes: 0,
  halfDayBelowMinutes: 240,
  absentBelowMinutes: 0,
  breakMinutes: 0,
  breakAfterMinutes: 0,
  workingHours: "every_valid_pair",
  appliesFrom: "2026-01-01",
  colour: "#2563EB",
  active: true,
  breaks: [{ start: "12:00", end: "13:00" }],
  formerVersions: [],
};

test("a shift that nobody changed is sent as it was read", () => {
  const { id, appliesFrom, active, formerVersions, ...members } = shift;
  expect([id, appliesFrom, active, formerVersions]).toHaveLength(4);
  expect(shiftInput(shiftValues(shift, "2026-03-10"))).toEqual(members);
});

test("a new shift has an hour around it, and is judged at once", () => {
  const input = shiftInput({ ...newShift, name: "Malam", startTime: "22:00", endTime: "06:00" });
  expect(input).toMatchObject({
    opensBeforeMinutes: 60,
    closesAfterMinutes: 60,
    lateGraceMinutes: 0,
    breaks: [],
    timezone: null,
  });
});

test("an emptied margin of lateness is none", () => {
  expect(shiftInput({ ...newShift, lateGraceMinutes: "" }).lateGraceMinutes).toBeNull();
});

test("what was not changed is not sent", () => {
  const values = { ...shiftValues(shift, "2026-03-10"), endTime: "16:00" };
  expect(changedOf(shiftInput(values), { endTime: "16:00" })).toEqual({ endTime: "16:00" });
});

test("breaks as a text, one of them not entered yet", () => {
  const text = breaksText([
    ["12:00", "13:00"],
    ["", ""],
  ]);
  expect(breaksOf(text)).toEqual([
    ["12:00", "13:00"],
    ["", ""],
  ]);
  expect(breaksOf("")).toEqual([]);
});

test("the days of a rotation as a text", () => {
  expect(daysText([{ id: "7" }, null])).toBe("7 0");
  expect(daysOf("7 0")).toEqual(["7", null]);
});
