import { nodes } from "../../parts/nodes.js";
import { clock } from "../../parts/time.js";
import type { Waiting } from "../../phone/queue.js";
import { flagged } from "../clock-events.js";
import type { ClockQuery } from "./clock.graphql.js";
import type { Sent } from "./clock.js";
import { meTexts } from "./texts.js";

/** What the server has of an event. */
interface Answer {
  /** An instant. */
  readonly at: string;
  readonly flags: readonly string[];
}

/** The last event of this phone, and what is known of it. */
export interface Last {
  readonly sent: Sent;
  /** The zone that its time is told in. */
  readonly zone: string;
  /** Where it went without a face: whether the server misses one. */
  readonly faceless?: "missed" | "fine" | undefined;
  readonly state: "waits" | "refused" | "taken";
  /** Once that was read after it was taken. */
  readonly answer?: Answer;
}

/** An event that waits, as one that the server knows nothing of. */
export function sentOf({ id, recordedAt, event }: Waiting): Sent {
  const { kind, employeeShiftId, addressId = "" } = event;
  return { id, kind, employeeShiftId, addressId, at: recordedAt };
}

/**
 * The last event after the queue changed, with what waits now, which may be a later one of another tab: it waits,
 * was refused, or was taken once it waits no more. Undefined for none, and once its refusal was seen.
 */
export function followed(last: Last | undefined, waiting: readonly Waiting[], zone: string): Last | undefined {
  const newest = waiting.filter((w) => !w.refused).at(-1);
  if (!last || (newest && newest.id !== last.sent.id && newest.recordedAt >= last.sent.at))
    return newest && { sent: sentOf(newest), zone, state: "waits" };
  const found = waiting.find((w) => w.id === last.sent.id);
  if (found) return { ...last, state: found.refused ? "refused" : "waits" };
  return last.state === "refused" ? undefined : { ...last, state: "taken" };
}

/** What the server has of the last event, which it took before this was read. */
export function answerOf(read: ClockQuery, { sent }: Last): Answer {
  const newest = nodes(read.attendances)[0];
  const [at, flags] =
    sent.kind === "in"
      ? [newest?.clockedInAt, newest?.clockedInFlags]
      : [newest?.clockedOutAt, newest?.clockedOutFlags];
  return at ? { at, flags: flags ?? [] } : { at: sent.at, flags: [] };
}

/** What became of the last event, in sentences; none where it was refused, which is told with the reason. */
export function outcome(last: Last, sending: boolean): string[] {
  const t = meTexts().clock;
  const { sent, zone, state, answer } = last;
  if (state === "refused") return [];
  const isIn = sent.kind === "in";
  if (state === "taken") {
    const done = (isIn ? t.doneIn : t.doneOut)(clock(answer?.at ?? sent.at, zone));
    const noted = answer && answer.flags.length > 0 ? t.flagged(flagged(answer.flags)) : "";
    return [done, face(last), noted].filter((s) => s !== "");
  }
  const recorded = (isIn ? t.recordedIn : t.recordedOut)(clock(sent.at, zone));
  return [recorded, sending ? t.sending : t.later, face(last)].filter((s) => s !== "");
}

/** That an event has no face, and what follows. */
function face({ faceless, state, answer }: Last): string {
  const t = meTexts().clock;
  if (!faceless) return "";
  if (faceless === "fine") return t.facelessFine;
  return state === "taken" && answer ? t.faceless : t.facelessMissed;
}
