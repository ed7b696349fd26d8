import type { Seen } from "./messages.js";

/** A point of a face: x and y in parts of the picture's width and height, z in parts of its width, nearer being smaller. */
export interface FacePoint {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** Light on the two halves of a face, each from 0 to 255. */
export type Light = readonly [left: number, right: number];

/** What a person is asked to do, or is told. */
export type Advice = "none" | "several" | "outside" | "closer" | "farther" | "dark" | "turned" | "hold";

/** What the worker saw in a picture. */
export interface View {
  readonly faces: readonly Seen[];
  readonly points: readonly FacePoint[] | undefined;
  readonly light: Light | undefined;
}

/** The oval, in parts of the picture. The stylesheet draws it. */
const oval = { x: 0.5, y: 0.5 } as const;
/** How far from its middle that of a face may be, in parts of the picture. */
const reach = 0.1;
/** How wide a face may be, in parts of the picture's width. */
const [narrowest, widest] = [0.26, 0.52];
/** How wide another face is at least that counts, in parts of the first: others pass by behind. */
const another = 0.4;
/** Light below which a face is dark, and that of one half in parts of the other's. */
const [darkest, uneven] = [45, 0.35];
/** Where the tip of the nose is between the sides of a face that looks ahead by some 7 degrees, from 0 to 1. */
const [leftmost, rightmost] = [0.4, 0.6];
/** The tip of the nose and the points at the sides, before the ears. */
const [nose, rightSide, leftSide] = [1, 234, 454];
/** The smallest part of the picture that a face covers which the server takes. */
const leastArea = 0.02;

/** Points as they are sent, of x, y and z in pixels of a picture. */
export function points(pixels: ArrayLike<number>, width: number, height: number): FacePoint[] {
  const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;
  return Array.from({ length: pixels.length / 3 }, (_, i) => ({
    x: rounded((pixels[3 * i] ?? 0) / width),
    y: rounded((pixels[3 * i + 1] ?? 0) / height),
    z: rounded((pixels[3 * i + 2] ?? 0) / width),
  }));
}

/** What is wrong with a view, the weightiest first; undefined where it is as it should be. */
export function advice({ faces, points, light }: View): Exclude<Advice, "hold"> | undefined {
  const [first, ...others] = faces;
  if (!first || !points) return "none";
  if (others.some((face) => face.right - face.left > another * (first.right - first.left))) return "several";
  const box = boxOf(points);
  const width = box.right - box.left;
  if (width < narrowest) return "closer";
  if (width > widest) return "farther";
  const [x, y] = [(box.left + box.right) / 2 - oval.x, (box.top + box.bottom) / 2 - oval.y];
  if (Math.abs(x) > reach || Math.abs(y) > reach) return "outside";
  if (light && (Math.max(...light) < darkest || Math.min(...light) < uneven * Math.max(...light))) return "dark";
  const ahead = nosePlace(points);
  return ahead < leftmost || ahead > rightmost ? "turned" : undefined;
}

/** Whether the server can use points that somebody takes by the button. */
export function usable(points: readonly FacePoint[]): boolean {
  const { left, top, right, bottom } = boxOf(points);
  return (right - left) * (bottom - top) >= leastArea && left >= -0.5 && top >= -0.5 && right <= 1.5 && bottom <= 1.5;
}

function boxOf(points: readonly FacePoint[]): Seen {
  const [x, y] = [points.map((p) => p.x), points.map((p) => p.y)];
  return { left: Math.min(...x), top: Math.min(...y), right: Math.max(...x), bottom: Math.max(...y) };
}

/** Where the nose is between the two sides of a face, from 0 to 1. */
function nosePlace(points: readonly FacePoint[]): number {
  const x = (i: number): number => points[i]?.x ?? 0;
  return (x(nose) - x(rightSide)) / (x(leftSide) - x(rightSide));
}

/** Says when a face has been held still for long enough. */
export class Steadiness {
  #last: readonly FacePoint[] = [];
  #since = 0;
  #views = 0;

  /** Whether the face of the last views was still until now, at a time in milliseconds. */
  add(points: readonly FacePoint[], at: number): boolean {
    if (this.#views === 0 || moved(this.#last, points) > stillest) {
      this.#since = at;
      this.#views = 0;
    }
    this.#views++;
    this.#last = points;
    return this.#views >= leastViews && at - this.#since >= leastTime;
  }

  /** Begins anew. */
  lost(): void {
    this.#views = 0;
  }
}

/** How far points may move from view to view, in parts of the face's width. */
const stillest = 0.02;
/** How many views, and for how many milliseconds, a face is still before it is taken. */
const [leastViews, leastTime] = [4, 700];

/** How far points moved in the middle, in parts of the face's width. */
function moved(from: readonly FacePoint[], to: readonly FacePoint[]): number {
  const { left, right } = boxOf(to);
  const sum = to.reduce((all, p, i) => all + Math.hypot(p.x - (from[i]?.x ?? 0), p.y - (from[i]?.y ?? 0)), 0);
  return sum / to.length / (right - left);
}
