import type { AuditEventWhereInput } from "../../api/schema.js";

/** A member of what was changed: what it was and became; undefined where it was not there. */
export interface Change {
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
}

function members(json: string | null | undefined): Record<string, unknown> {
  if (!json) return {};
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : { value };
  } catch {
    return { value: json };
  }
}

/** What an event changed, member by member, the changed ones first. */
export function changes(before: string | null | undefined, after: string | null | undefined): Change[] {
  const [was, is] = [members(before), members(after)];
  const all = [...new Set([...Object.keys(was), ...Object.keys(is)])].map((name) => ({
    name,
    before: was[name],
    after: is[name],
  }));
  const rank = (c: Change): number => (same(c) ? 1 : 0);
  return all.sort((a, b) => rank(a) - rank(b));
}

/** Whether a member is as it was. */
export function same(change: Change): boolean {
  return JSON.stringify(change.before) === JSON.stringify(change.after);
}

/** The name of what an event is about, where it tells one; "" otherwise. */
export function nameIn(before: string | null | undefined, after: string | null | undefined): string {
  const of = { ...members(before), ...members(after) };
  const name = of.name ?? of.title;
  return typeof name === "string" ? name : "";
}

/** A member such as business_id in words: business id. */
export function plain(name: string): string {
  return name.replaceAll("_", " ").replace(/^./, (c) => c.toLocaleUpperCase());
}

/** What kinds of events a choice stands for. */
export const kinds: Readonly<Record<string, AuditEventWhereInput>> = {
  created: { actionHasSuffix: ".created" },
  updated: { actionHasSuffix: ".updated" },
  deleted: { or: [{ actionHasSuffix: ".deleted" }, { actionHasSuffix: ".erased" }] },
  signIn: { actionIn: ["login.succeeded", "login.verified", "session.ended", "session.revoked"] },
  refused: {
    actionIn: [
      "login.failed",
      "login.throttled",
      "code.failed",
      "code.exhausted",
      "refresh.reused",
      "permission.denied",
      "clock_in.refused",
    ],
  },
  password: { actionHasPrefix: "password." },
  device: { actionHasPrefix: "device." },
  read: { actionIn: ["coordinates.read", "user.exported", "company.exported"] },
};
