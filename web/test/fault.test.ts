import { expect, test, vi } from "vitest";
import { Fault, faultOf, faultOfGraphQL, fetchJSON, isPassing } from "../src/api/fault.js";
import { words } from "../src/parts/states.js";

test("a refusal has its code, its words and what is wrong with its members", () => {
  const body = {
    code: "VALIDATION_FAILED",
    detail: "Some fields are wrong.",
    errors: [{ field: "otp", code: "INVALID", detail: "The code is wrong." }],
    meta: { left: 2 },
    requestId: "r1",
  };
  const fault = faultOf(Response.json(body, { status: 422 }), body);
  expect(fault).toMatchObject({ message: "Some fields are wrong.", code: "VALIDATION_FAILED", requestId: "r1" });
  expect(fault.of("otp")).toBe("The code is wrong.");
  expect(fault.of("password")).toBe("");
  expect(fault.meta).toEqual({ left: 2 });
});

test("the first error of GraphQL counts", () => {
  const extensions = { code: "FORBIDDEN", requestId: "r2" };
  const fault = faultOfGraphQL([{ message: "You may not.", extensions }, { message: "Nor this." }]);
  expect(fault).toMatchObject({ message: "You may not.", code: "FORBIDDEN", requestId: "r2" });
  expect(faultOfGraphQL([{ message: "What?" }]).code).toBe("INTERNAL");
});

test.each([
  [
    "a proxy's page",
    new Response("<h1>Bad gateway</h1>", { status: 502, headers: { "X-Req-Id": "r3" } }),
    "UNAVAILABLE",
  ],
  ["a page in place of an answer", new Response("<h1>Hello</h1>"), "INTERNAL"],
])("%s is a fault", async (_name, response, code) => {
  vi.stubGlobal("fetch", () => Promise.resolve(response));
  await expect(fetchJSON("/graphql", {})).rejects.toMatchObject({ code, message: "" });
});

test("no answer is a fault, unless the request was given up", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no network")));
  await expect(fetchJSON("/graphql", {})).rejects.toMatchObject({ code: "UNREACHABLE" });
  await expect(fetchJSON("/graphql", { signal: AbortSignal.abort() })).rejects.toThrow(TypeError);
});

test.each(["UNREACHABLE", "UNAVAILABLE", "RATE_LIMITED", "IDEMPOTENCY_IN_PROGRESS"])("%s passes", (code) => {
  expect(isPassing(new Fault("", { code }))).toBe(true);
});

test("other faults stay", () => {
  expect(isPassing(new Fault("", { code: "CONFLICT" }))).toBe(false);
  expect(isPassing(new Error("UNAVAILABLE"))).toBe(false);
});

test.each([
  "Failed to fetch dynamically imported module: https://wf.test/app/roster-12345678.js",
  "error loading dynamically imported module: https://wf.test/app/roster-12345678.js",
  "Importing a module script failed.",
])("a page that is not on this device is told from a fault of the app: %s", (message) => {
  expect(words(new TypeError(message))).toBe("There is no connection, and this page was not kept on this device.");
  expect(words(new TypeError("x is not a function"))).toBe("Something went wrong.");
});
