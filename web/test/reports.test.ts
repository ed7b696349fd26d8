import { expect, test } from "vitest";
import { monthOfDates, periodOf, sizeOf } from "../src/screens/reports/report.js";

const none = { from: "", to: "" };

test.each([
  ["month", none, { from: "2026-03-01", to: "2026-03-31" }],
  ["lastMonth", none, { from: "2026-02-01", to: "2026-02-28" }],
  ["week", { from: "2026-01-01", to: "2026-01-02" }, {}],
  ["dates", { from: "2026-01-01", to: "" }, { from: "2026-01-01" }],
])("%s, %j", (name, chosen, period) => {
  expect(periodOf(name, "2026-03-10", chosen)).toEqual(period);
});

test.each([
  ["2026-02-01", "2026-02-28", "2026-02"],
  ["2026-02-01", "2026-02-27", undefined],
  ["2026-02-02", "2026-02-28", undefined],
  ["2026-02-01", "2026-03-31", undefined],
])("%s to %s is the month %s", (from, to, month) => {
  expect(monthOfDates(from, to)).toBe(month);
});

test("bytes in words", () => {
  expect([541, 14_300, 1_250_000].map(sizeOf)).toEqual(["541 B", "14 kB", "1.3 MB"]);
});
