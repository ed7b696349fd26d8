/** What tells until when a ticket is answered and resolved. */
export interface Clocked {
  readonly status: "open" | "in_progress" | "resolved" | "closed";
  readonly respondBy?: string | null;
  readonly respondedAt?: string | null;
  readonly resolveBy?: string | null;
  readonly resolvedAt?: string | null;
  readonly heldAt?: string | null;
}

/** A clock of a ticket. seconds are left until it is due, less than 0 where that has passed. */
export interface Clock {
  readonly what: "answer" | "resolution";
  readonly state: "runs" | "met" | "held";
  readonly seconds: number;
}

/** The clock of the answer and that of the resolution, those that it has, at an instant in milliseconds. */
export function clocksOf(t: Clocked, now: number): Clock[] {
  const clocks: Clock[] = [];
  const ended = t.resolvedAt ?? undefined;
  const answered = t.respondedAt ?? ended;
  if (t.respondBy) clocks.push(clock("answer", t.respondBy, answered, now));
  if (t.heldAt && ended === undefined) clocks.push({ what: "resolution", state: "held", seconds: 0 });
  else if (t.resolveBy) clocks.push(clock("resolution", t.resolveBy, ended, now));
  return clocks;
}

function clock(what: Clock["what"], due: string, met: string | undefined, now: number): Clock {
  const at = met === undefined ? now : Date.parse(met);
  return { what, state: met === undefined ? "runs" : "met", seconds: Math.floor((Date.parse(due) - at) / 1000) };
}

/** The clock that matters most: of those that run the one that is due first, else that it is on hold. */
export function pressing(t: Clocked, now: number): Clock | undefined {
  const clocks = clocksOf(t, now);
  const running = clocks.filter((c) => c.state === "runs").sort((a, b) => a.seconds - b.seconds);
  return running[0] ?? clocks.find((c) => c.state === "held");
}

/** Seconds in days and hours, or hours and minutes: the two greatest parts. */
export function parts(seconds: number): { readonly days: number; readonly hours: number; readonly minutes: number } {
  const minutes = Math.floor(Math.abs(seconds) / 60);
  return { days: Math.floor(minutes / 1440), hours: Math.floor(minutes / 60) % 24, minutes: minutes % 60 };
}
