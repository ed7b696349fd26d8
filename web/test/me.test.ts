import { afterEach, expect, test } from "vitest";
import { home, subplace } from "../src/router.js";
import { usualSite } from "../src/screens/me/ask-correction.js";
import type { ClockQuery } from "../src/screens/me/clock.graphql.js";
import {
  distanceTo,
  type Fix,
  hindrance,
  missesFace,
  nearestFirst,
  openNow,
  policyOf,
  type Shift,
  type Site,
  shiftsToCome,
  wantsFace,
} from "../src/screens/me/clock.js";
import type { MonthQuery, RequestsQuery } from "../src/screens/me/days.graphql.js";
import { daysOf, dayWords, gridOf, hoursWord, moved } from "../src/screens/me/month.js";
import { requestsOf, stateAt, takesBack } from "../src/screens/me/requests.js";
import type { StartQuery } from "../src/shell.graphql.js";

const none = { geofenceIn: null, geofenceOut: null, accuracy: null, face: null };
const office: Site = {
  id: "1",
  name: "Kantor Pusat",
  latitude: "-6.200000",
  longitude: "106.816666",
  radius: 100,
  points: [],
  policies: none,
};
const store: Site = { ...office, id: "2", name: "Gudang", latitude: "-6.210000", points: [] };
const home_: Site = { ...office, id: "3", name: "Rumah", radius: null };

const at = (north: number, accuracy = 10): Fix => ({
  latitude: -6.2 + north / 111_195,
  longitude: 106.816666,
  accuracy,
});

const shift: Shift = {
  employeeShiftId: "10",
  name: "Pagi",
  date: "2026-03-10",
  startAt: "2026-03-10T01:00:00Z",
  endAt: "2026-03-10T10:00:00Z",
  clockInFrom: "2026-03-10T00:00:00Z",
  clockInUntil: "2026-03-10T11:00:00Z",
  timezone: "Asia/Jakarta",
  clockedIn: false,
  clockedOut: false,
};

const settings = {
  geofenceIn: "block",
  geofenceOut: "flag",
  accuracy: "flag",
  accuracyMeters: 100,
  face: "flag",
  leaveBlocksClockIn: false,
} as const;

function read(change: Partial<ClockQuery> = {}): ClockQuery {
  return {
    attendanceToday: {
      date: "2026-03-10",
      timezone: "Asia/Jakarta",
      status: "none",
      workedSeconds: 0,
      lateSeconds: 0,
      entries: [],
    },
    shiftToday: [shift],
    allowedLocations: [{ addressId: "1" }],
    companyAddresses: [office, store],
    viewer: { id: "7", policies: none },
    profile: { faceLandmark: [] },
    company: { settings },
    exemptions: { edges: [] },
    attendances: { edges: [] },
    ...change,
  };
}

const now = Date.parse("2026-03-10T02:00:00Z");

test("distanceTo: the centre and the edge, of the nearest point of a site, and no edge", () => {
  const far = distanceTo(office, at(250));
  expect(far.centre).toBeCloseTo(250, 0);
  expect(far.edge).toBeCloseTo(150, 0);
  expect(distanceTo(office, at(40)).edge).toBeCloseTo(-60, 0);
  const points = [{ latitude: String(-6.2 + 200 / 111_195), longitude: "106.816666" }];
  expect(distanceTo({ ...office, points }, at(250)).centre).toBeCloseTo(50, 0);
  expect(distanceTo(home_, at(250)).edge).toBeNull();
});

test("nearestFirst: within, without an edge, then by the way to the edge", () => {
  const names = (fix: Fix | undefined, last?: string) =>
    nearestFirst([store, office, home_], fix, last).map((s) => s.name);
  expect(names(at(40))).toEqual(["Kantor Pusat", "Rumah", "Gudang"]);
  expect(names(at(-500))).toEqual(["Rumah", "Kantor Pusat", "Gudang"]);
  expect(names(undefined)).toEqual(["Gudang", "Kantor Pusat", "Rumah"]);
  expect(names(undefined, "1")).toEqual(["Kantor Pusat", "Gudang", "Rumah"]);
});

test("hindrance: none at the site in time", () => {
  expect(hindrance(read(), "in", shift, office, at(40), now)).toBeUndefined();
});

const early = Date.parse("2026-03-09T23:30:00Z");
test.each<
  [string, Partial<ClockQuery>, Shift | undefined, Site | undefined, Fix | undefined, number, object | undefined]
