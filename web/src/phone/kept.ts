import { session } from "../api/session.js";

const all = new Map<string, unknown>();

/** Keeps something of who is signed in. */
export async function keep(name: string, value: unknown): Promise<void> {
  all.set(`${session.userId} ${name}`, value);
}

/** What was kept; undefined for nothing. */
export async function kept<T>(name: string): Promise<T | undefined> {
  return all.get(`${session.userId} ${name}`) as T | undefined;
}
