import { offset, type Position } from "../../parts/site.js";
import type { ClockQuery } from "./clock.graphql.js";

export type Shift = ClockQuery["shiftToday"][number];
export type Site = ClockQuery["companyAddresses"][number];
type Policies = Site["policies"];
type Action = NonNullable<Policies["face"]>;

/** Where a phone is. */
export interface Fix {
  readonly latitude: number;
  readonly longitude: number;
  /** Metres within which that is right. */
  readonly accuracy: number;
}

/** The last event that waits to be sent, which the server knows nothing of. */
export interface Sent {
  /** That of the queue. */
  readonly id: string;
  readonly kind: "in" | "out";
  readonly employeeShiftId: string;
  readonly addressId: string;
  /** An instant. */
  readonly at: string;
}

/** An attendance that is not over. */
export interface Open {
  readonly employeeShiftId: string;
  readonly addressId: string;
  /** An instant. */
  readonly since: string;
}

/** Why one cannot clock in or out now: a word for texts, and the instant or the metres that it tells of. */
export interface Hindrance {
  readonly why: "noShift" | "over" | "early" | "noSite" | "onLeave" | "noPosition" | "inaccurate" | "outside";
  /** Of `early` and `over`. */
  readonly at?: string;
  /** Metres: beyond the site's edge, or of inaccuracy that is allowed. */
  readonly metres?: number;
}

/** How many metres a position is from the nearest point of a site, and from its edge: negative within it, null without one. */
export function distanceTo(site: Site, at: Position): { readonly centre: number; readonly edge: number | null } {
  const centres = [site, ...site.points];
  const centre = Math.min(...centres.map((c) => Math.hypot(offset(c, at).x, offset(c, at).y)));
  return { centre, edge: site.radius == null ? null : centre - site.radius };
}

/**
 * Sites, the nearest first: those that a position is within, those without an edge, then by the way to the
 * edge. Without a position the one with the id last is first.
 */
export function nearestFirst(sites: readonly Site[], at: Position | undefined, last = ""): Site[] {
  if (!at) return [...sites].sort((a, b) => Number(b.id === last) - Number(a.id === last));
  const way = (site: Site): number => {
    const { edge } = distanceTo(site, at);
    return edge === null ? 0.5 : Math.max(0, edge);
  };
  return [...sites].sort(
    (a, b) => way(a) - way(b) || distanceTo(a, at).centre - distanceTo(b, at).centre || a.name.localeCompare(b.name),
  );
}

/** The attendance that is open once what waits is sent. */
export function openNow(read: ClockQuery, sent: Sent | undefined): Open | undefined {
  if (sent?.kind === "out") return undefined;
  if (sent) return { employeeShiftId: sent.employeeShiftId, addressId: sent.addressId, since: sent.at };
  const open = read.attendanceToday.entries.find((e) => !e.clockOutAt);
  return open && { employeeShiftId: open.employeeShiftId, addressId: open.addressId, since: open.clockInAt };
}

/** The shifts that one can still clock in for at an instant in milliseconds, by start: without those that were worked while another waits. */
export function shiftsToCome(read: ClockQuery, now: number): Shift[] {
  const open = read.shiftToday.filter((s) => endOf(s) > now);
  const fresh = open.filter((s) => !s.clockedIn);
  return (fresh.length > 0 ? fresh : open).sort((a, b) => a.startAt.localeCompare(b.startAt));
}

/** When the last minute is over in which one may clock in, in milliseconds. */
function endOf(shift: Shift): number {
  return Date.parse(shift.clockInUntil) + 60_000;
}

/** What holds for an event at a site: nothing where the person is exempt, else their own policy, the site's, the company's. */
export function policyOf(read: ClockQuery, site: Site | undefined, name: keyof Policies & string): Action {
  const rule = name.replace(/(In|Out)$/, "");
  if (read.exemptions.edges?.some((e) => e?.node?.rule === rule)) return "off";
  const of = (policies: Policies | null | undefined) => policies?.[name as "face"];
  return of(read.viewer.policies) ?? of(site?.policies) ?? read.company.settings[name as "face"];
}

/** Why an event is not possible at an instant in milliseconds; undefined where it is, as far as is known. */
export function hindrance(
  read: ClockQuery,
  kind: "in" | "out",
  shift: Shift | undefined,
  site: Site | undefined,
  fix: Fix | undefined,
  now: number,
): Hindrance | undefined {
  if (kind === "in") {
    const time = untimely(read, shift, now);
    if (time) return time;
    if (!site) return { why: "noSite" };
    if (read.company.settings.leaveBlocksClockIn && read.attendanceToday.status === "on_leave")
      return { why: "onLeave" };
  }
  if (!fix) return { why: "noPosition" };
  const { accuracyMeters } = read.company.settings;
  if (fix.accuracy > accuracyMeters && policyOf(read, site, "accuracy") === "block")
    return { why: "inaccurate", metres: accuracyMeters };
  const { edge } = site ? distanceTo(site, fix) : { edge: null };
  if (edge !== null && edge > 0 && policyOf(read, site, kind === "in" ? "geofenceIn" : "geofenceOut") === "block")
    return { why: "outside", metres: Math.ceil(edge) };
  return undefined;
}

function untimely(read: ClockQuery, shift: Shift | undefined, now: number): Hindrance | undefined {
  if (!shift) {
    const last = [...read.shiftToday].sort((a, b) => a.clockInUntil.localeCompare(b.clockInUntil)).at(-1);
    return last ? { why: "over", at: last.clockInUntil } : { why: "noShift" };
  }
  return Date.parse(shift.clockInFrom) > now ? { why: "early", at: shift.clockInFrom } : undefined;
}

/** Whether the camera is asked for a face with an event: to register one, or to compare it where that matters. */
export function wantsFace(read: ClockQuery, kind: "in" | "out", site: Site | undefined): boolean {
  const registered = read.profile.faceLandmark.length > 0;
  if (!registered) return kind === "in";
  return policyOf(read, site, "face") !== "off";
}

/** Whether the server misses a face that an event does not have: that of a clock-in, to compare it, or where it refuses without. */
export function missesFace(read: ClockQuery, kind: "in" | "out", site: Site | undefined): boolean {
  const policy = policyOf(read, site, "face");
  return kind === "in" && (policy === "block" || (policy === "flag" && read.profile.faceLandmark.length > 0));
}