>([
  ["too early", {}, shift, office, at(0), early, { why: "early", at: shift.clockInFrom }],
  ["no shift", { shiftToday: [] }, undefined, office, at(0), now, { why: "noShift" }],
  ["too late", {}, undefined, office, at(0), now, { why: "over", at: shift.clockInUntil }],
  ["no site", {}, shift, undefined, at(0), now, { why: "noSite" }],
  ["no position", {}, shift, office, undefined, now, { why: "noPosition" }],
  ["outside", {}, shift, office, at(250.4), now, { why: "outside", metres: 151 }],
  [
    "outside where it is flagged",
    { company: { settings: { ...settings, geofenceIn: "flag" } } },
    shift,
    office,
    at(250),
    now,
    undefined,
  ],
  [
    "outside of a site whose own policy is off",
    {},
    shift,
    { ...office, policies: { ...none, geofenceIn: "off" } },
    at(250),
    now,
    undefined,
  ],
  ["inaccurate where it is flagged", {}, shift, office, at(0, 400), now, undefined],
  [
    "inaccurate where it is refused",
    { company: { settings: { ...settings, accuracy: "block" } } },
    shift,
    office,
    at(0, 400),
    now,
    { why: "inaccurate", metres: 100 },
  ],
  ["exempt", { exemptions: { edges: [{ node: { rule: "geofence" } }] } }, shift, office, at(250), now, undefined],
])("hindrance of a clock-in: %s", (_name, change, of, site, fix, when, want) => {
  expect(hindrance(read(change), "in", of, site, fix, when)).toEqual(want);
});

test("hindrance of a clock-out: by its own policy alone, at any time", () => {
  const late = Date.parse("2026-03-11T02:00:00Z");
  expect(hindrance(read(), "out", undefined, office, at(250), late)).toBeUndefined();
  const strict = read({ company: { settings: { ...settings, geofenceOut: "block" } } });
  expect(hindrance(strict, "out", shift, office, at(249.6), now)).toEqual({ why: "outside", metres: 150 });
});

test("hindrance: whole leave where it keeps from clocking in", () => {
  const { attendanceToday } = read();
  const leave = { attendanceToday: { ...attendanceToday, status: "on_leave" as const } };
  expect(hindrance(read(leave), "in", shift, office, at(0), now)).toBeUndefined();
  const strict = { ...leave, company: { settings: { ...settings, leaveBlocksClockIn: true } } };
  expect(hindrance(read(strict), "in", shift, office, at(0), now)).toEqual({ why: "onLeave" });
});

test("policyOf: the person's, else the site's, else the company's", () => {
  const site = { ...office, policies: { ...none, face: "block" as const } };
  expect(policyOf(read(), office, "face")).toBe("flag");
  expect(policyOf(read(), site, "face")).toBe("block");
  expect(policyOf(read({ viewer: { id: "7", policies: { ...none, face: "off" } } }), site, "face")).toBe("off");
});

test("wantsFace: to register one at a clock-in, and to compare it unless the policy is off", () => {
  const registered = { profile: { faceLandmark: [{ x: 0 }] } };
  const off = { company: { settings: { ...settings, face: "off" as const } } };
  expect(wantsFace(read(off), "in", office)).toBe(true);
  expect(wantsFace(read(), "out", office)).toBe(false);
  expect(wantsFace(read(registered), "out", office)).toBe(true);
  expect(wantsFace(read({ ...registered, ...off }), "in", office)).toBe(false);
});

test("missesFace: at a clock-in, where one is registered and the policy is not off, or where it refuses", () => {
  const registered = { profile: { faceLandmark: [{ x: 0 }] } };
  const of = (face: "block" | "flag" | "off") => ({ company: { settings: { ...settings, face } } });
  expect(missesFace(read(of("flag")), "in", office)).toBe(false);
  expect(missesFace(read({ ...registered, ...of("flag") }), "in", office)).toBe(true);
  expect(missesFace(read({ ...registered, ...of("flag") }), "out", office)).toBe(false);
  expect(missesFace(read({ ...registered, ...of("off") }), "in", office)).toBe(false);
  expect(missesFace(read(of("block")), "in", office)).toBe(true);
});

test("openNow: what the server has, and what waits to be sent", () => {
  const { attendanceToday } = read();
  const entry = { id: "5", employeeShiftId: "10", addressId: "1", clockInAt: "2026-03-10T01:02:00Z", clockOutAt: null };
  const inside = read({ attendanceToday: { ...attendanceToday, entries: [entry] } });
  const sent = { id: "a", employeeShiftId: "11", addressId: "2", at: "2026-03-10T03:00:00Z" };
  expect(openNow(read(), undefined)).toBeUndefined();
  expect(openNow(inside, undefined)).toEqual({ employeeShiftId: "10", addressId: "1", since: entry.clockInAt });
  expect(openNow(inside, { ...sent, kind: "out" })).toBeUndefined();
  expect(openNow(read(), { ...sent, kind: "in" })).toEqual({ employeeShiftId: "11", addressId: "2", since: sent.at });
});

