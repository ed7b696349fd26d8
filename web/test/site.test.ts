import type { TemplateResult } from "lit";
import { expect, test } from "vitest";
import { pairOf } from "../src/parts/here.js";
import { type Dot, dotAt, drawing, offset, reach } from "../src/parts/site.js";

const thamrin = { latitude: "-6.200000", longitude: "106.816666" };

test("offset: metres east and south", () => {
  const north = offset(thamrin, { latitude: "-6.199000", longitude: "106.816666" });
  expect(north.x).toBeCloseTo(0, 6);
  expect(north.y).toBeCloseTo(-111.19, 1);
  const east = offset(thamrin, { latitude: "-6.200000", longitude: "106.817666" });
  expect(east.x).toBeCloseTo(110.54, 1);
  expect(east.y).toBeCloseTo(0, 6);
});

test("offset: across the date line", () => {
  const x = offset({ latitude: 0, longitude: 179.9995 }, { latitude: 0, longitude: -179.9995 }).x;
  expect(x).toBeCloseTo(111.19, 1);
});

test("reach: a circle with room, dots to three times the radius, and a site without a limit", () => {
  expect(reach(100, [])).toBe(120);
  expect(reach(100, [30])).toBe(120);
  expect(reach(100, [200])).toBeCloseTo(220, 6);
  expect(reach(100, [5_000])).toBe(300);
  expect(reach(null, [])).toBe(60);
  expect(reach(null, [400])).toBe(480);
});

test("dotAt: within, outside and beyond the edge", () => {
  expect(dotAt({ x: 60, y: 80 }, 100, 300)).toEqual({ x: 60, y: 80, beyond: false, outside: false });
  expect(dotAt({ x: 0, y: 101 }, 100, 300)).toEqual({ x: 0, y: 101, beyond: false, outside: true });
  expect(dotAt({ x: 600, y: 0 }, 100, 300)).toEqual({ x: 300, y: 0, beyond: true, outside: true });
  expect(dotAt({ x: 600, y: 0 }, null, 300).outside).toBe(false);
});

/** What a template renders, as text. */
function rendered(part: unknown): string {
  if (Array.isArray(part)) return part.map(rendered).join("");
  if (typeof part !== "object" || part === null) return String(part);
  const { strings, values } = part as TemplateResult;
  return strings.map((s, i) => s + (i < values.length ? rendered(values[i]) : "")).join("");
}

test("drawing: a circle of the accuracy, as far as the edge, and a doubtful dot of another shape", () => {
  const at = { x: 30, y: 0, beyond: false, outside: false };
  const drawn = (dot: Partial<Dot>) => rendered(drawing("HQ", 100, [{ ...at, ...dot }], 120));
  expect(drawn({})).not.toContain("accuracy");
  expect(drawn({})).toContain("<circle class=dot cx=30");
  expect(drawn({ accuracy: 40 })).toContain('<circle class="accuracy" cx=30 cy=0 r=40');
  expect(drawn({ accuracy: 4_000 })).toContain('<circle class="accuracy" cx=30 cy=0 r=120');
  for (const outside of [false, true])
    expect(drawn({ doubtful: true, outside })).toMatch(/<path class=dot[ a-z]* doubtful/);
});

test("a position is read as maps give it", () => {
  const kantor = { latitude: "-6.2088", longitude: "106.8456" };
  for (const text of ["-6.2088, 106.8456", " -6.2088,106.8456\n", "-6.2088 106.8456", "-6.2088;106.8456"])
    expect(pairOf(text), text).toEqual(kantor);
  for (const text of ["", "-6.2088", "-6,2088", "Kantor, 5", "-6.2088, 106.8456, 12"])
    expect(pairOf(text), text).toBeUndefined();
});
