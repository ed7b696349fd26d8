import "fake-indexeddb/auto";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { heard } from "../src/api/clock.js";
import { session } from "../src/api/session.js";
import { erase, keep, kept, remember } from "../src/phone/kept.js";
import { type ClockEvent, ClockQueue } from "../src/phone/queue.js";

/** A clock event as the server got it. */
interface Sent {
  readonly kind: string;
  readonly key: string;
  readonly token: string;
  readonly recordedAt: string;
  readonly sentAt: string;
  readonly note: string;
}

const noon = Date.parse("2026-03-10T05:00:00Z");
const event: ClockEvent = {
  kind: "in",
  employeeShiftId: "7",
  addressId: "1",
  latitude: -6.2,
  longitude: 106.816666,
  accuracy: 12.5,
  shift: "Pagi",
  site: "Kantor Pusat",
};
const out: ClockEvent = { ...event, kind: "out" };

let queue: ClockQueue;
let sent: Sent[];
/** How far the server's clock is ahead of that of the phone, in milliseconds. */
let ahead: number;
let user: string;
/** What is answered to clock events instead: to one after the other, or to each. Undefined for no answer. */
let answers: (() => Response | undefined)[];
let always: (() => Response | undefined) | undefined;

const dated = (body: unknown, status = 200, headers = {}) =>
  Response.json(body, { status, headers: { Date: new Date(Date.now() + ahead).toUTCString(), ...headers } });
const refusal = (code: string, status = 200, headers = {}) => {
  const errors = [{ message: `It is ${code}.`, extensions: { code } }];
  return () => dated({ data: null, errors }, status, headers);
};
const html = (status: number) => () => new Response("<h1>Please sign in to this network</h1>", { status });
const unanswered = () => undefined;

let tokens = 0;
async function serve(url: string, init: RequestInit): Promise<Response> {
  if (url.startsWith("/app/session/")) {
    if (user === "") return dated({ code: "UNAUTHENTICATED", detail: "Sign in." }, 401);
    return dated({ state: "signed_in", userId: user, accessToken: `${user}-${++tokens}`, expiresIn: 900 });
  }
  const { operationName, variables } = JSON.parse(String(init.body));
  const headers = new Headers(init.headers);
  const kind = operationName === "SendClockIn" ? "in" : "out";
  const { recordedAt, sentAt, note } = variables.input;
  const key = JSON.parse(headers.get("Idempotency-Key") ?? '""');
  sent.push({ kind, key, token: headers.get("Authorization") ?? "", recordedAt, sentAt, note });
  const next = always ?? answers.shift();
  const answer = next
    ? next()
    : dated({ data: kind === "in" ? { clockIn: { clockedIn: true } } : { clockOut: { clockedOut: true } } });
  if (!answer) throw new TypeError("no network");
  return answer;
}

/** Signs a person in, in place of who was. */
async function signIn(id: string): Promise<void> {
  user = id;
  await session.signIn("", "");
}

/** Adds an event, which is sent meanwhile. */
async function added(what: ClockEvent): Promise<string> {
  const { id } = await queue.add(what);
  await queue.send();
  return id;
}

const pass = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: noon });
  vi.stubGlobal("fetch", serve);
  sent = [];
  answers = [];
  always = undefined;
  ahead = 0;
  heard(new Date(noon).toUTCString());
  await signIn("7");
  queue = new ClockQueue();
});

afterEach(async () => {
  always = undefined;
  await queue.send();
  for (const w of await queue.list()) await queue.seen(w.id);
  expect(await queue.list()).toEqual([]);
  queue.close();
  vi.useRealTimers();
});

test("an event that the server takes is removed", async () => {
  const recorded = await queue.add({ ...event, note: "late bus" });
  expect(recorded).toEqual({
    id: expect.any(String),
    recordedAt: "2026-03-10T05:00:00.000Z",
    event: {
      kind: "in",
      shift: "Pagi",
      site: "Kantor Pusat",
      employeeShiftId: "7",
      addressId: "1",
      note: "late bus",
    },
  });
  expect(await queue.settled(recorded.id)).toBeUndefined();
  expect(await queue.list()).toEqual([]);
  expect(sent).toMatchObject([
    {
      kind: "in",
      key: recorded.id,
      recordedAt: recorded.recordedAt,
      sentAt: "2026-03-10T05:00:00.000Z",
      note: "late bus",
    },
  ]);
});

test("what could not be sent is told, until it is sent", async () => {
  always = unanswered;
  const { id } = await queue.add(event);
  await new Promise<void>((done) =>
    queue.addEventListener("change", () => {
      if (queue.stuck) done();
    }),
  );
  expect((await queue.list()).map((w) => w.id)).toEqual([id]);
  always = undefined;
  await queue.send();
  expect(queue.stuck).toBe(false);
});

