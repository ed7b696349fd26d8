import { describe, expect, it } from "vitest";
import { around, aroundPoints, faces, lightOn, type Picture, placed, sample, whole } from "../src/face/geometry.js";
import { advice, type FacePoint, points, Steadiness, usable, type View } from "../src/face/judge.js";
import { halves } from "../src/face/model.js";

/** A picture of grey pixels. */
function grey(width: number, height: number, level: (x: number, y: number) => number): Picture {
  const data = new Uint8ClampedArray(width * height * 4);
  for (let i = 0; i < width * height; i++) data.fill(level(i % width, Math.floor(i / width)), 4 * i, 4 * i + 3);
  return { width, height, data };
}

/** 468 points on an ellipse about a place, of a width in parts of the picture; the nose from 0 to 1 between the sides. */
function face({ x = 0.5, y = 0.5, width = 0.4, nose = 0.5 } = {}): FacePoint[] {
  const all = Array.from({ length: 468 }, (_, i) => {
    const angle = (2 * Math.PI * i) / 468;
    return { x: x + (width / 2) * Math.cos(angle), y: y + 0.45 * width * Math.sin(angle), z: 0 };
  });
  all[234] = { x: x - width / 2, y, z: 0 };
  all[454] = { x: x + width / 2, y, z: 0 };
  all[1] = { x: x + (nose - 0.5) * width, y, z: -0.1 };
  return all;
}

const box = { left: 0.25, top: 0.2, right: 0.75, bottom: 0.8 };
const view = (given: Partial<View> = {}): View => ({ faces: [box], points: face(), light: [120, 110], ...given });

describe("geometry", () => {
  it("samples a region, black where there is no picture", () => {
    const picture = grey(4, 2, (x) => 50 * x);
    const pixels = sample(picture, { x: 2, y: 1, side: 4, angle: 0 }, 4, 0);
    const red = Array.from({ length: 16 }, (_, i) => Math.round(255 * (pixels[3 * i] ?? -1)));
    expect(red).toEqual([0, 0, 0, 0, 0, 50, 100, 150, 0, 50, 100, 150, 0, 0, 0, 0]);
    expect(sample(picture, whole(picture), 4, -1)[0]).toBe(-1);
  });

  it("turns what it samples, and finds back where it was", () => {
    const picture = grey(40, 40, (x, y) => (x === 30 && y === 20 ? 255 : 0));
    const region = { x: 20.5, y: 20.5, side: 192, angle: Math.PI / 2 };
    const pixels = sample(picture, region, 192, 0);
    const at = Math.floor(pixels.indexOf(Math.max(...pixels)) / 3);
    const [u, v] = [(at % 192) + 0.5, Math.floor(at / 192) + 0.5];
    const mesh = new Float32Array(1404);
    mesh.set([u, v, 96]);
    const [x, y, z] = placed(mesh, region);
    expect(Math.abs((x ?? 0) - 30.5) + Math.abs((y ?? 0) - 20.5)).toBeLessThan(1.1);
    expect(z).toBe(96);
  });

  it("means four places where a region is much larger", () => {
    const picture = grey(16, 16, (x) => (x % 4 < 2 ? 200 : 0));
    expect(sample(picture, { x: 8, y: 8, side: 16, angle: 0 }, 4, 0)[3 * 5]).toBeCloseTo(100 / 255, 5);
  });

  it("reads what the detector says: one of boxes that overlap, the surest first", () => {
    const [scores, boxes] = [new Float32Array(896).fill(-9), new Float32Array(896 * 16)];
    const said = (place: number, score: number, ...numbers: number[]) => {
      scores[place] = score;
      boxes.set(numbers, 16 * place);
    };
    said(0, 1, 120, 120, 64, 64, -16, -8, 16, -8); // 8, 8 is the middle of the first place
    said(1, 3, 121, 120, 64, 64, -16, -8, 16, -8);
    said(512, 2, 0, 0, 32, 32); // 16, 16 is that of the first large one
    said(600, -0.1, 0, 0, 64, 64); // below one half
    const found = faces(scores, boxes);
    expect(found.map((f) => f.score > 0.9)).toEqual([true, false]);
    expect(found[0]).toMatchObject({ left: 97 / 256, right: 161 / 256, top: 96 / 256, bottom: 160 / 256 });
    expect(found[0]?.eyes).toEqual([-8 / 256, 0, 24 / 256, 0]);
    expect(found[1]).toMatchObject({ left: 0, right: 32 / 256 });
  });

  it("puts a square around a face and around points, upright by the eyes", () => {
    const found = { score: 1, ...box, eyes: [0.4, 0.4, 0.6, 0.6] as const };
    const region = around(found, { x: 50, y: 60, side: 100, angle: 0 });
    expect(region.x).toBeCloseTo(50);
    expect(region.side).toBeCloseTo(90);
    expect(region.angle).toBeCloseTo(Math.PI / 4);
    const some = new Float32Array(1404).fill(10);
    some.set([0, 10, 0], 3 * 33);
    some.set([20, 10, 0], 3 * 263);
    expect(aroundPoints(some)).toEqual({ x: 10, y: 10, side: 30, angle: 0 });
  });

  it("measures light on both halves of a face", () => {
    const picture = grey(20, 20, (x) => (x < 10 ? 200 : 20));
    const some = new Float32Array(1404).map((_, i) => [i % 2 ? 2 : 17, 10, 0][i % 3] ?? 0);
    const [left, right] = lightOn(picture, some);
    expect([Math.round(left), Math.round(right)]).toEqual([200, 20]);
  });

  it("reads numbers of 16 bits", () => {
    const bits = Uint16Array.of(0, 0x3c00, 0xc000, 0x3555, 0x0001, 0x83ff, 0x7bff);
    const want = [0, 1, -2, 0.333251953125, 2 ** -24, -1023 * 2 ** -24, 65504];
    expect([...halves(bits.buffer)]).toEqual(want);
  });
});

