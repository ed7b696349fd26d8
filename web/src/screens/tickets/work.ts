import type { Values } from "../../parts/form.js";
import type { NodeOf } from "../../parts/nodes.js";
import { workTexts } from "../../parts/work-texts.js";
import { may } from "../../router.js";
import type { StartQuery } from "../../shell.graphql.js";
import { texts } from "../../texts/texts.js";
import { type Clock, parts } from "./sla.js";
import { ticketsTexts } from "./texts.js";
import type {
  OpenTicketQuery,
  TicketsQuery,
  TicketsQueryVariables,
  UpdateTicketMutationVariables,
} from "./tickets.graphql.js";

export type Card = NodeOf<NonNullable<TicketsQuery["open"]>>;
export type Ticket = OpenTicketQuery["ticket"];
export type Status = Card["status"];
export type Where = NonNullable<TicketsQueryVariables["isOpen"]>;
export type TicketInput = UpdateTicketMutationVariables["input"];

/** In the order of the board. */
export const statuses: readonly Status[] = ["open", "in_progress", "resolved", "closed"];
export const priorities: readonly Card["priority"][] = ["low", "normal", "high", "urgent"];
/** In what a ticket concerns who looks, as the address names it. */
export const concerns = ["mine", "asked", "followed"] as const;

/** The statuses that a ticket may have next, its own among them. */
export function nextOf(status: Status, merged = false): readonly Status[] {
  if (status !== "closed") return statuses;
  return merged ? ["closed"] : ["open", "closed"];
}

/** The version that a change is based on, where tickets have one. */
export function versionOf(ticket: object): { readonly version?: number } {
  return "version" in ticket && typeof ticket.version === "number" ? { version: ticket.version } : {};
}

/** What the fields of a ticket have. `assignee` is who is to help, with the name, as JSON. */
export function valuesOf(ticket: Ticket): Values {
  const { version } = versionOf(ticket);
  return {
    ...(version !== undefined && { version: String(version) }),
    subject: ticket.subject,
    description: ticket.description ?? "",
    status: ticket.status,
    priority: ticket.priority,
    categoryId: ticket.category?.id ?? "",
    assignee: personText(ticket.assignee),
  };
}

/** A person as a form keeps them; "" is nobody. */
export function personText(person: { readonly id: string; readonly name: string } | null | undefined): string {
  return person ? JSON.stringify({ id: person.id, name: person.name }) : "";
}

export function personOf(text: string): { readonly id: string; readonly name: string } | undefined {
  return text === "" ? undefined : JSON.parse(text);
}

/** The members that fields tell, and no others: null for what was emptied. */
export function inputOf(fields: Values): TicketInput {
  const input: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (name === "assignee") input.assigneeId = personOf(value)?.id ?? null;
    else if (name === "version") input.version = Number(value);
    else if (name === "subject") input.subject = value.trim();
    else input[name] = value.trim() || null;
  }
  return input;
}

/** What the filters of an address ask for, beside the status; now is an instant. */
export function whereOf(q: URLSearchParams, me: string, now: string): Where[] {
  const id = (name: string): string | undefined =>
    /^[0-9]+$/.test(q.get(name) ?? "") ? (q.get(name) ?? "") : undefined;
  const [category, assignee] = [id("category"), id("assignee")];
  const priority = priorities.find((p) => p === q.get("priority"));
  const concerning: Record<(typeof concerns)[number], Where> = {
    mine: { hasAssigneeWith: [{ id: me }] },
    asked: { hasRequesterWith: [{ id: me }] },
    followed: { hasFollowersWith: [{ id: me }] },
  };
  const late: Where = {
    or: [
      { heldAtIsNil: true, resolveByLT: now },
      { respondedAtIsNil: true, respondByLT: now },
    ],
  };
  const concern = concerns.find((c) => c === q.get("concern"));
  return [
    ...(category ? [{ hasCategoryWith: [{ id: category }] }] : []),
    ...(assignee ? [{ hasAssigneeWith: [{ id: assignee }] }] : []),
    ...(priority ? [{ priority }] : []),
    ...(concern ? [concerning[concern]] : []),
    ...(q.has("late") ? [late] : []),
  ];
}

/** Whether who looks may change a ticket, as far as the page knows; the server decides. */
export function mayChange(start: StartQuery, ticket: Pick<Card, "requester" | "assignee">): boolean {
  if (may(start, ["ticket.write.team", "ticket.write.all"])) return true;
  const me = start.viewer.id;
  return may(start, "ticket.write") && (ticket.requester.id === me || ticket.assignee?.id === me);
}

/** Whether who looks may write internal notes, as far as the page knows. */
export function mayNote(start: StartQuery, ticket: Pick<Card, "requester" | "assignee">): boolean {
  const me = start.viewer.id;
  if (ticket.requester.id === me) return false;
  return ticket.assignee?.id === me || may(start, ["ticket.read.team", "ticket.read.all"]);
}

/** A clock in words: due in 2 h. */
export function clockWords(c: Clock): string {
  const t = ticketsTexts();
  if (c.state === "held") return t.held;
  if (c.state === "met" && c.seconds >= 0) return t.onTime;
  const time = span(c.seconds);
  return c.seconds < 0 ? t.lateBy(time) : t.dueIn(time);
}

/** A clock in words that says which one it is. */
export function namedClock(c: Clock): string {
  const t = ticketsTexts();
  if (c.state === "held") return t.held;
  return c.what === "answer" ? t.answerIn(clockWords(c)) : t.resolutionIn(clockWords(c));
}

/** Seconds in words: 3 d 4 h, 2 h 5 min, 2 h, 20 min. */
export function span(seconds: number): string {
  const { days, hours, minutes } = parts(seconds);
  if (days > 0) return workTexts().days(days, hours);
  if (hours === 0) return texts().time.minutes(minutes);
  return minutes === 0 ? workTexts().hoursOnly(hours) : texts().time.hours(hours, minutes);
}
