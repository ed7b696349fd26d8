import { type Fact, said } from "../parts/facts.js";
import { texts } from "../texts/texts.js";
import type { VerdictFragment } from "./clock-events.graphql.js";

/** What was noticed about a clock event, in words. */
export function flagged(flags: readonly string[]): string {
  const words = texts().clockEvents.flags as Record<string, string>;
  return flags.map((flag) => words[flag] ?? flag).join(", ");
}

/** What was noticed about a clock event, with the figures that it was judged by. */
export function judged(
  verdict: VerdictFragment | null | undefined,
  flags: readonly string[],
  note: string | null | undefined,
): Fact[] {
  const t = texts().clockEvents;
  const ofLimit = (n: number | null | undefined, limit: number | null | undefined): string =>
    n == null ? "" : t.of(t.metres(Math.round(n)), limit == null ? "" : t.metres(limit));
  const { geofence, accuracy, speed, device, face } = verdict ?? {};
  return said([
    [t.flagged, flagged(flags)],
    [t.distance, ofLimit(geofence?.distanceMeters, geofence?.radiusMeters)],
    [t.accuracy, ofLimit(accuracy?.meters, accuracy?.limitMeters)],
    [t.speed, speed?.kmh == null ? "" : `${speed.kmh} km/h`],
    [t.device, device?.shared ? t.shared : ""],
    [t.face, face?.verdict && face.verdict !== "none" ? ((t.faces as Record<string, string>)[face.verdict] ?? "") : ""],
    [t.theirNote, note],
  ]);
}