test("shiftsToCome: those that are not over, and those not worked before those that were", () => {
  const worked = { ...shift, employeeShiftId: "9", clockedIn: true, clockedOut: true };
  const over = { ...shift, employeeShiftId: "8", clockInUntil: "2026-03-10T01:58:00Z" };
  const ids = (...shifts: Shift[]) => shiftsToCome(read({ shiftToday: shifts }), now).map((s) => s.employeeShiftId);
  expect(ids(worked, over, shift)).toEqual(["10"]);
  expect(ids(worked, over)).toEqual(["9"]);
  const minute = { ...over, clockInUntil: "2026-03-10T01:59:30Z" };
  expect(ids(minute)).toEqual(["8"]); // its last minute is not over
});

test("gridOf: whole weeks from the first weekday on", () => {
  const march = gridOf("2026-03", 1); // 1 March is a Sunday
  expect([march[0], march.at(-1), march.length]).toEqual(["2026-02-23", "2026-04-05", 42]);
  expect(gridOf("2026-03", 7)[0]).toBe("2026-03-01");
  expect(gridOf("2027-02", 1)).toHaveLength(28);
});

const month: MonthQuery = {
  company: { settings: { firstWeekday: 1 } },
  timesheet: {
    people: [
      {
        parts: [
          { from: "2026-03-09", status: "present", workedSeconds: 28_800, lateSeconds: 300, overtimeSeconds: 0 },
          { from: "2026-03-08", status: "absent", workedSeconds: 0, lateSeconds: 0, overtimeSeconds: 0 },
        ],
      },
    ],
  },
  employeeShifts: {
    edges: [
      {
        node: {
          id: "10",
          name: "Pagi",
          date: "2026-03-09",
          startAt: "2026-03-09T01:00:00Z",
          endAt: "2026-03-09T10:00:00Z",
          timezone: "Asia/Jakarta",
          shift: { id: "4" },
        },
      },
    ],
  },
  plan: {
    people: [
      {
        userId: "7",
        shifts: [
          {
            employeeShiftId: null,
            shiftId: "4",
            name: "Pagi",
            date: "2026-03-30",
            startAt: "2026-03-30T01:00:00Z",
            endAt: "2026-03-30T10:00:00Z",
          },
        ],
        holidays: [{ date: "2026-03-19", name: "Nyepi", half: false }],
      },
    ],
  },
  holidays: { edges: [] },
  leaves: {
    edges: [
      {
        node: {
          id: "3",
          state: "pending",
          dates: ["2026-03-12"],
          half: true,
          fromTime: null,
          toTime: null,
          leaveType: { name: "Cuti" },
        },
      },
    ],
  },
  away: [{ userId: "8", name: "Agus", from: "2026-03-11", to: "2026-03-12" }],
};

test("daysOf: marks, shifts that are made and planned, leave, holidays and who is away", () => {
  const dates = ["2026-03-08", "2026-03-09", "2026-03-12", "2026-03-19", "2026-03-30"];
  const days = daysOf(month, dates, "Asia/Jakarta", now);
  expect(days.map((d) => d.mark)).toEqual(["absent", "late", "asked", "holiday", "planned"]);
  expect(days[4]?.shifts[0]).toMatchObject({ id: "", zone: "Asia/Jakarta" });
  expect(days.map(dayWords)).toEqual([
    "Sun 8 Mar, Absent",
    "Mon 9 Mar, Pagi 08:00–17:00, 8 h 0 min worked, Late",
    "Thu 12 Mar, Cuti, half a day, waits, 1 of the team away",
    "Thu 19 Mar, Nyepi",
    "Mon 30 Mar, Pagi 08:00–17:00",
  ]);
});

/** The month with one shift, and the status of its day at the server. */
function withShift(startAt: string, endAt: string, status: "none" | "absent" | "present", workedSeconds = 0) {
  const node = {
    id: "10",
    name: "Fleksibel",
    date: "2026-03-09",
    startAt,
    endAt,
    timezone: "Asia/Jakarta",
    shift: { id: "4" },
  };
  const part = { from: "2026-03-09", status, workedSeconds, lateSeconds: 0, overtimeSeconds: 0 };
  return { ...month, timesheet: { people: [{ parts: [part] }] }, employeeShifts: { edges: [{ node }] } };
}

test.each([
  ["none", "2026-03-09T16:59:00Z", "none", "Mon 9 Mar, Fleksibel flexible hours, No attendance"],
  ["none", "2026-03-10T16:59:00Z", "planned", "Mon 9 Mar, Fleksibel flexible hours"],
  ["absent", "2026-03-09T16:59:00Z", "absent", "Mon 9 Mar, Fleksibel flexible hours, Absent"],
  ["present", "2026-03-09T16:59:00Z", "worked", "Mon 9 Mar, Fleksibel flexible hours"],
] as const)("daysOf: a day of status %s whose shift ends at %s is marked %s", (status, endAt, mark, words) => {
  const [day] = daysOf(withShift("2026-03-08T17:00:00Z", endAt, status), ["2026-03-09"], "Asia/Jakarta", now);
  expect(day && [day.mark, dayWords(day), hoursWord(day)]).toEqual([mark, words, "flex"]);
});

