// Faces that nobody has: heads of bumps on an ellipsoid, whose proportions follow from a number, as a camera would see
// them. Nothing here comes from a person or a photograph.

/** Random numbers from 0 to below 1 that follow from a seed. */
export function random(seed) {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Numbers about 0, of a bell's shape and a spread of 1. */
export function bell(next) {
  return () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
}

/** The proportions of a person, in parts of half the head's width; y is down, from the middle of the head. */
export function person(seed) {
  const by = bell(random(seed));
  const about = (mean, spread) => mean + spread * Math.max(-2, Math.min(2, by()));
  return {
    height: about(1.38, 0.05), // half of the head's
    depth: about(1.1, 0.06),
    jaw: about(0.3, 0.07), // how much narrower the head is at the chin
    eyeX: about(0.41, 0.025),
    eyeY: about(-0.1, 0.035),
    eyeWidth: about(0.2, 0.012),
    eyeHeight: about(0.085, 0.012),
    browY: about(0.23, 0.025), // above the eyes
    noseY: about(0.43, 0.04), // of its tip
    noseWidth: about(0.155, 0.02),
    noseDepth: about(0.3, 0.05),
    mouthY: about(0.75, 0.04),
    mouthWidth: about(0.33, 0.035),
    lips: about(0.085, 0.015),
    chin: about(0.1, 0.04),
    hairline: about(-0.85, 0.05),
    skin: about(0.75, 0.12), // how light
  };
}

const hump = (x, width) => Math.exp(-(x * x) / (2 * width * width));
const step = (x, from, to) => {
  const t = Math.max(0, Math.min(1, (x - from) / (to - from)));
  return t * t * (3 - 2 * t);
};

/** How far a point of the head stands out of the ellipsoid. */
function relief(p, x, y) {
  const side = Math.abs(x);
  const along = step(y, p.eyeY - 0.05, p.noseY); // of the ridge of the nose
  let z = 0;
  z += p.noseDepth * along * hump(x, 0.07 + 0.06 * along) * (1 - step(y, p.noseY, p.noseY + 0.14));
  z += 0.1 * hump(side - p.noseWidth * 0.8, 0.07) * hump(y - p.noseY - 0.02, 0.07);
  z -= 0.16 * hump(side - p.eyeX, 0.17) * hump(y - p.eyeY, 0.11);
  z += 0.05 * hump(side - p.eyeX, p.eyeWidth * 0.55) * hump(y - p.eyeY, p.eyeHeight * 0.9);
  z += 0.07 * hump(side - p.eyeX * 0.9, 0.3) * hump(y - p.eyeY + p.browY, 0.08);
  z += 0.07 * hump(side - 0.6, 0.2) * hump(y - p.eyeY - 0.38, 0.17);
  z += 0.09 * hump(x, p.mouthWidth * 0.75) * hump(y - p.mouthY, 0.13);
  z += 0.045 * hump(x, p.mouthWidth * 0.6) * (hump(y - p.mouthY + p.lips * 0.6, 0.04) + 1.3 * hump(y - p.mouthY - p.lips * 0.7, 0.045));
  z -= 0.05 * hump(x, p.mouthWidth * 0.8) * hump(y - p.mouthY, 0.016);
  z -= 0.04 * hump(x, 0.3) * hump(y - p.mouthY - 0.2, 0.05);
  z += p.chin * hump(x, 0.22) * hump(y - p.mouthY - 0.38, 0.13);
  return z;
}

/** The colour of a point of the head, each part from 0 to 1. */
function colour(p, x, y, frown) {
  const side = Math.abs(x);
  const mix = (from, to, part) => from.map((v, i) => v + (to[i] - v) * part);
  const light = p.skin;
  let c = [0.98 * light, 0.76 * light, 0.64 * light];
  c = mix(c, [0.85 * light, 0.5 * light, 0.44 * light], 0.35 * hump(side - 0.5, 0.18) * hump(y - 0.35, 0.15));
  c = mix(c, [0.55 * light, 0.38 * light, 0.33 * light], 0.5 * hump(side - p.eyeX, 0.2) * hump(y - p.eyeY, 0.1));
  c = mix(c, [0.5 * light, 0.34 * light, 0.3 * light], 0.55 * hump(side - p.noseWidth * 1.05, 0.025) * hump(y - p.noseY - 0.02, 0.06));
  c = mix(c, [0.15, 0.08, 0.07], 0.9 * hump(side - p.noseWidth * 0.45, 0.035) * hump(y - p.noseY - 0.085, 0.02));
  c = mix(c, [0.45 * light, 0.3 * light, 0.26 * light], 0.4 * hump(x, 0.12) * hump(y - p.noseY - 0.13, 0.03));
  const brow = p.eyeY - p.browY - 0.05 * hump(side - p.eyeX - 0.05, 0.16) + 0.03 + frown;
  c = mix(c, [0.12, 0.08, 0.06], 0.85 * step(side, 0.13, 0.2) * (1 - step(side, 0.62, 0.72)) * hump(y - brow, 0.032));
  const ex = (side - p.eyeX) / p.eyeWidth;
  const ey = (y - p.eyeY) / p.eyeHeight;
  const lid = 1 - ex * ex;
  if (lid > 0) {
    const open = lid - Math.abs(ey);
    if (open > 0) {
      c = [0.88, 0.86, 0.84];
      const iris = Math.hypot((side - p.eyeX) / 0.085, (y - p.eyeY) / 0.085);
      if (iris < 1) c = iris < 0.45 ? [0.03, 0.02, 0.02] : [0.28, 0.17, 0.1];
      if (Math.hypot(x - Math.sign(x) * p.eyeX + 0.03, y - p.eyeY + 0.03) < 0.016) c = [1, 1, 1];
      c = c.map((v) => v * (0.65 + 0.35 * step(ey, -lid, -lid + 0.7)));
    }
    if (Math.abs(open) < 0.22) c = mix(c, [0.12, 0.07, 0.06], (ey < 0 ? 0.9 : 0.35) * (1 - Math.abs(open) / 0.22));
  }
  const m = x / p.mouthWidth;
  if (Math.abs(m) < 1) {
    const upper = p.lips * (1 - m * m) * (1 - 0.25 * hump(x, 0.03));
    const lower = p.lips * 1.35 * (1 - m * m);
    const dy = y - p.mouthY;
    if (dy > -upper && dy < lower) c = mix(c, [0.68 * light, 0.27 * light, 0.27 * light], 0.85);
    c = mix(c, [0.16, 0.05, 0.05], 0.9 * hump(dy, 0.014) * step(1 - Math.abs(m), 0, 0.15));
  }
  c = mix(c, [0.3 * light, 0.2 * light, 0.17 * light], 0.3 * hump(x, 0.2) * hump(y - p.mouthY - 0.2, 0.03));
  return c;
}

/**
 * What is before a camera, as light: {width, height, light: red, green and blue of each pixel, from 0 to 1}.
 * faces: [{who: person(…), x, y: the middle of the head in parts of the picture, size: half the head's width in parts of the
 * picture's width, yaw, pitch, roll: radians, frown: how far the brows are down}]. from: [x, y, z] towards the lamp; ambient:
 * light from everywhere, 0 to 1.
 */
export function scene(width, height, faces, { from = [-0.4, -0.6, 1], ambient = 0.45 } = {}) {
  const light = new Float32Array(width * height * 3);
  const depth = new Float32Array(width * height).fill(-1e9);
  for (let i = 0; i < width * height; i++) {
    const wall = 0.5 - (0.12 * i) / (width * height) + (0.05 * (i % width)) / width;
    light.set([wall, 1.02 * wall, 1.05 * wall], 3 * i);
  }
  const long = Math.hypot(...from);
  const lamp = from.map((v) => v / long);
  for (const face of faces) head({ width, height, light, depth }, face, lamp, ambient);
  return { width, height, light };
}

/** A scene as a picture: {width, height, data: bytes of red, green and blue}. noise: the spread of the sensor's, of 255. */
export function exposed({ width, height, light }, noise = 2, seed = 1) {
  const by = bell(random(seed));
  const data = Uint8ClampedArray.from(light, (v) => 255 * v ** 0.9 + noise * by());
  return { width, height, data };
}

/** Draws one person: shoulders, neck, hair and head. */
function head(into, face, lamp, ambient) {
  const { who, x, y, size, yaw = 0, pitch = 0, roll = 0, frown = 0 } = face;
  const scale = size * into.width;
  const [cy, sy, cp, sp, cr, sr] = [yaw, pitch, roll].flatMap((a) => [Math.cos(a), Math.sin(a)]);
  const turn = ([a, b, c]) => {
    const [x1, z1] = [a * cy + c * sy, -a * sy + c * cy];
    const [y2, z2] = [b * cp - z1 * sp, b * sp + z1 * cp];
    return [x1 * cr - y2 * sr, x1 * sr + y2 * cr, z2];
  };
  const place = (at) => {
    const [a, b, c] = at;
    const near = 6 / (6 - c); // the camera is six halves of a head away
    return [x * into.width + a * scale * near, y * into.height + b * scale * near, c];
  };
  const shade = (rgb, n, shine = 0) => {
    const lit = Math.max(0, n[0] * lamp[0] + n[1] * lamp[1] + n[2] * lamp[2]);
    const gloss = shine * Math.max(0, 2 * lit * n[2] - lamp[2]) ** 12;
    return rgb.map((v) => v * (ambient * (0.8 + 0.2 * n[2]) + (1.05 - ambient) * lit) + gloss);
  };
  const skin = [0.82 * who.skin, 0.6 * who.skin, 0.5 * who.skin];
  // Shoulders and neck do not turn.
  surface(into, 40, 40, (u, v) => {
    const [s, t] = [(u - 0.5) * Math.PI, v];
    return place([2.1 * Math.sin(s) * (0.55 + 0.45 * Math.sqrt(t)), who.height + 0.55 + 1.6 * t, 0.6 * Math.cos(s) - 0.5]);
  }, (u, v, n) => shade([0.2, 0.27, 0.42], n));
  surface(into, 30, 20, (u, v) => {
    const s = (u - 0.5) * Math.PI;
    return place([0.58 * Math.sin(s), who.height * 0.55 + 1.0 * v, 0.5 * Math.cos(s) - 0.35]);
  }, (u, v, n) => shade(skin, n).map((c) => c * 0.75));
  const bare = (a, b) => {
    // The jaw is narrower than the forehead.
    const t = Math.max(0, b / who.height);
    return a * (1 - who.jaw * t ** 2.2);
  };
  const at = (u, v) => {
    const [r, t] = [Math.sin((u * Math.PI) / 2), v * 2 * Math.PI];
    const [a, b] = [r * Math.cos(t), who.height * r * Math.sin(t)];
    const xx = bare(a, b);
    return [xx, b, who.depth * Math.sqrt(Math.max(0, 1 - r * r)) * (1 - 0.12 * Math.max(0, b / who.height) ** 2) + relief(who, xx, b)];
  };
  surface(into, 150, 260, (u, v) => place(turn(at(u, v))), (u, v, n) => {
    const [a, b] = at(u, v);
    return shade(colour(who, a, b, frown), n, 0.12);
  });
  // Ears.
  for (const s of [-1, 1])
    surface(into, 16, 16, (u, v) => {
      const [f, g] = [(u - 0.5) * Math.PI, v * Math.PI];
      return place(turn([s * (0.97 + 0.1 * Math.cos(f) * Math.sin(g)), 0.12 - 0.26 * Math.cos(g), -0.05 + 0.14 * Math.sin(f) * Math.sin(g)]));
    }, (u, v, n) => shade(skin, n));
  // Hair: a shell around the head's upper and back part.
  surface(into, 60, 90, (u, v) => {
    const [f, t] = [u * 2 * Math.PI, v * 0.62 * Math.PI];
    const [a, b, c] = [1.06 * Math.sin(t) * Math.sin(f), -(who.height + 0.1) * Math.cos(t), (who.depth + 0.04) * Math.sin(t) * Math.cos(f)];
    const line = who.hairline + 0.55 * step(Math.abs(a), 0.55, 1.02);
    if (c > 0 && b > line) return undefined;
    return place(turn([a, b, c - 0.02]));
  }, (u, v, n) => {
    const strand = 0.9 + 0.2 * Math.sin(u * 190) * Math.sin(v * 23);
    return shade([0.1 * strand, 0.07 * strand, 0.06 * strand], n, 0.1);
  });
}

/** Draws a surface over parameters from 0 to 1: where gives pixels and nearness, paint the colour for a normal. */
function surface(into, across, down, where, paint) {
  let above;
  for (let j = 0; j <= down; j++) {
    const row = Array.from({ length: across + 1 }, (_, i) => where(i / across, j / down));
    if (above)
      for (let i = 0; i < across; i++) {
        const corners = [above[i], above[i + 1], row[i + 1], row[i]];
        if (corners.some((c) => c === undefined)) continue;
        quad(into, corners, (n) => paint((i + 0.5) / across, (j - 0.5) / down, n));
      }
    above = row;
  }
}

function quad(into, [a, b, c, d], paint) {
  const scale = into.width / 6;
  const [e, f] = [[c[0] - a[0], c[1] - a[1], (c[2] - a[2]) * scale], [d[0] - b[0], d[1] - b[1], (d[2] - b[2]) * scale]];
  let n = [e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]];
  const long = Math.hypot(...n) || 1;
  n = n.map((v) => (n[2] < 0 ? -v : v) / long);
  const rgb = paint(n);
  triangle(into, a, b, c, rgb);
  triangle(into, a, c, d, rgb);
}

