import { encode } from "uqr";
import { describe, expect, it } from "vitest";
import { pathOf } from "../src/screens/start/qr.js";
import { doneOf, isLocal, nextOf, unplanned, unsent, workdays } from "../src/screens/start/steps.js";

const counted = (totalCount: number) => ({ totalCount, edges: [] });
const empty = {
  addresses: counted(0),
  shifts: counted(0),
  employees: { totalCount: 1, nodes: [{ id: "1", name: "Sri", email: "sri@contoh.id" }] },
  planned: { edges: [] },
  later: { totalCount: 0 },
  attendances: { totalCount: 0 },
  company: { settings: { weeklyOffs: [] } },
};

describe("first steps", () => {
  it("go on at the first that is not done", () => {
    expect(nextOf(doneOf(empty))).toBe("site");
    expect(nextOf(doneOf({ ...empty, addresses: counted(1), shifts: counted(1) }))).toBe("people");
    const all = { ...empty, addresses: counted(1), shifts: counted(1), later: counted(1), attendances: counted(1) };
    expect(nextOf(doneOf({ ...all, employees: { totalCount: 2, nodes: [] } }))).toBeUndefined();
  });

  it("offer those without a shift, and who looks only when alone", () => {
    const [sri, dewi] = [empty.employees.nodes[0], { id: "2", name: "Dewi", email: "dewi@contoh.id" }];
    if (!sri) throw new Error("nobody");
    expect(unplanned(empty, "1")).toEqual([sri]);
    const two = { ...empty, employees: { totalCount: 2, nodes: [sri, dewi] } };
    expect(unplanned(two, "1")).toEqual([dewi]);
    expect(unplanned({ ...two, planned: { edges: [{ node: { user: { id: "2" } } }] } }, "1")).toEqual([sri]);
  });

  it("tell of messages that could not be sent", () => {
    const waits = (error: string | null) => ({
      ...empty,
      queued: { edges: [{ node: { error: null } }, { node: { error } }] },
    });
    expect([empty, waits(null), waits("nothing carries messages")].map(unsent)).toEqual([false, false, true]);
  });

  it("work on all days but those off, and today", () => {
    expect(workdays([6, 7], "2026-03-10")).toEqual([1, 2, 3, 4, 5]);
    expect(workdays([6, 7], "2026-03-15")).toEqual([1, 2, 3, 4, 5, 7]);
  });

  it("know the addresses that phones do not reach", () => {
    expect(["localhost", "127.0.0.1", "[::1]", "wf.contoh.id"].map(isLocal)).toEqual([true, true, true, false]);
  });
});

describe("a QR code", () => {
  it("draws each dark module once", () => {
    const text = "https://wf.contoh.id/app/";
    const { side, path } = pathOf(text);
    const dark = encode(text, { ecc: "M", border: 0 }).data.flat().filter(Boolean).length;
    expect(path.match(/M/g)).toHaveLength(dark);
    expect(side).toBe(25 + 8); // version 2, with the margin
    expect(path.startsWith("M4 4h1v1h-1z")).toBe(true);
  });
});
