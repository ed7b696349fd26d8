/** A picture: four bytes a pixel, of which the first three are red, green and blue. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
}

/** A square of a picture, in pixels: its middle, its side, and by how many radians it is turned clockwise. */
export interface Region {
  readonly x: number;
  readonly y: number;
  readonly side: number;
  readonly angle: number;
}

/** A face that was found: its box and where the two eyes are, in parts of the square that was searched. */
export interface Found {
  readonly score: number;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly eyes: readonly [x1: number, y1: number, x2: number, y2: number];
}

/** The side of the square that faces are searched in, in pixels. */
export const searched = 256;
/** The side of the square that points are found in. */
export const meshed = 192;
/** The number of points of a face. */
export const pointCount = 468;

/** How much larger than the face the square around it is. */
const margin = 1.5;
/** From which score on something is a face. */
const faceScore = 0.5;
/** How much of two boxes is common where both are of one face. */
const common = 0.3;
/** Points at the outer corners of the eyes. */
const [outerRight, outerLeft] = [33, 263];

/** The whole of a picture, as a square around it. */
export function whole({ width, height }: Picture): Region {
  return { x: width / 2, y: height / 2, side: Math.max(width, height), angle: 0 };
}

/**
 * The pixels of a region as side × side × 3 numbers from low to 1, as models want them. What is outside
 * the picture is black. Where the region is more than twice as large as side, four places count for each.
 */
export function sample(picture: Picture, region: Region, side: number, low: 0 | -1): Float32Array {
  const out = new Float32Array(side * side * 3);
  const scale = region.side / side;
  const taps = scale > 2 ? 2 : 1;
  const cos = Math.cos(region.angle) * scale;
  const sin = Math.sin(region.angle) * scale;
  const part = (1 - low) / 255 / (taps * taps);
  let at = 0;
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      for (let tap = 0; tap < taps * taps; tap++) {
        const u = column + ((tap % taps) + 0.5) / taps - side / 2;
        const v = row + (Math.floor(tap / taps) + 0.5) / taps - side / 2;
        add(picture, region.x + u * cos - v * sin - 0.5, region.y + u * sin + v * cos - 0.5, part, out, at);
      }
      at += 3;
    }
  }
  if (low !== 0) for (let i = 0; i < out.length; i++) out[i] = (out[i] ?? 0) + low;
  return out;
}

/** Adds a part of the colour at a place, which may be between pixels. */
function add(picture: Picture, x: number, y: number, part: number, out: Float32Array, at: number): void {
  const left = Math.floor(x);
  const top = Math.floor(y);
  const right = x - left;
  const down = y - top;
  corner(picture, left, top, part * (1 - right) * (1 - down), out, at);
  corner(picture, left + 1, top, part * right * (1 - down), out, at);
  corner(picture, left, top + 1, part * (1 - right) * down, out, at);
  corner(picture, left + 1, top + 1, part * right * down, out, at);
}

/** Adds a part of the colour of one pixel. */
function corner(picture: Picture, x: number, y: number, part: number, out: Float32Array, at: number): void {
  if (x < 0 || y < 0 || x >= picture.width || y >= picture.height) return;
  const from = (y * picture.width + x) * 4;
  for (let i = 0; i < 3; i++) out[at + i] = (out[at + i] ?? 0) + part * (picture.data[from + i] ?? 0);
}

/** The middles of the places that the detector judges, in pixels of what it searches: 16 × 16 twice, 8 × 8 six times. */
export function anchors(): readonly (readonly [x: number, y: number])[] {
  return [
    [16, 2],
    [32, 6],
  ].flatMap(([stride = 0, times = 0]) => {
    const across = searched / stride;
    return Array.from({ length: across * across * times }, (_, i): [number, number] => {
      const place = Math.floor(i / times);
      return [((place % across) + 0.5) * stride, (Math.floor(place / across) + 0.5) * stride];
    });
  });
}

const places = anchors();

/**
 * The faces among what the detector says of each place, the surest first: a score, and 16 numbers, of which
 * the first eight are the box's middle and size and where the two eyes are, in pixels from the place.
 */
