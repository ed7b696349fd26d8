import { expect, test } from "vitest";
import "./browser.js";
import type { InboxQuery } from "../src/screens/inbox.graphql.js";
import { itemsOf, keyOf } from "../src/screens/inbox-items.js";

const none = { edges: [] };
const empty: InboxQuery = {
  inboxCount: {
    total: 0,
    clockEvents: 0,
    corrections: 0,
    leaves: 0,
    overtime: 0,
    weeks: 0,
    swaps: 0,
    devices: 0,
    faceResets: 0,
  },
  events: none,
  corrections: none,
  leaves: none,
  overtime: [],
  weeks: none,
  swaps: none,
  devices: none,
  faces: none,
};
const now = "2026-03-10T02:00:00Z";
const budi = { id: "7", name: "Budi" };

function items(read: Partial<InboxQuery>): string[] {
  return itemsOf({ ...empty, ...read }, "Asia/Jakarta", now).map(
    (i) => `${keyOf(i)}: ${i.person}, ${i.what}; ${i.facts.map((f) => f.join(" ")).join(", ")}`,
  );
}

test("nothing waits", () => {
  expect(items({})).toEqual([]);
});

test("leave: what waits longest stands first, what has expired does not wait", () => {
  const leave = (id: string, createdAt: string, expiresAt: string) => ({
    node: {
      id,
      startsOn: "2026-04-06",
      endsOn: "2026-04-07",
      half: true,
      fromTime: null,
      toTime: null,
      dates: ["2026-04-06", "2026-04-07"],
      reason: "x",
      expiresAt,
      createdAt,
      user: budi,
      leaveType: { id: "5", name: "Annual" },
    },
  });
  const late = leave("1", "2026-03-09T00:00:00Z", "2026-03-11T00:00:00+07:00");
  const early = leave("2", "2026-03-08T00:00:00Z", "2026-03-11T00:00:00Z");
  const over = leave("3", "2026-03-01T00:00:00Z", "2026-03-10T01:59:00Z");
  expect(items({ leaves: { edges: [late, null, early, over] } })).toEqual([
    "leaves-2: Budi, Annual · Mon 6 Apr – Tue 7 Apr; Length 1 day, Reason x",
    "leaves-1: Budi, Annual · Mon 6 Apr – Tue 7 Apr; Length 1 day, Reason x",
  ]);
});

test("overtime: a date of a person, by its length", () => {
  const worked = {
    date: "2026-03-09",
    workedSeconds: 36_000,
    expectedSeconds: 28_800,
    overtimeSeconds: 7_200,
    user: budi,
  };
  expect(items({ overtime: [worked] })).toEqual([
    "overtime-7-2026-03-09: Budi, Mon 9 Mar · 2 h 0 min; Worked 10 h 0 min, Expected 8 h 0 min",
  ]);
});

test("clock events: the ends that are pending, in the zone of the site, with what they were judged by", () => {
  const verdict = (distanceMeters: number | null) => ({
    geofence: { distanceMeters, radiusMeters: 100 },
    accuracy: { meters: 12.4, limitMeters: null },
    speed: { kmh: null },
    device: { shared: true },
    face: { verdict: "doubtful", distance: 0.3 },
    time: { source: "app", skewSeconds: null },
  });
  const event = (clockedInReview: "pending" | "accepted", clockedOutReview: "pending" | "none") => ({
    node: {
      id: "1",
      workDate: "2026-03-10",
      user: budi,
      address: { name: "HQ" },
      clockedInAt: "2026-03-10T00:05:00Z",
      clockedInZone: "Asia/Makassar",
      clockedInReview,
      clockedInFlags: ["outside", "new_flag"],
      clockedInNote: null,
      clockedInVerdict: verdict(250),
      clockedOutAt: "2026-03-10T09:00:00Z",
      clockedOutReview,
      clockedOutFlags: ["mock"],
      clockedOutNote: "left",
      clockedOutVerdict: verdict(null),
    },
  });
  const judged = "Accuracy 12 m, Device also used by somebody else that day, Face doubtful";
  expect(items({ events: { edges: [event("pending", "none")] } })).toEqual([
    `clockEvents-1: Budi, In at 08:05 · Tue 10 Mar · HQ; Flagged outside the site, new_flag, Distance 250 m of 100 m, ${judged}`,
  ]);
  expect(items({ events: { edges: [event("accepted", "pending")] } })).toEqual([
    `clockEvents-1: Budi, Out at 17:00 · Tue 10 Mar · HQ; Flagged position made up, ${judged}, Note left`,
  ]);
});

test("clock events: how far from the site it was, of the end that is farther and pending", () => {
  const verdict = (distanceMeters: number, radiusMeters: number | null) => ({
    geofence: { distanceMeters, radiusMeters },
    accuracy: { meters: null, limitMeters: null },
    speed: { kmh: null },
    device: { shared: false },
    face: { verdict: null },
  });
  const node = {
    id: "1",
    workDate: "2026-03-10",
    user: budi,
    address: { name: "HQ" },
    clockedInAt: "2026-03-10T00:05:00Z",
    clockedInZone: "Asia/Jakarta",
    clockedInReview: "pending" as "pending" | "accepted",
    clockedInFlags: ["outside"] as string[],
    clockedInNote: null,
    clockedInVerdict: verdict(250, 100),
    clockedOutAt: "2026-03-10T09:00:00Z",
    clockedOutReview: "pending" as const,
    clockedOutFlags: ["mock"] as string[],
    clockedOutNote: null,
    clockedOutVerdict: verdict(120, null),
  };
  const away = (n: typeof node) =>
    itemsOf({ ...empty, events: { edges: [{ node: n }] } }, "Asia/Jakarta", now).map((i) => i.away);
  expect(away(node)).toEqual([{ distance: 250, radius: 100 }]);
  expect(away({ ...node, clockedInFlags: ["no_face"], clockedOutFlags: ["no_face"] })).toEqual([undefined]);
  expect(away({ ...node, clockedInReview: "accepted" })).toEqual([{ distance: 120, radius: null }]);
});

test("what belongs to a day leads to it", () => {
  const worked = {
    date: "2026-03-09",
    workedSeconds: 36_000,
    expectedSeconds: 28_800,
    overtimeSeconds: 7_200,
    user: budi,
  };
  expect(itemsOf({ ...empty, overtime: [worked] }, "Asia/Jakarta", now).map((i) => i.day)).toEqual([
    "/app/today?person=7&on=2026-03-09",
  ]);
});

test("corrections: what is and what is asked for", () => {
  const correction = {
    id: "4",
    date: "2026-03-09",
    clockInAt: null,
    clockOutAt: "2026-03-09T10:00:00Z",
    reason: "forgot",
    expiresAt: "2026-03-12T00:00:00Z",
    createdAt: now,
    user: budi,
    employeeShift: { name: "Pagi", timezone: "Asia/Jakarta" },
    attendance: { clockedInAt: "2026-03-09T01:00:00Z", clockedOutAt: null },
    address: null,
  };
  expect(items({ corrections: { edges: [{ node: correction }] } })).toEqual([
    "corrections-4: Budi, Mon 9 Mar · Pagi; Out – → 17:00, Reason forgot",
  ]);
});
