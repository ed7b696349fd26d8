import { expect, test } from "vitest";
import { addMonths, datesOf, hours, hoursOf, instantIn, localIn, withDates } from "../src/parts/time.js";

test.each([
  ["Asia/Jakarta", "2026-03-10T08:00", "2026-03-10T01:00:00.000Z"],
  ["UTC", "2026-03-10T08:00", "2026-03-10T08:00:00.000Z"],
  ["Europe/Berlin", "2026-03-29T01:59", "2026-03-29T00:59:00.000Z"],
  ["Europe/Berlin", "2026-03-29T03:00", "2026-03-29T01:00:00.000Z"], // an hour after 01:59
  ["Europe/Berlin", "2026-10-25T02:30", "2026-10-25T00:30:00.000Z"], // the first of two
  ["America/New_York", "2026-11-01T01:30", "2026-11-01T05:30:00.000Z"],
  ["Pacific/Auckland", "2026-01-01T00:00", "2025-12-31T11:00:00.000Z"],
])("in %s, %s is %s", (zone, local, instant) => {
  expect(instantIn(zone, local)).toBe(instant);
  expect(localIn(zone, instant)).toBe(local);
});

test.each([
  [0, "0:00"],
  [29_100, "8:05"],
  [-1_800, "-0:30"],
  [-20, "0:00"],
  [360_000, "100:00"],
])("%i seconds are %s", (seconds, text) => {
  expect(hours(seconds)).toBe(text);
});

test("months", () => {
  expect(addMonths("2026-01", -1)).toBe("2025-12");
  expect(addMonths("2026-12", 1)).toBe("2027-01");
  expect(datesOf("2028-02")).toEqual({ from: "2028-02-01", to: "2028-02-29" });
});

test("hoursOf: from when until when, and of a whole day that it is flexible", () => {
  const of = (startAt: string, endAt: string) => hoursOf({ startAt, endAt }, "Asia/Jakarta");
  expect(of("2026-03-10T01:00:00Z", "2026-03-10T10:00:00Z")).toBe("08:00–17:00");
  expect(of("2026-03-09T17:00:00Z", "2026-03-10T16:59:00Z")).toBe("flexible hours");
});

test("withDates: dates and instants of the server are as the page says dates", () => {
  expect(withDates("The period from 2026-03-01 to 2026-03-31 is locked.")).toBe(
    "The period from 1 Mar 2026 to 31 Mar 2026 is locked.",
  );
  expect(withDates("possible until 2026-03-10T08:05:00+07:00.")).toBe("possible until 10 Mar 2026 08:05.");
  expect(withDates("invoice 2026-99-99, 12026-03-010")).toBe("invoice 2026-99-99, 12026-03-010");
});
