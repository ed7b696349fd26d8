import type { Position } from "./site.js";

/** A position that is typed or pasted, such as "-6.2, 106.8"; null where it is none on earth. */
export function positionOf(text: string): { readonly latitude: string; readonly longitude: string } | null {
  const numbers = text.trim().split(/[\s,;]+/);
  const [latitude = "", longitude = ""] = numbers;
  return numbers.length === 2 && isPosition({ latitude, longitude }) ? { latitude, longitude } : null;
}

/** Whether degrees are those of a place on earth. */
export function isPosition({ latitude, longitude }: Position): boolean {
  const within = (degrees: string | number, most: number): boolean =>
    /^-?[0-9]{1,3}(\.[0-9]+)?$/.test(String(degrees)) && Math.abs(Number(degrees)) <= most;
  return within(latitude, 90) && within(longitude, 180);
}

/** Positions, one a line; null where a line is none. */
export function positionsOf(text: string): { readonly latitude: string; readonly longitude: string }[] | null {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const positions = lines.map(positionOf);
  return positions.every((p) => p !== null) ? positions : null;
}