export function faces(scores: ArrayLike<number>, boxes: ArrayLike<number>): Found[] {
  const found: Found[] = [];
  places.forEach(([x, y], i) => {
    const score = 1 / (1 + Math.exp(-(scores[i] ?? 0)));
    if (score < faceScore) return;
    const [dx, dy, width, height, ...eyes] = Array.from({ length: 8 }, (_, n) => (boxes[i * 16 + n] ?? 0) / searched);
    const [cx, cy] = [x / searched + (dx ?? 0), y / searched + (dy ?? 0)];
    const [w, h] = [(width ?? 0) / 2, (height ?? 0) / 2];
    const eye = (n: number, of: number): number => (eyes[n] ?? 0) + of / searched;
    const at = [eye(0, x), eye(1, y), eye(2, x), eye(3, y)] as const;
    found.push({ score, left: cx - w, top: cy - h, right: cx + w, bottom: cy + h, eyes: at });
  });
  found.sort((a, b) => b.score - a.score);
  const kept: Found[] = [];
  for (const face of found) if (!kept.some((k) => shared(k, face) > common)) kept.push(face);
  return kept;
}

/** How much of two boxes is common, as a part of both together. */
function shared(a: Found, b: Found): number {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  const both = Math.max(0, width) * Math.max(0, height);
  return both / (area(a) + area(b) - both);
}

function area(box: Found): number {
  return (box.right - box.left) * (box.bottom - box.top);
}

/** The square around a face, upright by its eyes, that its points are looked for in. */
export function around(face: Found, within: Region): Region {
  const at = (part: number, middle: number): number => middle + (part - 0.5) * within.side;
  const [x1, y1, x2, y2] = face.eyes;
  return {
    x: at((face.left + face.right) / 2, within.x),
    y: at((face.top + face.bottom) / 2, within.y),
    side: margin * within.side * Math.max(face.right - face.left, face.bottom - face.top),
    angle: Math.atan2(y2 - y1, x2 - x1),
  };
}

/** The square around points that were found: x, y and z of each, in pixels of the picture. */
export function aroundPoints(points: Float32Array): Region {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < points.length; i += 3) {
    const [x, y] = [points[i] ?? 0, points[i + 1] ?? 0];
    [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), Math.max(bottom, y)];
  }
  const between = (of: number): number => (points[outerLeft * 3 + of] ?? 0) - (points[outerRight * 3 + of] ?? 0);
  return {
    x: (left + right) / 2,
    y: (top + bottom) / 2,
    side: margin * Math.max(right - left, bottom - top),
    angle: Math.atan2(between(1), between(0)),
  };
}

/** Points as the mesh gives them, in pixels of its square, in pixels of the picture: z on the scale of x. */
export function placed(mesh: ArrayLike<number>, region: Region): Float32Array {
  const scale = region.side / meshed;
  const [cos, sin] = [Math.cos(region.angle) * scale, Math.sin(region.angle) * scale];
  const out = new Float32Array(pointCount * 3);
  for (let i = 0; i < out.length; i += 3) {
    const [u, v] = [(mesh[i] ?? 0) - meshed / 2, (mesh[i + 1] ?? 0) - meshed / 2];
    out[i] = region.x + u * cos - v * sin;
    out[i + 1] = region.y + u * sin + v * cos;
    out[i + 2] = (mesh[i + 2] ?? 0) * scale;
  }
  return out;
}

/** How light the left and the right half of a face are in the picture, each from 0 to 255, by the colours at its points. */
export function lightOn({ width, height, data }: Picture, points: Float32Array): [left: number, right: number] {
  const { x: middle } = aroundPoints(points);
  const [sums, counts] = [
    [0, 0],
    [0, 0],
  ] as [[number, number], [number, number]];
  for (let i = 0; i < points.length; i += 3) {
    const [x, y] = [Math.round(points[i] ?? 0), Math.round(points[i + 1] ?? 0)];
    if (x < 0 || y < 0 || x >= width || y >= height) continue;
    const from = (y * width + x) * 4;
    const half = x < middle ? 0 : 1;
    sums[half] += 0.3 * (data[from] ?? 0) + 0.59 * (data[from + 1] ?? 0) + 0.11 * (data[from + 2] ?? 0);
    counts[half]++;
  }
  return [sums[0] / (counts[0] || 1), sums[1] / (counts[1] || 1)];
}
