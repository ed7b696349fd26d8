/** How far the server's clock is ahead of that of this device, in milliseconds. */
let ahead = 0;
/** What clocks differ by, in milliseconds, without it being worth a word: answers tell whole seconds, and take a while. */
const close = 60_000;

/** Notes the instant that an answer of the server has, as its Date header. */
export function heard(date: string | null): void {
  const off = Date.parse(date ?? "") - Date.now();
  if (!Number.isNaN(off)) ahead = Math.abs(off) > close ? off : 0;
}

/** What time it is for the server, in milliseconds: what waits and what is overdue goes by that. */
export function serverNow(): number {
  return Date.now() + ahead;
}
