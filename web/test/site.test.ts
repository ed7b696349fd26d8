import { expect, test } from "vitest";
import { dotAt, offset, reach } from "../src/parts/site.js";

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
