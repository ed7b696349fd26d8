import { expect, test } from "vitest";
import { bodyOf } from "../src/api/client.js";

const operation = { name: "Send", kind: "mutation", hash: "ab" } as const;
const named = { operationName: "Send", extensions: { persistedQuery: { version: 1, sha256Hash: "ab" } } };

test("what has no file is JSON, which names the operation by its hash", () => {
  expect(JSON.parse(String(bodyOf(operation, { n: 1 })))).toEqual({ ...named, variables: { n: 1 } });
});

test("files are parts of a form, named where they belong", async () => {
  const file = new File(["a,b"], "people.csv", { type: "text/csv" });
  const body = bodyOf(operation, { input: { file, images: [file], dryRun: true, at: null } });
  if (!(body instanceof FormData)) throw new Error("no form");
  expect(JSON.parse(String(body.get("operations")))).toEqual({
    ...named,
    variables: { input: { file: null, images: [null], dryRun: true, at: null } },
  });
  expect(JSON.parse(String(body.get("map")))).toEqual({ 0: ["variables.input.file"], 1: ["variables.input.images.0"] });
  expect([...body.keys()]).toEqual(["operations", "map", "0", "1"]);
  expect(await (body.get("1") as File).text()).toBe("a,b");
});
