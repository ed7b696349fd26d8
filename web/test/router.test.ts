import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { go, place, query, setQuery } from "../src/router.js";

let moves = 0;
const count = () => moves++;
addEventListener("wf-place", count);
afterAll(() => removeEventListener("wf-place", count));

beforeEach(() => {
  history.replaceState(null, "", "/app/today");
  vi.mocked(history.pushState).mockClear();
  vi.mocked(history.replaceState).mockClear();
  moves = 0;
});

test.each([
  ["/app/today", "today"],
  ["/app/people/7", "people"],
  ["/app/", ""],
  ["/elsewhere", ""],
])("%s is the place %j", (path, name) => {
  history.replaceState(null, "", path);
  expect(place()).toBe(name);
});

test("going somewhere is told and kept for the way back", () => {
  go("/app/people?sort=name");
  expect([place(), query().get("sort"), moves]).toEqual(["people", "name", 1]);
  expect(history.pushState).toHaveBeenCalledOnce();
  go("/app/today", { replace: true });
  expect(history.pushState).toHaveBeenCalledOnce();
  expect(history.replaceState).toHaveBeenCalledOnce();
});

test("the address keeps what is not changed", () => {
  setQuery({ status: "late", business: "4" });
  setQuery({ status: "", sort: "-in" });
  expect(location.search).toBe("?business=4&sort=-in");
  setQuery({ business: "", sort: "" });
  expect(location.href).toBe("https://wf.test/app/today");
  expect(history.pushState).not.toHaveBeenCalled();
  setQuery({ status: "in" }, { push: true });
  expect(location.search).toBe("?status=in");
  expect(history.pushState).toHaveBeenCalledOnce();
});