test.each([
  ["no network", unanswered],
  ["a network that wants a sign-in", html(200)],
  ["the page of a proxy", html(502)],
  ["a server that is overloaded", refusal("UNAVAILABLE", 503)],
  ["too many requests", refusal("RATE_LIMITED", 429)],
  ["an earlier sending that still runs", refusal("IDEMPOTENCY_IN_PROGRESS")],
  ["a fault of the server", refusal("INTERNAL")],
  ["what may be allowed later", refusal("FORBIDDEN")],
  ["an error of something between", () => dated({ errors: [{ message: "Conflict" }] }, 409)],
  ["a page that says not found", html(404)],
  ["an answer without the word", () => dated({ data: { clockIn: { clockedIn: null } } })],
  ["an answer of nothing", () => dated({ data: { clockIn: null } })],
  ["an answer that is null", () => dated(null)],
])("%s leaves an event as it is, and those after it", async (_name, answer) => {
  always = answer;
  const id = await added(event);
  await queue.add(out);
  await queue.send();
  expect(sent.map((s) => s.kind)).not.toContain("out");
  expect(await queue.list()).toMatchObject([{ id, event: { kind: "in" } }, { event: { kind: "out" } }]);
  expect((await queue.list())[0]).not.toHaveProperty("refused");
  always = undefined;
  pass(600_000);
  const before = sent.length;
  await queue.send();
  expect(await queue.list()).toEqual([]);
  expect(sent.slice(before)).toMatchObject([
    { kind: "in", key: id, recordedAt: "2026-03-10T05:00:00.000Z", sentAt: "2026-03-10T05:10:00.000Z" },
    { kind: "out", recordedAt: "2026-03-10T05:00:00.000Z", sentAt: "2026-03-10T05:10:00.000Z" },
  ]);
});

test.each(["NOT_FOUND", "CONFLICT", "ALREADY_CLOCKED_IN", "NOT_CLOCKED_IN", "OUTSIDE_ALLOWED_LOCATION"])(
  "%s stays until the person has seen it, and holds up nothing",
  async (code) => {
    answers = [refusal(code)];
    const { id } = await queue.add(event);
    const refused = { code, message: `It is ${code}.` };
    expect(await queue.settled(id)).toMatchObject({ id, refused });
    const next = await queue.add(out);
    expect(await queue.settled(next.id)).toBeUndefined();
    expect(await queue.list()).toMatchObject([{ id, refused }]);
    expect(sent.length).toBe(2); // it is not sent again
    await queue.seen(id);
    expect(await queue.list()).toEqual([]);
  },
);

test("an event that waits cannot be seen away", async () => {
  always = unanswered;
  const id = await added(event);
  await queue.seen(id);
  expect(await queue.list()).toMatchObject([{ id }]);
});

test("what was taken before its answer was lost is sent under another key, with the same time", async () => {
  always = unanswered;
  const id = await added(event);
  always = undefined;
  answers = [refusal("IDEMPOTENCY_MISMATCH")];
  pass(5_000);
  await queue.send();
  expect(await queue.list()).toEqual([]);
  const { key, recordedAt } = sent.at(-1) as Sent;
  expect(key).toMatch(new RegExp(`^${id} `));
  expect(recordedAt).toBe("2026-03-10T05:00:00.000Z");
});

test("a token that was refused is replaced", async () => {
  answers = [refusal("UNAUTHENTICATED", 401)];
  const { id } = await queue.add(event);
  expect(await queue.settled(id)).toBeUndefined();
  expect(sent.map((s) => s.key)).toEqual([id, id]);
  expect(sent[0]?.token).not.toBe(sent[1]?.token);
});

test("events wait for their person, however the session ends", async () => {
  answers = [refusal("UNAUTHENTICATED", 401)];
  user = "";
  await added(event);
  expect(session.userId).toBeUndefined();
  await signIn("8");
  await queue.send();
  expect(await queue.list()).toEqual([]); // they are not shown to another person
  const other = await queue.add(out);
  expect(await queue.settled(other.id)).toBeUndefined();
  expect(sent.map((s) => s.kind)).toEqual(["in", "out"]);
  await signIn("7");
  await queue.send();
  expect(await queue.list()).toEqual([]);
  expect(sent.at(-1)).toMatchObject({ kind: "in", token: expect.stringMatching(/^Bearer 7-/) });
});

test("no token of another person is used, whenever they sign in", async () => {
  answers = [refusal("UNAUTHENTICATED", 401)];
  user = "8"; // in another tab, while the event is on its way
  await added(event);
  expect(sent.map((s) => s.token)).toEqual([expect.stringMatching(/^Bearer 7-/)]);
  await signIn("7");
  expect(await queue.list()).toMatchObject([{ event: { kind: "in" } }]);
});

