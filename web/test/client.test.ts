import { expect, test } from "vitest";
import { bodyOf } from "../src/api/client.js";

test("what has no file is JSON", () => {
  expect(bodyOf("{a}", { n: 1 })).toBe('{"query":"{a}","variables":{"n":1}}');
});

test("files are parts of a form, named where they belong", async () => {
  const file = new File(["a,b"], "people.csv", { type: "text/csv" });
  const body = bodyOf("mutation($input: I!) {a}", { input: { file, images: [file], dryRun: true, at: null } });
  if (!(body instanceof FormData)) throw new Error("no form");
  expect(JSON.parse(String(body.get("operations")))).toEqual({
    query: "mutation($input: I!) {a}",
    variables: { input: { file: null, images: [null], dryRun: true, at: null } },
  });
  expect(JSON.parse(String(body.get("map")))).toEqual({ 0: ["variables.input.file"], 1: ["variables.input.images.0"] });
  expect([...body.keys()]).toEqual(["operations", "map", "0", "1"]);
  expect(await (body.get("1") as File).text()).toBe("a,b");
});
