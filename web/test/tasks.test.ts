import { expect, test } from "vitest";
import { stopwatch } from "../src/parts/time.js";
import { inputOf, isOverdue, nextOf, peopleText, ruleName } from "../src/screens/tasks/work.js";

const zone = "Asia/Jakarta";

test("only the members that fields tell are sent, in the company's zone", () => {
  const people = peopleText([{ id: "7", name: "Budi" }]);
  expect(inputOf({ title: " Audit ", dueAt: "2026-03-10T17:00", startAt: "", people, version: "3" }, zone)).toEqual({
    title: "Audit",
    dueAt: "2026-03-10T10:00:00.000Z",
    startAt: null,
    assigneeIds: ["7"],
    version: 3,
  });
  expect(inputOf({ projectId: "", people: "" }, zone)).toEqual({ projectId: null, assigneeIds: [] });
});

test("a cancelled task is opened alone, and a done one is not cancelled", () => {
  expect(nextOf("cancelled")).toEqual(["open", "cancelled"]);
  expect(nextOf("done")).not.toContain("cancelled");
  expect(nextOf("open")).toHaveLength(4);
});

test("what is done is not overdue", () => {
  const dueAt = "2026-03-10T10:00:00Z";
  const later = Date.parse("2026-03-10T10:00:01Z");
  expect(isOverdue({ status: "open", dueAt }, later)).toBe(true);
  expect(isOverdue({ status: "done", dueAt }, later)).toBe(false);
  expect(isOverdue({ status: "open", dueAt }, Date.parse(dueAt))).toBe(false);
  expect(isOverdue({ status: "in_progress", dueAt: null }, later)).toBe(false);
});

test("usual rules have names", () => {
  expect(ruleName("")).toBe("never");
  expect(ruleName("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR")).toBe("weekdays");
  expect(ruleName("FREQ=WEEKLY;BYDAY=MO")).toBe("own");
});

test("a clock that runs shows hours, minutes and seconds", () => {
  expect(stopwatch(3723.9)).toBe("1:02:03");
  expect(stopwatch(0)).toBe("0:00:00");
});