test("tabs send one at a time, in order, each event once", async () => {
  always = unanswered;
  await added({ ...event, note: "0" });
  for (let i = 1; i < 10; i++) await queue.add({ ...(i % 2 ? out : event), note: String(i) });
  await queue.send();
  always = undefined;
  sent = [];
  const tabs = [queue, new ClockQueue(), new ClockQueue()];
  await Promise.all(tabs.map((t) => t.send()));
  expect(sent.map((s) => s.note)).toEqual(["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]);
  for (const t of tabs.slice(1)) t.close();
});

test("a tab hears what another one did", async () => {
  const other = new ClockQueue();
  const changed = new Promise((done) => other.addEventListener("change", done, { once: true }));
  const { id } = await queue.add(event);
  await changed;
  await queue.settled(id);
  other.close();
});

test.each([
  ["an hour behind", 3_600_000],
  ["an hour ahead", -3_600_000],
])("a clock %s gives right times", async (_name, off) => {
  ahead = off;
  heard(new Date(noon + off).toUTCString());
  always = unanswered;
  await added(event);
  always = undefined;
  pass(900_000);
  await queue.send();
  const { recordedAt, sentAt } = sent.at(-1) as Sent;
  expect(Date.parse(recordedAt) - off).toBe(noon);
  expect(Date.parse(sentAt)).toBe(noon + 900_000); // as the phone says
});

test("a clock that is little behind contradicts itself in nothing", async () => {
  ahead = 90_000;
  heard(new Date(noon + ahead).toUTCString());
  await added(event);
  expect(sent[0]?.recordedAt).toBe(sent[0]?.sentAt);
});

test("the difference of the clocks is known after a restart", async () => {
  heard(new Date(noon + 3_600_000).toUTCString());
  vi.resetModules();
  const { knownAhead, heard: hear } = await import("../src/api/clock.js");
  expect(knownAhead()).toBe(3_600_000);
  hear(new Date(noon).toUTCString());
  expect(knownAhead()).toBe(0);
});

test("sending is tried again later and later, and not before the server wants it", async () => {
  const waits = vi.spyOn(globalThis, "setTimeout");
  const asked = () => waits.mock.calls.map((c) => c[1] ?? 0).filter((ms) => ms >= 1_000 && ms !== 30_000);
  always = unanswered;
  await added(event);
  for (let i = 0; i < 2; i++) await queue.send();
  expect(asked()).toEqual([2_000, 4_000, 8_000, 16_000]);
  always = refusal("RATE_LIMITED", 429, { "Retry-After": "120" });
  await queue.send();
  expect(asked().at(-1)).toBe(120_000);
  waits.mockRestore();
});

test("what is kept is sealed", async () => {
  always = unanswered;
  await added({ ...event, note: "a secret note" });
  await keep("today", { shift: "a secret shift" });
  const db = await new Promise<IDBDatabase>((done) => {
    const asked = indexedDB.open("wf-phone");
    asked.onsuccess = () => done(asked.result);
  });
  let all = "";
  for (const name of db.objectStoreNames) {
    const values = await new Promise<Record<string, unknown>[]>((done) => {
      const asked = db.transaction(name).objectStore(name).getAll();
      asked.onsuccess = () => done(asked.result);
    });
    expect(values.length).toBeGreaterThan(0);
    for (const v of values) {
      if (name === "keys") expect((v as unknown as CryptoKey).extractable).toBe(false);
      else all += Buffer.from(v.text as ArrayBuffer).toString("latin1") + JSON.stringify(v);
    }
  }
  expect(all).not.toMatch(/secret|Pagi|Kantor|Bearer/);
  db.close();
});

test("snapshots are of one person, until their session is over", async () => {
  await remember("7");
  await keep("today", { shift: "Pagi" });
  expect(await kept("today")).toEqual({ shift: "Pagi" });
  await session.signOut();
  expect(await kept("today")).toEqual({ shift: "Pagi" }); // as after a start without a network
  await erase();
  expect(await kept("today")).toBeUndefined();
  await keep("today", { shift: "Malam" }); // of nobody
  await signIn("7");
  expect(await kept("today")).toBeUndefined();
  expect(await remember("7")).toBe(false);
  await keep("today", { shift: "Pagi" });
  expect(await remember("8")).toBe(true); // whose page it was nobody said
  expect(await kept("today")).toBeUndefined();
  await erase();
});

test("nobody records nothing", async () => {
  await session.signOut();
  await expect(queue.add(event)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  await signIn("7");
});