describe("points", () => {
  it("are in parts of the picture, depth in parts of its width, to a millionth", () => {
    expect(points([180, 120, -36, 1, 1, 1], 360, 480)).toEqual([
      { x: 0.5, y: 0.25, z: -0.1 },
      { x: 0.002778, y: 0.002083, z: 0.002778 },
    ]);
  });

  it("are usable where the server takes them", () => {
    expect(usable(face())).toBe(true);
    expect(usable(face({ width: 0.12 }))).toBe(false);
    expect(usable(face({ x: 1.4 }))).toBe(false);
  });
});

describe("advice", () => {
  const cases: [string, Partial<View>, ReturnType<typeof advice>][] = [
    ["a face in the oval", {}, undefined],
    ["no face", { faces: [], points: undefined }, "none"],
    ["something that is no face from near", { points: undefined }, "none"],
    ["two faces", { faces: [box, { ...box, left: 0.5, right: 0.75 }] }, "several"],
    ["somebody who passes far behind", { faces: [box, { ...box, left: 0.6, right: 0.75 }] }, undefined],
    ["a face far away", { points: face({ width: 0.2 }) }, "closer"],
    ["a face too near", { points: face({ width: 0.6 }) }, "farther"],
    ["a face at the side", { points: face({ x: 0.65 }) }, "outside"],
    ["a face too low", { points: face({ y: 0.65 }) }, "outside"],
    ["a dark face", { light: [30, 40] }, "dark"],
    ["a face half in the dark", { light: [30, 140] }, "dark"],
    ["a face that looks aside", { points: face({ nose: 0.65 }) }, "turned"],
  ];
  it.each(cases)("on %s", (_name, given, want) => {
    expect(advice(view(given))).toBe(want);
  });
});

describe("steadiness", () => {
  it("comes after four views and 0.7 seconds without moving", () => {
    const steadiness = new Steadiness();
    expect([0, 300, 600, 900].map((at) => steadiness.add(face(), at))).toEqual([false, false, false, true]);
    const quick = new Steadiness();
    expect([0, 100, 200, 300, 699, 700].map((at) => quick.add(face(), at))).toEqual([
      false,
      false,
      false,
      false,
      false,
      true,
    ]);
  });

  it("begins anew where the face moves or is lost", () => {
    const steadiness = new Steadiness();
    for (const at of [0, 300, 600]) steadiness.add(face(), at);
    expect(steadiness.add(face({ x: 0.52 }), 900)).toBe(false);
    for (const at of [1000, 1200, 1400]) expect(steadiness.add(face({ x: 0.52 }), at)).toBe(false);
    expect(steadiness.add(face({ x: 0.525 }), 1600)).toBe(true);
    steadiness.lost();
    expect(steadiness.add(face({ x: 0.525 }), 2000)).toBe(false);
  });
});
