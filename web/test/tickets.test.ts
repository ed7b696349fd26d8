import { expect, test } from "vitest";
import { clocksOf, pressing } from "../src/screens/tickets/sla.js";
import { clockWords, inputOf, nextOf, span, versionOf, whereOf } from "../src/screens/tickets/work.js";

const now = Date.parse("2026-03-10T10:00:00Z");
const open = { status: "open", respondBy: "2026-03-10T12:00:00Z", resolveBy: "2026-03-10T18:00:00Z" } as const;

test("the clock that is due first presses", () => {
  expect(pressing(open, now)).toEqual({ what: "answer", state: "runs", seconds: 7200 });
  expect(pressing({ ...open, respondedAt: "2026-03-10T09:00:00Z" }, now)?.what).toBe("resolution");
});

test("a hold stops the resolution, not the answer", () => {
  const held = { ...open, resolveBy: null, heldAt: "2026-03-10T09:30:00Z" };
  expect(clocksOf(held, now).map((c) => c.state)).toEqual(["runs", "held"]);
  expect(pressing({ ...held, respondedAt: "2026-03-10T09:00:00Z" }, now)?.state).toBe("held");
});

test("what was resolved late stays late, and presses no more", () => {
  const resolved = { ...open, status: "resolved", resolvedAt: "2026-03-10T19:00:00Z" } as const;
  expect(clocksOf(resolved, now).at(-1)).toEqual({ what: "resolution", state: "met", seconds: -3600 });
  expect(pressing(resolved, now)).toBeUndefined();
});

test("clocks in words", () => {
  expect(clockWords({ what: "answer", state: "runs", seconds: 7200 })).toBe("due in 2 h");
  expect(clockWords({ what: "answer", state: "runs", seconds: -10_800 })).toBe("late by 3 h");
  expect(clockWords({ what: "answer", state: "met", seconds: 60 })).toBe("in time");
  expect(clockWords({ what: "resolution", state: "held", seconds: 0 })).toBe("On hold");
  expect(span(90_000)).toBe("1 d 1 h");
  expect(span(1_200)).toBe("20 min");
});

test("a closed ticket is opened again alone, and not while it is merged", () => {
  expect(nextOf("closed")).toEqual(["open", "closed"]);
  expect(nextOf("closed", true)).toEqual(["closed"]);
  expect(nextOf("resolved")).toHaveLength(4);
});

test("only the members that fields tell are sent", () => {
  expect(inputOf({ subject: " Wi-Fi ", assignee: "", categoryId: "4" })).toEqual({
    subject: "Wi-Fi",
    assigneeId: null,
    categoryId: "4",
  });
  expect(versionOf({ version: 3 })).toEqual({ version: 3 });
  expect(versionOf({})).toEqual({});
});

test("filters of the address become conditions", () => {
  const at = "2026-03-10T10:00:00Z";
  expect(whereOf(new URLSearchParams("concern=mine&priority=high&category=4"), "7", at)).toEqual([
    { hasCategoryWith: [{ id: "4" }] },
    { priority: "high" },
    { hasAssigneeWith: [{ id: "7" }] },
  ]);
  expect(whereOf(new URLSearchParams("late=1"), "7", at)[0]?.or).toHaveLength(2);
  expect(whereOf(new URLSearchParams("category=x&concern=toString"), "7", at)).toEqual([]);
});
