import { session } from "../api/session.js";

/** Names what somebody wrote and did not send: in this tab, of this person. */
function key(name: string): string {
  return `wf-draft ${session.userId ?? ""} ${name}`;
}

/** What was written under a name; it survives a reload and the end of the session. */
export function draft(name: string): string {
  return sessionStorage.getItem(key(name)) ?? "";
}

/** Keeps what is written under a name; "" forgets it. */
export function keepDraft(name: string, text: string): void {
  if (text === "") sessionStorage.removeItem(key(name));
  else sessionStorage.setItem(key(name), text);
}
