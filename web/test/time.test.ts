import { expect, test } from "vitest";
import { addMonths, datesOf, hours, instantIn, localIn } from "../src/parts/time.js";

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
