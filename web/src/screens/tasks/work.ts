import { byPath, pathOf } from "../../parts/categories.js";
import type { Values } from "../../parts/form.js";
import type { Option } from "../../parts/pick.js";
import { instantIn, localIn } from "../../parts/time.js";
import type { OpenTaskQuery, TaskChoicesQuery, TasksQuery, UpdateTaskMutationVariables } from "./tasks.graphql.js";

export type Card = NonNullable<TasksQuery["open"]>["nodes"][number];
export type Task = OpenTaskQuery["task"];
export type Status = Card["status"];
export type TaskInput = UpdateTaskMutationVariables["input"];

/** In the order of the board. */
export const statuses: readonly Status[] = ["open", "in_progress", "done", "cancelled"];
export const priorities: readonly Card["priority"][] = ["low", "normal", "high", "urgent"];

/** The statuses that a task may have next, its own among them. */
export function nextOf(status: Status): readonly Status[] {
  if (status === "cancelled") return ["open", "cancelled"];
  return status === "done" ? ["open", "in_progress", "done"] : statuses;
}

/** Whether it was to be done before an instant, in milliseconds, and is not. */
export function isOverdue(task: Pick<Card, "status" | "dueAt">, now: number): boolean {
  return (task.status === "open" || task.status === "in_progress") && !!task.dueAt && Date.parse(task.dueAt) < now;
}

/** The usual rules by which tasks are copied, by name; "" is none. */
export const rules = {
  never: "",
  daily: "FREQ=DAILY",
  weekdays: "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
  weekly: "FREQ=WEEKLY",
  fortnightly: "FREQ=WEEKLY;INTERVAL=2",
  monthly: "FREQ=MONTHLY",
  yearly: "FREQ=YEARLY",
} as const;

export type RuleName = keyof typeof rules | "own";

/** What a rule is called. */
export function ruleName(rule: string): RuleName {
  return (Object.keys(rules) as (keyof typeof rules)[]).find((name) => rules[name] === rule) ?? "own";
}

/** What the fields of a task have. `people` are its assignees with their names, as JSON. */
export function valuesOf(task: Task, zone: string): Values {
  const local = (instant: string | null | undefined): string => (instant ? localIn(zone, instant) : "");
  return {
    version: String(task.version),
    title: task.title,
    description: task.description ?? "",
    status: task.status,
    priority: task.priority,
    projectId: task.project?.id ?? "",
    categoryId: task.category?.id ?? "",
    people: peopleText(task.assignees),
    startAt: local(task.startAt),
    dueAt: local(task.dueAt),
    recurrence: task.recurrence ?? "",
    latitude: task.latitude ?? "",
    longitude: task.longitude ?? "",
  };
}

/** People as a form keeps them. */
export function peopleText(people: readonly Option[]): string {
  return people.length === 0 ? "" : JSON.stringify(people.map(({ id, name }) => ({ id, name })));
}

export function peopleOf(text: string | undefined): readonly Option[] {
  return text ? JSON.parse(text) : [];
}

/** The members that fields tell, and no others: null for what was emptied. */
export function inputOf(fields: Values, zone: string): TaskInput {
  const input: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (name === "people") input.assigneeIds = peopleOf(value).map((p) => p.id);
    else if (name === "startAt" || name === "dueAt") input[name] = value === "" ? null : instantIn(zone, value);
    else if (name === "version") input.version = Number(value);
    else if (name === "title") input.title = value.trim();
    else input[name] = value.trim() || null;
  }
  return input;
}

/** Categories as a choice has them; one below another names it. */
export function categoryOptions(list: TaskChoicesQuery["taskCategoryList"]): (readonly [string, string])[] {
  return byPath(list).map((c) => [c.id, pathOf(c)] as const);
}
