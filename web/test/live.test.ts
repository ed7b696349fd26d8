import type { ClientOptions } from "graphql-ws";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

const { validateMessage } = await vi.importActual<typeof import("graphql-ws")>("graphql-ws");

/** A socket that the page opened. */
class Opened {
  hashes: string[] = [];
  disposed = false;
  readonly #sinks: { next: (result: object) => void }[] = [];
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  subscribe(
    payload: { extensions: { persistedQuery: { sha256Hash: string } } },
    sink: { next: (result: object) => void },
  ): () => void {
    validateMessage({ id: "1", type: "subscribe", payload }); // as it does before it sends it
    const hash = payload.extensions.persistedQuery.sha256Hash;
    this.hashes.push(hash);
    this.#sinks.push(sink);
    return () => this.hashes.splice(this.hashes.indexOf(hash), 1);
  }

  dispose(): void {
    this.disposed = true;
    this.lose(1000);
  }

  async token(): Promise<string> {
    const parameters = await (this.#options.connectionParams as () => Promise<{ Authorization: string }>)();
    return parameters.Authorization;
  }

  acknowledge(): void {
    this.#options.on?.connected?.({}, undefined, false);
  }

  event(): void {
    for (const s of this.#sinks) s.next({ data: {} });
  }

  lose(code: number): void {
    this.#options.on?.closed?.(new CloseEvent("close", { code }));
  }
}

const opened: Opened[] = [];
vi.mock("graphql-ws", () => ({
  createClient: (options: ClientOptions) => {
    const socket = new Opened(options);
    opened.push(socket);
    return socket;
  },
}));

const session = vi.hoisted(() => ({
  userId: "7",
  ends: 0,
  refused: [] as string[],
  async token(refused = "") {
    if (refused) session.refused.push(refused);
    return `token-${session.refused.length}`;
  },
  renewal: (valid: number) => session.ends - valid,
}));
vi.mock("../src/api/session.js", () => ({ session }));

vi.stubGlobal(
  "CloseEvent",
  class extends Event {
    readonly code: number;
    constructor(type: string, init: { code: number }) {
      super(type);
      this.code = init.code;
    }
  },
);

const { live } = await import("../src/api/live.js");
const { Following } = await import("../src/parts/live.js");

const operation = { name: "Follow", kind: "subscription", hash: "ab" } as const;
const socket = (i: number): Opened => opened[i] as Opened;
let heard: string[];
let end: () => void;

const follow = () =>
  live.follow(
    operation,
    () => heard.push("changed"),
    (is) => heard.push(is ? "live" : "lost"),
  );

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("window", globalThis);
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  opened.length = 0;
  heard = [];
  session.refused.length = 0;
  session.ends = Date.now() + 900_000;
  end = follow();
});

afterEach(() => {
  end();
  vi.useRealTimers();
});

test("a page reads anew once its socket is open, and after each event", async () => {
  expect(socket(0).hashes).toEqual([operation.hash]);
  expect(await socket(0).token()).toBe("Bearer token-0");
  socket(0).acknowledge();
  socket(0).event();
  expect(heard).toEqual(["live", "changed", "changed"]);
});

test("all that a tab follows shares a socket, which nobody leaves open", () => {
  socket(0).acknowledge();
  const other = follow();
  expect([opened.length, socket(0).hashes.length]).toEqual([1, 2]);
  other();
  expect([socket(0).disposed, socket(0).hashes.length]).toEqual([false, 1]);
  end();
  expect(socket(0).disposed).toBe(true);
  vi.advanceTimersByTime(3_600_000);
  expect(opened.length).toBe(1);
});

test("who begins to follow while a socket is being opened is on it too", () => {
  const other = follow();
  expect([opened.length, socket(0).hashes.length]).toEqual([1, 2]);
  other();
  expect(socket(0).hashes.length).toBe(1);
});

test("a new socket is open before the token of the old one ends", () => {
  socket(0).acknowledge();
  heard.length = 0;
  vi.advanceTimersByTime(839_000);
  expect(opened.length).toBe(1);
  vi.advanceTimersByTime(1_000);
  expect([opened.length, socket(0).disposed]).toEqual([2, false]);
  session.ends += 840_000;
  socket(1).acknowledge();
  expect([socket(0).disposed, socket(1).hashes.length]).toEqual([true, 1]);
  expect(heard).toEqual(["live"]);
});

test("a lost socket is opened again, ever later, and then the page reads anew", () => {
  socket(0).acknowledge();
  heard.length = 0;
  socket(0).lose(1006);
  expect(heard).toEqual(["lost"]);
  for (const [i, wait] of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000].entries()) {
    vi.advanceTimersByTime(wait - 1);
    expect(opened.length).toBe(i + 1);
    vi.advanceTimersByTime(1);
    expect(opened.length).toBe(i + 2);
    if (wait < 30_000 || i === 5) socket(i + 1).lose(4500);
  }
  heard.length = 0;
  socket(7).acknowledge();
  expect(heard).toEqual(["live", "changed"]);
});

test("a token that a socket refuses is replaced", async () => {
  await socket(0).token();
  socket(0).lose(4403);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(session.refused).toEqual(["token-0"]);
  expect(await socket(1).token()).toBe("Bearer token-1");
});

test("a page without a network is not live, and does not wait once it is back", () => {
  socket(0).acknowledge();
  heard.length = 0;
  dispatchEvent(new Event("offline"));
  expect([socket(0).disposed, heard]).toEqual([true, ["lost"]]);
  dispatchEvent(new Event("online"));
  socket(1).acknowledge();
  expect(heard).toEqual(["lost", "live", "changed"]);
});

test("an element reads at most once in 2 s, and after the last event", () => {
  socket(0).acknowledge();
  const read = vi.fn();
  const host = { addController() {}, removeController() {}, requestUpdate() {}, updateComplete: Promise.resolve(true) };
  const following = new Following(host, operation, read);
  following.hostConnected();
  vi.advanceTimersByTime(2_000);
  expect(read).toHaveBeenCalledTimes(1); // what the host read itself may be older than the subscription
  for (let i = 0; i < 100; i++) {
    socket(0).event();
    vi.advanceTimersByTime(50);
  }
  expect(read.mock.calls.length).toBeLessThanOrEqual(4);
  const before = read.mock.calls.length;
  vi.advanceTimersByTime(2_000);
  expect(read.mock.calls.length).toBe(before + 1);
  vi.advanceTimersByTime(60_000);
  expect(read.mock.calls.length).toBe(before + 1);
  following.hostDisconnected();
});
