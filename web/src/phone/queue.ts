import { knownAhead } from "../api/clock.js";
import { Fault } from "../api/fault.js";
import { language } from "../texts/texts.js";
import { person } from "./kept.js";
import {
  type ClockEvent,
  changes,
  instant,
  passes,
  type Recorded,
  type Refusal,
  sendWaiting,
  sync,
} from "./sending.js";
import { addEvent, events, type Row, removeEvent } from "./store.js";

export type { ClockEvent, FacePoint } from "./sending.js";

/** A clock event that the server has not taken. */
export interface Waiting {
  readonly id: string;
  /** An instant, as ISO 8601, by the server's clock as far as it is known. */
  readonly recordedAt: string;
  readonly event: Pick<ClockEvent, "kind" | "shift" | "site" | "employeeShiftId" | "addressId" | "note">;
  /** Why the server refused it, until the person has seen that. */
  readonly refused?: Refusal;
}

/** The first and the longest time after which sending is tried again, in milliseconds. */
const soon = 2_000;
const late = 300_000;

/**
 * The clock events of this phone that the server has not taken. They stay, sealed, over reloads, restarts
 * and sign-outs until the server takes them, or refuses them and the person has seen why. Dispatches
 * "change" in every tab, and in its own where sending failed.
 */
export class ClockQueue extends EventTarget {
  readonly #tabs = new BroadcastChannel(changes);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;

  constructor() {
    super();
    this.#tabs.onmessage = () => this.dispatchEvent(new Event("change"));
  }

  /** Whether the last sending of this tab failed, and what waits is sent again later. */
  get stuck(): boolean {
    return this.#failures > 0;
  }

  /** Hears and sends nothing more. */
  close(): void {
    this.#tabs.close();
    clearTimeout(this.#timer);
  }

  /** Keeps an event of who is signed in, and then begins to send it. Throws UNAUTHENTICATED where nobody is. */
  async add(event: ClockEvent): Promise<Waiting> {
    const whose = await person();
    if (whose === "") throw new Fault("", { code: "UNAUTHENTICATED" });
    const ahead = knownAhead();
    const recorded: Recorded = {
      id: crypto.randomUUID(),
      event,
      language: language(),
      clock: Date.now(),
      ...(ahead !== undefined && { ahead }),
    };
    await addEvent(whose, recorded);
    this.#tell();
    void this.send();
    void sendInBackground();
    return waiting(recorded);
  }

  /** Resolves once the server has taken an event, with undefined, or refused it. */
  async settled(id: string): Promise<Waiting | undefined> {
    for (;;) {
      const changed = new Promise((done) => this.addEventListener("change", done, { once: true }));
      const found = (await this.list()).find((w) => w.id === id);
      if (!found || found.refused) return found;
      await changed;
    }
  }

  /** The events of who is signed in, or was last while that cannot be asked, oldest first. */
  async list(): Promise<readonly Waiting[]> {
    return (await this.#rows()).map((row) => waiting(row.value));
  }

  /** Removes a refused event, since the person has seen why. */
  async seen(id: string): Promise<void> {
    const row = (await this.#rows()).find((r) => r.value.id === id && r.value.refused);
    if (row) await removeEvent(row.place);
    this.#tell();
  }

  /** Sends what waits now, and where that fails, again by itself. */
  async send(): Promise<void> {
    clearTimeout(this.#timer);
    try {
      await sendWaiting();
      this.#failures = 0;
    } catch (error) {
      if (!passes(error)) return; // a sign-in sends again
      const asked = error instanceof Fault ? error.retryAfter * 1_000 : 0;
      const wait = Math.max(asked, Math.min(soon * 2 ** this.#failures++, late));
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.send(), wait);
      this.dispatchEvent(new Event("change"));
    }
  }

  async #rows(): Promise<Row<Recorded>[]> {
    const whose = await person();
    return whose === "" ? [] : await events<Recorded>(whose);
  }

  #tell(): void {
    this.#tabs.postMessage("");
    this.dispatchEvent(new Event("change"));
  }
}

/** Has the service worker send, too, once there is a network, where the browser can do that. */
async function sendInBackground(): Promise<void> {
  const registration: Background | undefined = await navigator.serviceWorker?.ready;
  await registration?.sync?.register(sync).catch(() => {}); // not allowed: the app sends when it opens
}

/** Background Sync, which not all browsers have. */
interface Background extends ServiceWorkerRegistration {
  readonly sync?: { readonly register: (tag: string) => Promise<void> };
}

function waiting(recorded: Recorded): Waiting {
  const { kind, shift, site, employeeShiftId, addressId, note } = recorded.event;
  return {
    id: recorded.id,
    recordedAt: recorded.recordedAt ?? new Date(instant(recorded)).toISOString(),
    event: { kind, shift, site, employeeShiftId, ...(addressId && { addressId }), ...(note && { note }) },
    ...(recorded.refused && { refused: recorded.refused }),
  };
}

export const clockQueue = new ClockQueue();