function triangle({ width, height, light, depth }, a, b, c, rgb) {
  const area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  if (area === 0) return;
  const [left, right] = [Math.max(0, Math.floor(Math.min(a[0], b[0], c[0]))), Math.min(width - 1, Math.ceil(Math.max(a[0], b[0], c[0])))];
  const [top, bottom] = [Math.max(0, Math.floor(Math.min(a[1], b[1], c[1]))), Math.min(height - 1, Math.ceil(Math.max(a[1], b[1], c[1])))];
  for (let y = top; y <= bottom; y++)
    for (let x = left; x <= right; x++) {
      const wb = ((x - a[0]) * (c[1] - a[1]) - (y - a[1]) * (c[0] - a[0])) / area;
      const wc = ((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])) / area;
      if (wb < -1e-6 || wc < -1e-6 || wb + wc > 1 + 1e-6) continue;
      const z = a[2] + wb * (b[2] - a[2]) + wc * (c[2] - a[2]);
      const i = y * width + x;
      if (z <= depth[i]) continue;
      depth[i] = z;
      light[i * 3] = rgb[0];
      light[i * 3 + 1] = rgb[1];
      light[i * 3 + 2] = rgb[2];
    }
}

/** Pictures one after the other as a video without compression (YUV4MPEG2), ten a second, which Chromium shows again and again. */
export function video(pictures) {
  const [{ width, height }] = pictures;
  const parts = [Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\n`)];
  for (const { data } of pictures) {
    const frame = Buffer.alloc((width * height * 3) / 2);
    const [u, v] = [width * height, (width * height * 5) / 4];
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const [r, g, b] = data.subarray((y * width + x) * 3);
        frame[y * width + x] = 0.299 * r + 0.587 * g + 0.114 * b;
        if (x % 2 || y % 2) continue;
        const at = (y / 2) * (width / 2) + x / 2;
        frame[u + at] = 128 - 0.169 * r - 0.331 * g + 0.5 * b;
        frame[v + at] = 128 + 0.5 * r - 0.419 * g - 0.081 * b;
      }
    parts.push(Buffer.from("FRAME\n"), frame);
  }
  return Buffer.concat(parts);
}
