import { expect, test } from "vitest";
import { best } from "../src/palette.js";

const list = ["Today", "Agus", "Inbox", "ayu"].map((name) => ({ name }));

test.each([
  ["", "Today Agus Inbox ayu"],
  ["a", "Agus ayu Today Inbox"],
  ["in", "Inbox Today Agus ayu"],
])("names that begin with %j stand first: %s", (part, names) => {
  expect(best(list, part).map((f) => f.name)).toEqual(names.split(" "));
});
