import { ask, otherPerson } from "../api/client.js";
import { knownAhead } from "../api/clock.js";
import { Fault } from "../api/fault.js";
import type { ClockInInput, ClockOutInput } from "../api/schema.js";
import { session } from "../api/session.js";
import { SendClockIn, SendClockOut } from "./clock.graphql.js";
import { countEvents, events, type Row, removeEvent, setEvent } from "./store.js";

/** A point of a face, normalized. */
export interface FacePoint {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** What somebody did at a clock: position in degrees, accuracy in metres, note of at most 250 characters. */
export interface ClockEvent {
  readonly kind: "in" | "out";
  readonly employeeShiftId: string;
  readonly addressId?: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly accuracy?: number;
  readonly faceLandmark?: readonly FacePoint[];
  readonly note?: string;
  /** The names of the shift and the site, for the person to read. */
  readonly shift: string;
  readonly site: string;
}

/** Why the server did not take an event, in the language in which it was recorded. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
}

/** A clock event that was not taken yet, as it is kept. */
export interface Recorded {
  /** Its Idempotency-Key. */
  readonly id: string;
  readonly event: ClockEvent;
  readonly language: string;
  /** When it was recorded, in milliseconds since 1970 by the clock of this device. */
  readonly clock: number;
  /** How far the server's clock was ahead of that, in milliseconds, where it was known. */
  readonly ahead?: number;
  /** When it was recorded, as the server is told with each sending; from the first one on. */
  readonly recordedAt?: string;
  readonly refused?: Refusal;
}

/** The channel by which tabs hear that the events that are kept are other ones. */
export const changes = "wf-clock";
/** The tag of the background sync that sends them. */
export const sync = "wf-clock";

/**
 * The codes of refusals that sending again does not change: those of the statuses 404, 409 and 422 with
 * which the server answers clock events, but IDEMPOTENCY_IN_PROGRESS. All else leaves an event as it is.
 */
const refusals = new Set([
  "NOT_FOUND",
  "CONFLICT",
  "ALREADY_CLOCKED_IN",
  "NOT_CLOCKED_IN",
  "VALIDATION_FAILED",
  "NO_SHIFT",
  "SHIFT_WINDOW_CLOSED",
  "LOCATION_NOT_ALLOWED",
  "OUTSIDE_ALLOWED_LOCATION",
  "LOW_ACCURACY",
  "POSITION_MOCKED",
  "POSITION_IMPLAUSIBLE",
  "DEVICE_NOT_ALLOWED",
  "FACE_REQUIRED",
  "FACE_INVALID",
  "FACE_MISMATCH",
  "FACE_REPLAYED",
  "RECORDED_AT_OUT_OF_RANGE",
  "IDEMPOTENCY_MISMATCH",
]);

/** For how long an answer is waited for, in milliseconds. */
const patience = 30_000;
/** How far off a clock is that the server flags, in milliseconds. */
const skewed = 180_000;

/** When an event was recorded, in milliseconds since 1970 by the server's clock as far as known. */
export function instant({ clock, ahead }: Recorded): number {
  return clock + (ahead ?? knownAhead() ?? 0);
}

/**
 * Sends the events of who is signed in, in the order in which they were recorded, one at a time over all
 * tabs and the service worker. Throws where one has to be sent again later; those after it then wait too.
 */
export async function sendWaiting(): Promise<void> {
  await navigator.locks.request("wf-clock", async () => {
    if ((await countEvents()) === 0) return; // and no session is asked for
    const { userId } = await session.access();
    for (let last = -1; ; ) {
      const next = (await events<Recorded>(userId)).filter((e) => e.place > last && !e.value.refused);
      if (next.length === 0) return;
      for (const row of next) {
        await settle(userId, row);
        last = row.place;
      }
    }
  });
}

/** Sends an event until it is taken, and removes it, or refused, and keeps why. Throws where neither is known. */
async function settle(userId: string, row: Row<Recorded>): Promise<void> {
  const recorded = dated(row.value);
  if (recorded !== row.value) await setEvent(userId, { place: row.place, value: recorded });
  const refused = await sendOne(userId, recorded);
  if (refused) await setEvent(userId, { place: row.place, value: { ...recorded, refused } });
  else await removeEvent(row.place);
  const told = new BroadcastChannel(changes);
  told.postMessage("");
  told.close();
}

/**
 * An event with the time that it is sent with from now on, always the same: by that the server knows it
 * again. Where this clock is behind by less than the server minds, it is not after what is sent as sentAt,
 * which would be a contradiction.
 */
function dated(recorded: Recorded): Recorded {
  if (recorded.recordedAt !== undefined) return recorded;
  const at = instant(recorded);
  const now = Date.now();
  const behind = at > now && at - recorded.clock < skewed;
  return { ...recorded, recordedAt: new Date(behind ? now : at).toISOString() };
}

/** Sends an event; undefined where it was taken. */
async function sendOne(userId: string, recorded: Recorded, key = recorded.id): Promise<Refusal | undefined> {
  const sentAt = new Date().toISOString();
  try {
    await send(recorded, sentAt, { key, userId, language: recorded.language, signal: AbortSignal.timeout(patience) });
    return undefined;
  } catch (error) {
    if (!(error instanceof Fault && refusals.has(error.code))) throw error;
    // Under its key an earlier sending was taken, or is under way, whose sentAt was another one: that it is
    // the same event the server knows by its recordedAt.
    const again = error.code === "IDEMPOTENCY_MISMATCH" && key === recorded.id;
    if (again) return await sendOne(userId, recorded, `${recorded.id} ${sentAt}`);
    return { code: error.code, message: error.message };
  }
}

/** Sends an event. Throws unless the server says that it is taken. */
async function send(recorded: Recorded, sentAt: string, options: Parameters<typeof ask>[2]): Promise<void> {
  const { kind, shift, site, latitude, longitude, ...members } = recorded.event;
  const input = {
    ...members,
    latitude: latitude.toFixed(7),
    longitude: longitude.toFixed(7),
    recordedAt: recorded.recordedAt,
    sentAt,
  };
  const taken =
    kind === "in"
      ? (await ask(SendClockIn, { input: input as ClockInInput }, options)).clockIn?.clockedIn
      : (await ask(SendClockOut, { input: input as ClockOutInput }, options)).clockOut?.clockedOut;
  if (taken !== true) throw new Fault("", { code: "INTERNAL" });
}

/** Whether a fault of sendWaiting passes by itself: not where nobody, or somebody else, is signed in. */
export function passes(error: unknown): boolean {
  return !(error instanceof Fault && (error.code === "UNAUTHENTICATED" || error.code === otherPerson));
}