test("hoursWord: when the first shift begins", () => {
  const read = withShift("2026-03-09T01:00:00Z", "2026-03-09T10:00:00Z", "none");
  expect(daysOf(read, ["2026-03-09", "2026-03-08"], "Asia/Jakarta", now).map(hoursWord)).toEqual(["08:00", ""]);
});

test.each([
  ["ArrowLeft", "2026-03-01", "2026-02-28"],
  ["ArrowRight", "2026-03-10", "2026-03-11"],
  ["ArrowUp", "2026-03-10", "2026-03-03"],
  ["ArrowDown", "2026-03-10", "2026-03-17"],
  ["Home", "2026-03-11", "2026-03-09"],
  ["End", "2026-03-11", "2026-03-15"],
  ["PageUp", "2026-03-31", "2026-02-28"],
  ["PageDown", "2026-03-31", "2026-04-30"],
  ["PageDown", "2026-03-10", "2026-04-10"],
  ["Enter", "2026-03-10", undefined],
])("moved: %s from %s", (key, from, to) => {
  expect(moved(key, from, gridOf("2026-03", 1))).toBe(to);
});

test("usualSite: that of the last attendance, else the only one, else none", () => {
  const sites = [
    { addressId: "1", name: "Gudang" },
    { addressId: "2", name: "Kantor Pusat" },
  ];
  const last = (id: string) => ({ edges: [{ node: { id: "5", address: { id } } }] });
  expect(usualSite({ allowedLocations: sites, last: last("2") })).toBe("2");
  expect(usualSite({ allowedLocations: sites, last: last("9") })).toBe("");
  expect(usualSite({ allowedLocations: sites.slice(0, 1), last: { edges: [] } })).toBe("1");
  expect(usualSite({ allowedLocations: sites })).toBe("");
});

test("requestsOf: the latest first, with what became of each", () => {
  const common = {
    decider: null,
    decisionNote: null,
    decidedAt: null,
    expiresAt: "2026-03-09T00:00:00Z",
    reason: "a wedding",
  };
  const list: RequestsQuery = {
    leaves: {
      edges: [
        {
          node: {
            ...common,
            id: "1",
            startsOn: "2026-03-12",
            endsOn: "2026-03-13",
            half: false,
            fromTime: null,
            toTime: null,
            dates: [],
            state: "pending",
            createdAt: "2026-03-01T00:00:00Z",
            leaveType: { name: "Cuti" },
          },
        },
      ],
    },
    corrections: {
      edges: [
        {
          node: {
            ...common,
            id: "2",
            date: "2026-03-02",
            clockInAt: "2026-03-02T01:00:00Z",
            clockOutAt: null,
            address: null,
            attendance: { id: "5", address: { id: "1", name: "Kantor Pusat" } },
            state: "refused",
            decisionNote: "no",
            decider: { id: "9", name: "Ratna" },
            createdAt: "2026-03-03T00:00:00Z",
            employeeShift: { name: "Pagi", timezone: "Asia/Jakarta" },
          },
        },
      ],
    },
  };
  expect(requestsOf(list, now)).toMatchObject([
    {
      kind: "correction",
      name: "Correction, Mon 2 Mar",
      detail: "08:00–… · Kantor Pusat · a wedding",
      state: "refused",
      by: "Ratna",
      note: "no",
    },
    { kind: "leave", name: "Cuti, Thu 12 Mar – Fri 13 Mar", state: "expired" },
  ]);
});

test("takesBack: what waits, and approved leave and corrections", () => {
  expect(stateAt("asked", "2026-03-10T02:00:01Z", now)).toBe("asked");
  expect(takesBack({ kind: "swap", state: "agreed" })).toBe(true);
  expect(takesBack({ kind: "swap", state: "approved" })).toBe(false);
  expect(takesBack({ kind: "leave", state: "approved" })).toBe(true);
  expect(takesBack({ kind: "correction", state: "expired" })).toBe(false);
  expect(takesBack({ kind: "overtime", state: "approved" })).toBe(false);
});

afterEach(() => history.replaceState(null, "", "/app/today"));

test("home and subplace: where one begins, and what is below the screen", () => {
  const start = (...permissions: string[]) => ({ tokenInfo: { permissions } }) as StartQuery;
  expect(home(start("attendance.read.own"))).toBe("/app/me");
  expect(home(start("attendance.read.own", "attendance.read.team"))).toBe("/app/today");
  history.replaceState(null, "", "/app/me/days?date=2026-03-10");
  expect(subplace()).toBe("days");
  history.replaceState(null, "", "/app/me");
  expect(subplace()).toBe("");
});
