import { type Fact, said } from "../parts/facts.js";
import { clock } from "../parts/time.js";
import { texts } from "../texts/texts.js";
import type { AskedFragment, VerdictFragment } from "./clock-events.graphql.js";

/** What was noticed about a clock event, in words. */
export function flagged(flags: readonly string[]): string {
  const words = texts().clockEvents.flags as Record<string, string>;
  return flags.map((flag) => words[flag] ?? flag).join(", ");
}

/** What was noticed because of which a position may not be where somebody was. */
export function doubtful(flags: readonly string[]): string[] {
  return flags.filter((flag) => ["low_accuracy", "mock", "speed"].includes(flag));
}

/** What a correction asks for, by what is, in the zone of the shift. */
export function asked(c: AskedFragment): Fact[] {
  const t = texts().inbox;
  const zone = c.employeeShift.timezone;
  const change = (before: string | null | undefined, after: string | null | undefined): string =>
    after ? t.change(before ? clock(before, zone) : "–", clock(after, zone)) : "";
  return said([
    [t.in, change(c.attendance?.clockedInAt, c.clockInAt)],
    [t.out, change(c.attendance?.clockedOutAt, c.clockOutAt)],
    [t.site, c.address?.name],
    [t.reason, c.reason],
  ]);
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
    [t.note, note],
  ]);
}
