import { ask, type Operation } from "../api/client.js";
import { Fault, isPassing } from "../api/fault.js";
import type { FacePoint } from "../face/capture.js";

/** A clock-in or a clock-out. */
export interface ClockEvent {
  readonly kind: "in" | "out";
  readonly employeeShiftId: string;
  readonly addressId?: string;
  readonly latitude: number;
  readonly longitude: number;
  /** Metres. */
  readonly accuracy?: number;
  readonly faceLandmark?: readonly FacePoint[];
  readonly note?: string;
  readonly shift: string;
  readonly site: string;
}

/** An event that is to be sent, or that was refused. */
export interface Waiting {
  readonly id: string;
  readonly recordedAt: string;
  readonly event: Pick<ClockEvent, "kind" | "shift" | "site">;
  readonly refused?: { readonly code: string; readonly message: string };
}

type Send = Operation<unknown, { input: object }>;
const sends: Record<ClockEvent["kind"], Send> = {
  in: "mutation ClockIn($input: ClockInInput!) { clockIn(input: $input) { clockedIn } }",
  out: "mutation ClockOut($input: ClockOutInput!) { clockOut(input: $input) { clockedOut } }",
};

/** Events that wait, in this page alone. Dispatches "change". */
export class ClockQueue extends EventTarget {
  #all: Waiting[] = [];
  readonly #sent = new Map<string, Promise<void>>();

  async add(event: ClockEvent): Promise<Waiting> {
    const { kind, shift, site, ...input } = event;
    const waiting: Waiting = {
      id: crypto.randomUUID(),
      recordedAt: new Date().toISOString(),
      event: { kind, shift, site },
    };
    this.#all.push(waiting);
    this.#sent.set(waiting.id, this.#try(waiting, kind, input));
    return waiting;
  }

  async #try(waiting: Waiting, kind: ClockEvent["kind"], input: object): Promise<void> {
    try {
      await ask(sends[kind], { input }, { key: waiting.id });
      this.#all = this.#all.filter((w) => w !== waiting);
    } catch (error) {
      if (isPassing(error)) return await new Promise(() => {});
      const { code, message } = error instanceof Fault ? error : { code: "INTERNAL", message: "" };
      this.#all = this.#all.map((w) => (w === waiting ? { ...w, refused: { code, message } } : w));
    }
    this.dispatchEvent(new Event("change"));
  }

  async settled(id: string): Promise<Waiting | undefined> {
    await this.#sent.get(id);
    return this.#all.find((w) => w.id === id);
  }

  async list(): Promise<readonly Waiting[]> {
    return this.#all;
  }

  async seen(id: string): Promise<void> {
    this.#all = this.#all.filter((w) => w.id !== id);
    this.dispatchEvent(new Event("change"));
  }

  async send(): Promise<void> {}
}

export const clockQueue = new ClockQueue();
