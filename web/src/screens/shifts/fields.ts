import { numberOf, textOf, type Values } from "../../parts/form.js";
import { dateOf } from "../../parts/time.js";
import type { ShiftWholeQuery } from "./shifts.graphql.js";

export type Shift = ShiftWholeQuery["shift"];

/** A break as its two wall times, HH:MM; "" for one that is not entered yet. */
export type Break = readonly [string, string];

/** The values that a form has where a shift is new: those that the API would take. */
export const newShift: Values = {
  opensBeforeMinutes: "60",
  closesAfterMinutes: "60",
  lateGraceMinutes: "0",
  earlyGraceMinutes: "0",
  halfDayBelowMinutes: "0",
  absentBelowMinutes: "0",
  breakMinutes: "0",
  breakAfterMinutes: "0",
  workingHours: "first_last",
};

/** Breaks as the text of a form: 12:00-13:00 15:00-15:15. */
export function breaksText(breaks: readonly Break[]): string {
  return breaks.map(([start, end]) => `${start}-${end}`).join(" ");
}

/** The breaks that a form's text has. */
export function breaksOf(text: string): Break[] {
  return text
    .split(" ")
    .filter((b) => b.includes("-"))
    .map((b) => {
      const [start = "", end = ""] = b.split("-");
      return [start, end] as const;
    });
}

/** A shift as the values of a form that changes it from a date on. */
export function shiftValues(shift: Shift, from: string): Values {
  const text = (value: number | null | undefined): string => (value == null ? "" : String(value));
  return {
    from,
    name: shift.name,
    startTime: shift.startTime,
    endTime: shift.endTime,
    timezone: shift.timezone ?? "",
    opensBeforeMinutes: text(shift.opensBeforeMinutes),
    closesAfterMinutes: text(shift.closesAfterMinutes),
    lateGraceMinutes: text(shift.lateGraceMinutes),
    earlyGraceMinutes: text(shift.earlyGraceMinutes),
    halfDayBelowMinutes: text(shift.halfDayBelowMinutes),
    absentBelowMinutes: text(shift.absentBelowMinutes),
    breaks: breaksText(shift.breaks.map((b) => [b.start, b.end] as const)),
    breakMinutes: text(shift.breakMinutes),
    breakAfterMinutes: text(shift.breakAfterMinutes),
    workingHours: shift.workingHours,
    colour: shift.colour ?? "",
    active: shift.active ? "on" : "",
  };
}

/** What a form's values of a shift are as input, but the date from which on it holds. */
export function shiftInput(values: Values) {
  return {
    name: values.name ?? "",
    startTime: values.startTime ?? "",
    endTime: values.endTime ?? "",
    timezone: textOf(values.timezone),
    opensBeforeMinutes: numberOf(values.opensBeforeMinutes) ?? 0,
    closesAfterMinutes: numberOf(values.closesAfterMinutes) ?? 0,
    lateGraceMinutes: numberOf(values.lateGraceMinutes),
    earlyGraceMinutes: numberOf(values.earlyGraceMinutes),
    halfDayBelowMinutes: numberOf(values.halfDayBelowMinutes) ?? 0,
    absentBelowMinutes: numberOf(values.absentBelowMinutes) ?? 0,
    breaks: breaksOf(values.breaks ?? "").map(([start, end]) => ({ start, end })),
    breakMinutes: numberOf(values.breakMinutes) ?? 0,
    breakAfterMinutes: numberOf(values.breakAfterMinutes) ?? 0,
    workingHours: values.workingHours === "every_valid_pair" ? ("every_valid_pair" as const) : ("first_last" as const),
    colour: textOf(values.colour),
  };
}

/** Those members of an input whose fields were changed: what is absent stays. */
export function changedOf<Input extends object>(input: Input, changed: Values): Partial<Input> {
  return Object.fromEntries(Object.entries(input).filter(([name]) => Object.hasOwn(changed, name))) as Partial<Input>;
}

/** The days of a rotation as a form's text: ids with blanks between, 0 for a day off. */
export function daysText(days: readonly ({ readonly id: string } | null)[]): string {
  return days.map((d) => d?.id ?? "0").join(" ");
}

/** The days that a form's text has: null is a day off. */
export function daysOf(text: string): (string | null)[] {
  return text
    .split(" ")
    .filter(Boolean)
    .map((id) => (id === "0" ? null : id));
}

/** The date from which on a version holds, with its year; "" for one that always did. */
export function dayOf(date: string): string {
  return date < "1900" ? "" : `${dateOf(date)} ${date.slice(0, 4)}`;
}
