import { svg, type TemplateResult } from "lit";

/** A point of a drawing, in metres east and south of the site. */
export interface Dot {
  readonly x: number;
  readonly y: number;
  /** Whether it lies beyond the edge of the drawing, where it is drawn on the edge. */
  readonly beyond: boolean;
  readonly outside: boolean;
  /** How far off it may be, in metres. */
  readonly accuracy?: number | null;
  /** Whether it may not be where somebody was at all. */
  readonly doubtful?: boolean;
}

const earthRadius = 6_371_008.8; // metres; the mean one
const radians = Math.PI / 180;

export interface Position {
  readonly latitude: string | number;
  readonly longitude: string | number;
}

/** How many metres east and south of a position another one is, on a plane: right for some kilometres. */
export function offset(from: Position, to: Position): { readonly x: number; readonly y: number } {
  const latitude = Number(from.latitude);
  const east = ((((Number(to.longitude) - Number(from.longitude)) % 360) + 540) % 360) - 180;
  return {
    x: east * radians * earthRadius * Math.cos(latitude * radians),
    y: (latitude - Number(to.latitude)) * radians * earthRadius,
  };
}

/** How far from the centre a drawing reaches, in metres: 1.2 times the circle, up to three times for dots. */
export function reach(radius: number | null, distances: readonly number[]): number {
  const circle = radius ?? Math.max(50, ...distances);
  return Math.min(3 * circle, Math.max(1.2 * circle, 1.1 * Math.max(0, ...distances)));
}

/** A dot at an offset, within what is drawn. */
export function dotAt(at: { readonly x: number; readonly y: number }, radius: number | null, edge: number): Dot {
  const distance = Math.hypot(at.x, at.y);
  const beyond = distance > edge;
  const scale = beyond ? edge / distance : 1;
  return { x: at.x * scale, y: at.y * scale, beyond, outside: radius !== null && distance > radius };
}

/**
 * A site to scale: the circle within which one is there, and dots where people were, in circles of how far
 * off they may be, as far as the edge. A dot outside is a square, a doubtful one a triangle, one beyond the
 * edge is hollow, so that colour alone says nothing.
 */
export function drawing(label: string, radius: number | null, dots: readonly Dot[], edge: number): TemplateResult {
  const mark = edge / 20;
  const room = edge + 2 * mark; // for a mark on the edge
  return svg`<svg class="site" role="img" aria-label=${label} viewBox="${-room} ${-room} ${2 * room} ${2 * room}">
    ${radius === null ? "" : svg`<circle class="radius" r=${radius} vector-effect="non-scaling-stroke"/>`}
    <path class="centre" vector-effect="non-scaling-stroke" d="M${-mark} 0H${mark}M0 ${-mark}V${mark}"/>
    ${dots.map((d) =>
      d.accuracy == null
        ? ""
        : svg`<circle class="accuracy" cx=${d.x} cy=${d.y} r=${Math.min(d.accuracy, edge)}
            vector-effect="non-scaling-stroke"/>`,
    )}
    ${dots.map((d) => {
      const kind = `dot${d.outside ? " outside" : ""}${d.beyond ? " beyond" : ""}${d.doubtful ? " doubtful" : ""}`;
      if (d.doubtful)
        return svg`<path class=${kind} d="M${d.x} ${d.y - 1.5 * mark}l${1.5 * mark} ${2.5 * mark}h${-3 * mark}z"
          vector-effect="non-scaling-stroke"/>`;
      return d.outside
        ? svg`<rect class=${kind} x=${d.x - mark} y=${d.y - mark} width=${2 * mark} height=${2 * mark} vector-effect="non-scaling-stroke"/>`
        : svg`<circle class=${kind} cx=${d.x} cy=${d.y} r=${mark} vector-effect="non-scaling-stroke"/>`;
    })}
  </svg>`;
}
