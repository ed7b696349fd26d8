import { type Fact, said } from "../parts/facts.js";
import { type NodeOf, nodes } from "../parts/nodes.js";
import { clock, dateIn, dateOf, dates, duration } from "../parts/time.js";
import { texts } from "../texts/texts.js";
import { asked, judged } from "./clock-events.js";
import type { InboxQuery } from "./inbox.graphql.js";

/** What can wait, in the order of the screen. */
export const kinds = [
  "clockEvents",
  "corrections",
  "leaves",
  "overtime",
  "weeks",
  "swaps",
  "devices",
  "faceResets",
] as const;
export type Kind = (typeof kinds)[number];

/** Something that waits for a decision, in words. */
export interface Item {
  readonly kind: Kind;
  /** Of a request; of overtime the person's. */
  readonly id: string;
  /** The date, of overtime alone. */
  readonly date?: string;
  readonly person: string;
  /** Of what belongs to a day of the person's: its address. */
  readonly day?: string;
  readonly what: string;
  /** What to decide by, each under its name. */
  readonly facts: readonly Fact[];
  /** Of a clock event that was judged by it: how far from the site it was, in metres. */
  readonly away?: { readonly distance: number; readonly radius: number | null };
  /** Of a leave: what else decides about it. */
  readonly leave?: {
    readonly userId: string;
    readonly typeId: string;
    readonly from: string;
    readonly to: string;
    readonly days: number;
  };
  /** When it began to wait; what waits longest stands first. */
  readonly since: string;
}

/** Names an item among all. */
export function keyOf(item: Item): string {
  return [item.kind, item.id, ...(item.date ? [item.date] : [])].join("-");
}

/** What waits, by kind, with the times of a zone; what has expired by an instant does not. */
export function itemsOf(read: InboxQuery, zone: string, now: string): Item[] {
  const t = texts().inbox;
  const waits = (r: { readonly expiresAt: string }): boolean => Date.parse(r.expiresAt) > Date.parse(now);
  const of: Record<Kind, Item[]> = {
    clockEvents: nodes(read.events).map((e) => eventOf(e)),
    corrections: nodes(read.corrections)
      .filter(waits)
      .map((c) => correctionOf(c)),
    leaves: nodes(read.leaves)
      .filter(waits)
      .map((l) => leaveOf(l)),
    overtime: read.overtime.map(overtimeOf),
    weeks: nodes(read.weeks).map((w) => ({
      kind: "weeks",
      id: w.id,
      person: w.user.name,
      what: dates(w.startsOn, w.endsOn),
      facts: said([
        [t.booked, duration(w.seconds)],
        [t.note, w.note],
      ]),
      since: w.submittedAt,
    })),
    swaps: nodes(read.swaps)
      .filter(waits)
      .map((s) => ({
        kind: "swaps",
        id: s.id,
        person: s.user.name,
        what: t.swap(`${s.shift.name}, ${dateOf(s.date)}`, `${s.wantedShift.name}, ${dateOf(s.wantedDate)}`),
        facts: said([
          [t.colleague, s.colleague?.name ?? t.freeShift],
          [t.note, s.note],
        ]),
        since: s.createdAt,
      })),
    devices: nodes(read.devices).map((d) => ({
      kind: "devices",
      id: d.id,
      person: d.user.name,
      what: d.model ?? d.platform,
      facts: said([[t.asked, moment(d.requestedAt, zone)]]),
      since: d.requestedAt,
    })),
    faceResets: nodes(read.faces).map((f) => ({
      kind: "faceResets",
      id: f.id,
      person: f.user.name,
      what: t.newFace,
      facts: said([
        [t.reason, f.reason],
        [t.asked, moment(f.requestedAt, zone)],
      ]),
      since: f.requestedAt,
    })),
  };
  return kinds.flatMap((kind) => of[kind].sort((a, b) => a.since.localeCompare(b.since)));
}

/** An instant as a date and a time of day in a zone. */
function moment(time: string, zone: string): string {
  return `${dateOf(dateIn(zone, new Date(time)))}, ${clock(time, zone)}`;
}

/** The address that shows a day of a person's. */
function dayOf(person: string, date: string): string {
  return `/app/today?person=${person}&on=${date}`;
}

/** Whether something was noticed that has to do with where somebody was. */
function ofPlace(flags: readonly string[]): boolean {
  return ["outside", "low_accuracy", "mock", "speed", "other_site"].some((flag) => flags.includes(flag));
}

function eventOf(e: NodeOf<InboxQuery["events"]>): Item {
  const events = texts().clockEvents;
  const zone = e.clockedInZone;
  const ends = [];
  if (e.clockedInReview === "pending") ends.push(events.in(clock(e.clockedInAt, zone)));
  if (e.clockedOutReview === "pending" && e.clockedOutAt) ends.push(events.out(clock(e.clockedOutAt, zone)));
  const facts = [
    ...(e.clockedInReview === "pending" ? judged(e.clockedInVerdict, e.clockedInFlags, e.clockedInNote) : []),
    ...(e.clockedOutReview === "pending" ? judged(e.clockedOutVerdict, e.clockedOutFlags, e.clockedOutNote) : []),
  ];
  const verdicts = [
    e.clockedInReview === "pending" && ofPlace(e.clockedInFlags) ? e.clockedInVerdict : null,
    e.clockedOutReview === "pending" && ofPlace(e.clockedOutFlags) ? e.clockedOutVerdict : null,
  ];
  const away = verdicts.flatMap((v) =>
    v?.geofence.distanceMeters == null
      ? []
      : [{ distance: v.geofence.distanceMeters, radius: v.geofence.radiusMeters ?? null }],
  );
  const farthest = away.sort((a, b) => b.distance - a.distance)[0];
  return {
    kind: "clockEvents",
    id: e.id,
    person: e.user.name,
    day: dayOf(e.user.id, e.workDate),
    what: `${ends.join(", ")} · ${dateOf(e.workDate)} · ${e.address.name}`,
    facts,
    ...(farthest && { away: farthest }),
    since: e.clockedInAt,
  };
}

function correctionOf(c: NodeOf<InboxQuery["corrections"]>): Item {
  return {
    kind: "corrections",
    id: c.id,
    person: c.user.name,
    day: dayOf(c.user.id, c.date),
    what: `${dateOf(c.date)} · ${c.employeeShift.name}`,
    facts: asked(c),
    since: c.createdAt,
  };
}

function leaveOf(l: NodeOf<InboxQuery["leaves"]>): Item {
  const t = texts().inbox;
  const days = l.dates.length * (l.half ? 0.5 : 1);
  return {
    kind: "leaves",
    id: l.id,
    person: l.user.name,
    what: `${l.leaveType.name} · ${dates(l.startsOn, l.endsOn)}`,
    facts: said([
      [t.length, l.fromTime && l.toTime ? `${l.fromTime}–${l.toTime}` : t.days(days)],
      [t.reason, l.reason],
    ]),
    leave: { userId: l.user.id, typeId: l.leaveType.id, from: l.startsOn, to: l.endsOn, days },
    since: l.createdAt,
  };
}

function overtimeOf(w: InboxQuery["overtime"][number]): Item {
  const t = texts().inbox;
  return {
    kind: "overtime",
    id: w.user.id,
    date: w.date,
    person: w.user.name,
    day: dayOf(w.user.id, w.date),
    what: `${dateOf(w.date)} · ${duration(w.overtimeSeconds)}`,
    facts: said([
      [t.worked, duration(w.workedSeconds)],
      [t.expected, w.expectedSeconds > 0 ? duration(w.expectedSeconds) : ""],
    ]),
    since: w.date,
  };
}
