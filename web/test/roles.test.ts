import { expect, test } from "vitest";
import { changes, nameIn, plain, same } from "../src/screens/audit/changes.js";
import { differences, permissionsOf, widest } from "../src/screens/roles/grants.js";

test("of several scopes the widest counts", () => {
  expect([...widest(["task.read.own", "task.read.team", "task.write.own"])]).toEqual([
    ["task.read", "team"],
    ["task.write", "own"],
  ]);
});

test("a permission without a row stays", () => {
  const before = ["audit.approve.all", "task.read.own"];
  expect(permissionsOf({ "task.read": "all", "task.write": "" }, before)).toEqual([
    "audit.approve.all",
    "task.read.all",
  ]);
  expect(differences({ "task.read": "all" }, before)).toEqual(["task.read"]);
  expect(differences({ "task.read": "own" }, before)).toEqual([]);
});

test("what an event changed stands before what it did not", () => {
  const all = changes('{"id":1,"name":"A"}', '{"id":1,"name":"B","note":null}');
  expect(all.map((c) => c.name)).toEqual(["name", "note", "id"]);
  expect(all.map(same)).toEqual([false, false, true]);
  expect(changes(null, "not JSON")).toEqual([{ name: "value", before: undefined, after: "not JSON" }]);
  expect(nameIn('{"name":"A"}', null)).toBe("A");
  expect(plain("business_id")).toBe("Business id");
});
