/** Where the difference is kept in this browser, so that it is known after a start without a network. */
const kept = "wf-ahead";
/** What clocks differ by, in milliseconds, without it being worth a word: answers tell whole seconds. */
const close = 60_000;

/** How far the server's clock is ahead of that of this device, in milliseconds; undefined until the server was heard. */
let ahead = numberOf(globalThis.localStorage?.getItem(kept)); // a service worker has no such storage

function numberOf(text: string | null | undefined): number | undefined {
  const number = Number.parseInt(text ?? "", 10);
  return Number.isNaN(number) ? undefined : number;
}

/**
 * Notes the instant that an answer of the server has, as its Date header: it lies between when it
 * was asked and when it answered, in milliseconds since 1970 by the clock of this device.
 */
export function heard(date: string | null, asked = Date.now(), answered = Date.now()): void {
  const at = Date.parse(date ?? "");
  if (Number.isNaN(at)) return;
  const off = Math.min(at - asked, 0) + Math.max(at - answered, 0);
  const next = Math.abs(off) > close ? off : 0;
  if (ahead !== undefined && Math.abs(next - ahead) <= 1_000) return; // whole seconds
  ahead = next;
  globalThis.localStorage?.setItem(kept, String(next));
}

/** The last known difference to the server's clock, in milliseconds; undefined until the server was heard. */
export function knownAhead(): number | undefined {
  return ahead;
}

/** What time it is for the server, in milliseconds: what waits and what is overdue goes by that. */
export function serverNow(): number {
  return Date.now() + (ahead ?? 0);
}
