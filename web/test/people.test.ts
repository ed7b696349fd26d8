import { expect, test } from "vitest";
import { devicesOf, sessionsOf } from "../src/screens/people/access.js";
import { peopleFile, templateFile } from "../src/screens/people/file.js";
import { whereOf } from "../src/screens/people/find.js";
import { changeOf, newOf, phone, valuesOf } from "../src/screens/people/person-values.js";
import { above, pathOf, subtree, sums } from "../src/screens/people/tree.js";

const tree = [
  { id: "1", name: "A", parentId: null, depth: 0, userCount: 1 },
  { id: "2", name: "B / C", parentId: "1", depth: 1, userCount: 2 },
  { id: "3", name: "D", parentId: "2", depth: 2, userCount: 3 },
  { id: "4", name: "E", parentId: "1", depth: 1, userCount: 4 },
];

test("a branch is a node and all below it", () => {
  expect(subtree(tree, "2")).toEqual(["2", "3"]);
  expect(subtree(tree, "1")).toEqual(["1", "2", "3", "4"]);
  expect(subtree(tree, "9")).toEqual([]);
  expect(above(tree, "3")).toEqual(["2", "1"]);
  expect([...sums(tree).values()]).toEqual([10, 5, 3, 4]);
});

test("a path keeps separators of names apart", () => {
  expect(pathOf(tree, "3")).toBe("A / B \\/ C / D");
});

test("each word is found in the name or the address", () => {
  const none = { words: "", businesses: [], designations: [], role: "", state: "all" };
  expect(whereOf(none)).toBeNull();
  expect(whereOf({ ...none, words: " budi  s ", state: "" })).toEqual({
    and: [
      { or: [{ nameContainsFold: "budi" }, { emailContainsFold: "budi" }] },
      { or: [{ nameContainsFold: "s" }, { emailContainsFold: "s" }] },
      { active: true },
    ],
  });
});

const person = {
  name: "Budi",
  email: "budi@demo.test",
  mobileNumber: { countryCode: 62, number: "0811" },
  designations: [{ id: "3", name: "D" }],
  roles: [],
  business: { id: "4", name: "E" },
  joinedOn: "2026-01-05",
};

test("a file has the columns of an import", () => {
  expect(peopleFile([person], tree, tree).split("\r\n")[1]).toBe(
    "Budi,budi@demo.test,,62,0811,,,A / E,A / B \\/ C / D,2026-01-05,",
  );
  expect(templateFile()).toMatch(/^name,email,employeeNumber,countryCode,mobileNumber,gender,locale,business,/);
});

test("only what was changed is sent", () => {
  const values = valuesOf(person);
  const changed = { leftOn: "2026-03-01", joinedOn: "", "policies.mock": "block" };
  expect(changeOf({ ...values, ...changed }, changed)).toEqual({
    joinedOn: null,
    leftOn: "2026-03-01",
    policies: { mock: "block" },
  });
  expect(changeOf({ ...values, mobileNumber: "" }, { mobileNumber: "" })).toEqual({ mobileNumber: null });
});

test("a new person without a role or a number has neither", () => {
  expect(newOf({ name: " Budi ", email: "b@demo.test", designationIds: "3 4" })).toMatchObject({
    name: "Budi",
    designationIds: ["3", "4"],
    businessId: null,
  });
  expect(newOf({ name: "B", email: "b" })).not.toHaveProperty("mobileNumber");
  expect(newOf({ mobileNumber: "0811", countryCode: "+62" })).toMatchObject({
    mobileNumber: { countryCode: 62, number: "0811" },
  });
});

test("a number is written without the zero that the country's code replaces", () => {
  expect(phone({ countryCode: 62, number: "0811" })).toBe("+62 811");
  expect(phone({ countryCode: null, number: "0811" })).toBe("0811");
  expect(phone(null)).toBe("");
});

test("devices are those that the person trusts, as they call them", () => {
  const at = "2026-03-01T00:00:00Z";
  const trust = { name: null, trustedAt: at, revokedAt: null, user: { id: "1" } };
  const device = { id: "7", platform: "ios" as const, model: "X", trusts: [{ ...trust, revokedAt: at }, trust] };
  const named = { ...device, id: "8", trusts: [{ ...trust, name: "Ponsel" }] };
  expect(devicesOf([device, named], "1")).toEqual([
    { id: "7", platform: "ios", model: "X", trustedAt: at },
    { id: "8", platform: "ios", model: "Ponsel", trustedAt: at },
  ]);
  expect(devicesOf([device], "2")).toEqual([]);
});

test("the newest session is the first", () => {
  const device = { id: "7", platform: "ios" as const, model: null };
  const session = { id: "5", createdAt: "2026-03-01T00:00:00Z", endsAt: null, device };
  const newer = { ...session, id: "6", createdAt: "2026-03-02T00:00:00Z" };
  expect(sessionsOf([session, newer]).map((s) => [s.id, s.model])).toEqual([
    ["6", ""],
    ["5", ""],
  ]);
});

test("a password is sent where one was given", () => {
  expect(newOf({ name: "B", email: "b" })).not.toHaveProperty("password");
  expect(newOf({ name: "B", email: "b" }, "sealed")).toHaveProperty("password", "sealed");
});
