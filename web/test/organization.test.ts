import { describe, expect, it } from "vitest";
import { positionOf, positionsOf } from "../src/parts/coordinates.js";
import { refusedRows, rowsOf } from "../src/screens/organization/import-rows.js";
import { policiesOf, policyFacts, policyValues } from "../src/screens/organization/policies.js";
import { type Group, keyIn, linesOf, pathOf, subtree } from "../src/screens/organization/tree-rows.js";

const groups: Group[] = [
  { id: "4", name: "Gudang 10", parentId: "2", userCount: 0 },
  { id: "3", name: "Gudang 9", parentId: "2", userCount: 3 },
  { id: "2", name: "Jakarta", parentId: "1", userCount: 1 },
  { id: "1", name: "Nusantara", parentId: null, userCount: 0 },
  { id: "5", name: "Bandung", parentId: "1", userCount: 2 },
];
const names = (toggled: string[] = [], search = ""): string[] =>
  linesOf(groups, new Set(toggled), search).map((l) => `${l.level} ${l.group.name} ${l.place}/${l.siblings} ${l.open}`);

describe("a tree", () => {
  it("has each below what it belongs to, by name", () => {
    expect(names()).toEqual([
      "1 Nusantara 1/1 true",
      "2 Bandung 1/2 null",
      "2 Jakarta 2/2 true",
      "3 Gudang 9 1/2 null",
      "3 Gudang 10 2/2 null",
    ]);
    expect(names(["2"]).at(-1)).toBe("2 Jakarta 2/2 false");
  });

  it("shows what a search finds with what is above it", () => {
    expect(names(["2"], "gudang 1")).toEqual(["1 Nusantara 1/1 true", "2 Jakarta 1/1 true", "3 Gudang 10 1/1 null"]);
    expect(names([], "nothing")).toEqual([]);
  });

  it("begins closed where it is large", () => {
    const many = Array.from({ length: 300 }, (_, i) => ({ id: `m${i}`, name: `M ${i}`, parentId: "1", userCount: 0 }));
    expect(linesOf([...groups, ...many], new Set()).length).toBe(1);
    expect(linesOf([...groups, ...many], new Set(["1"])).length).toBe(303);
  });

  it("knows what is below and above", () => {
    expect([...subtree(groups, "2")].sort()).toEqual(["2", "3", "4"]);
    expect(pathOf(groups, "3")).toBe("Nusantara / Jakarta / Gudang 9");
  });

  it("is walked by keys", () => {
    const lines = linesOf(groups, new Set());
    const keys = ["ArrowDown", "ArrowUp", "End", "Home", "ArrowRight", "ArrowLeft", "g", "x", "Tab"];
    expect(keys.map((key) => keyIn(lines, 2, key))).toEqual([3, 1, 4, 0, 3, "toggle", 3, undefined, undefined]);
    expect(keyIn(lines, 3, "ArrowLeft")).toBe(2);
    expect(keyIn(lines, 3, "ArrowRight")).toBeUndefined();
    expect(keyIn(linesOf(groups, new Set(["2"])), 2, "ArrowRight")).toBe("toggle");
  });
});

describe("positions", () => {
  it("are read as they are typed and pasted", () => {
    expect(positionOf("-6.2, 106.8")).toEqual({ latitude: "-6.2", longitude: "106.8" });
    for (const text of ["", "-6.2", "91, 0", "0, 181", "a, b", "1, 2, 3"]) expect(positionOf(text), text).toBeNull();
    expect(positionsOf("\n-6.2 106.8\n")).toHaveLength(1);
    expect(positionsOf("-6.2, 106.8\nhere")).toBeNull();
  });
});

describe("an import of holidays", () => {
  it("says what becomes of each event", () => {
    const imported = {
      added: [{ name: "Natal", date: "2026-12-25" }],
      changed: [],
      unchanged: [{ name: "Imlek", date: "2026-02-17" }],
      leftOut: [{ event: 2, line: 9, name: "Rapat", message: "no whole day" }],
    };
    expect(rowsOf(imported)).toEqual([
      { fate: "leftOut", name: "Rapat", date: "", line: 9, reason: "no whole day" },
      { fate: "added", name: "Natal", date: "2026-12-25" },
      { fate: "unchanged", name: "Imlek", date: "2026-02-17" },
    ]);
  });

  it("lists what a refusal names", () => {
    expect(refusedRows({ leftOut: [{ event: 2, line: 9, name: "Rapat" }] }, ["no whole day"])).toEqual([
      { fate: "leftOut", name: "Rapat", date: "", line: 9, reason: "no whole day" },
    ]);
    expect(refusedRows({}, ["x"])).toEqual([]);
  });
});

describe("the rules of a site", () => {
  const own = { face: "block", speed: "off" } as const;

  it("are its own where they are chosen, else the company's", () => {
    expect(policyValues(own)).toMatchObject({ "policies.face": "block", "policies.mock": "" });
    expect(policiesOf({ ...policyValues(own), "policies.face": "", "policies.mock": "flag" })).toEqual({
      geofenceIn: null,
      geofenceOut: null,
      face: null,
      device: null,
      accuracy: null,
      mock: "flag",
      speed: "off",
    });
  });

  it("are told in words", () => {
    expect(policyFacts(own)).toEqual([
      ["Face that is missing or another", "Refuse it"],
      ["Impossible speed", "Accept it"],
    ]);
  });
});
