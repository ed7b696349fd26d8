import { expect, test } from "vitest";
import type { TodayQuery } from "../src/screens/today.graphql.js";
import { everybody } from "../src/screens/today.js";

type Group = TodayQuery["team"]["groups"][number];

function person(userId: string, name: string, lateSeconds = 0): Group["people"][number] {
  const times = { startAt: null, endAt: null, clockInAt: null, clockOutAt: null };
  return { userId, name, addressId: null, ...times, lateSeconds, earlySeconds: 0 };
}

function read(groups: Partial<Record<Group["name"], Group["people"]>>): TodayQuery {
  return {
    all: { date: "2026-03-10", totalCount: 9, groups: [] },
    team: {
      groups: Object.entries(groups).map(([name, people]) => ({
        name: name as Group["name"],
        count: people.length,
        people,
      })),
    },
    noticed: {
      edges: [
        { node: { clockedInFlags: ["outside"], clockedOutFlags: [], user: { id: "2" } } },
        { node: { clockedInFlags: ["speed"], clockedOutFlags: ["outside"], user: { id: "2" } } },
      ],
    },
    forgotten: { edges: [] },
  };
}

test("everybody: once, the most urgent first, then by name", () => {
  const late = person("3", "Cici", 60);
  const list = everybody(
    read({ in: [person("1", "Budi"), late], done: [person("2", "Agus")], missing: [person("4", "Zul")], late: [late] }),
  );
  expect(list.map((p) => p.name)).toEqual(["Zul", "Cici", "Budi", "Agus"]);
  expect(list.map((p) => p.group)).toEqual(["missing", "in", "in", "done"]);
});

test("everybody: who came late, where they alone were asked for", () => {
  expect(everybody(read({ late: [person("3", "Cici", 60)] })).map((p) => p.group)).toEqual(["late"]);
});

test("everybody: what was noticed, each once", () => {
  const [agus] = everybody(read({ done: [person("2", "Agus")] }));
  expect(agus?.noticed).toEqual(["outside", "speed"]);
});
