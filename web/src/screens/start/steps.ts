import { nodes } from "../../parts/nodes.js";
import type { FirstStepsQuery } from "./start.graphql.js";

export const stepNames = ["site", "shift", "people", "assignment", "phones"] as const;
export type StepName = (typeof stepNames)[number];

/** Which steps a company has done; people are those besides who began. */
export function doneOf(read: FirstStepsQuery): Record<StepName, boolean> {
  return {
    site: read.addresses.totalCount > 0,
    shift: read.shifts.totalCount > 0,
    people: read.employees.totalCount > 1,
    assignment: read.later.totalCount > 0,
    phones: read.attendances.totalCount > 0,
  };
}

/** The first step that is not done; undefined where all are. */
export function nextOf(done: Readonly<Record<StepName, boolean>>): StepName | undefined {
  return stepNames.find((name) => !done[name]);
}

/** Whether messages wait that could not be sent, as without a mail server. */
export function unsent(read: FirstStepsQuery): boolean {
  return nodes(read.queued ?? {}).some((m) => m.error);
}

/** The people who have no shift today, without who looks where there is somebody else. */
export function unplanned(read: FirstStepsQuery, me: string) {
  const planned = new Set(nodes(read.planned).map((s) => s.user.id));
  const free = read.employees.nodes.filter((p) => !planned.has(p.id));
  const others = free.filter((p) => p.id !== me);
  return others.length > 0 ? others : free;
}

/** The days of the week on which people work: all but the days off, and today in any case. By ISO. */
export function workdays(offs: readonly number[], today: string): number[] {
  const weekday = new Date(`${today}T00:00:00Z`).getUTCDay() || 7;
  return [1, 2, 3, 4, 5, 6, 7].filter((day) => day === weekday || !offs.includes(day));
}

/** Whether an address reaches this machine alone. */
export function isLocal(host: string): boolean {
  return host === "localhost" || host === "[::1]" || host.startsWith("127.");
}
