import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { duration, instant, period } from "../src/widgets/format.js";
import { Reader, type Wanted } from "../src/widgets/reader.js";
import { fixed, type Given, type Need, provided } from "../src/widgets/token.js";

/** A page that is seen or hidden. */
class Page extends EventTarget {
  visibilityState = "visible";
  become(state: "visible" | "hidden"): void {
    this.visibilityState = state;
    this.dispatchEvent(new Event("visibilitychange"));
  }
}

interface Asked {
  readonly url: string;
  readonly token: string;
  readonly tag: string | null;
  readonly at: number;
  readonly signal: AbortSignal;
}

/** What the server was asked, and what it answers. */
let asked: Asked[];
let answer: (a: Asked) => Response | Promise<Response>;
let page: Page;
const readers: Reader[] = [];

const now = Date.parse("2026-03-10T01:00:00Z");
const url = "https://wf.test/widget/tasks";
const need: Need = { widget: "tasks", userId: null, endpoint: "https://wf.test" };

/** The same answer for all who have its tag not. */
const usual = ({ tag }: Asked) =>
  tag === '"1"' ? new Response(null, { status: 304 }) : Response.json({ items: [] }, { headers: { ETag: '"1"' } });

const problem = (status: number, code: string, headers: Record<string, string> = {}) =>
  Response.json({ code, detail: `it is ${code}`, requestId: "r-1" }, { status, headers });

beforeEach(() => {
  vi.useFakeTimers({ now });
  vi.spyOn(Math, "random").mockReturnValue(0);
  page = new Page();
  vi.stubGlobal("document", page);
  asked = [];
  answer = usual;
  vi.stubGlobal("fetch", async (to: string, init: RequestInit) => {
    const headers = new Headers(init.headers);
    const signal = init.signal as AbortSignal;
    const token = headers.get("Authorization")?.slice("Bearer ".length) ?? "";
    const one = { url: to, token, tag: headers.get("If-None-Match"), at: Date.now() - now, signal };
    asked.push(one);
    const gone = new Promise<never>((_, refuse) =>
      signal.addEventListener("abort", () => refuse(new Error("aborted"))),
    );
    return await Promise.race([Promise.resolve(answer(one)), gone]);
  });
});

afterEach(() => {
  for (const r of readers.splice(0)) r.stop();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A reader that has begun. */
function reading(wanted: Partial<Wanted> = {}, changed = () => {}): Reader {
  const reader = new Reader(changed);
  readers.push(reader);
  reader.want({ url, language: "en", source: fixed("wfw_1"), ...wanted });
  reader.start();
  return reader;
}

const seconds = (n: number) => vi.advanceTimersByTimeAsync(n * 1000);
const times = () => asked.map((a) => Math.round(a.at / 1000));

test("equal requests are sent once, those of another address, token or language by themselves", async () => {
  const first = [reading(), reading(), reading()];
  await seconds(1);
  expect(asked).toHaveLength(1);
  for (const r of first) expect(r.value).toEqual({ items: [] });
  const late = reading();
  await seconds(1);
  expect(late.value).toBe(first[0]?.value);
  expect(asked).toHaveLength(1);
  reading({ url: `${url}?limit=5` });
  reading({ source: fixed("wfw_2") });
  reading({ language: "id" });
  await seconds(1);
  expect(asked).toHaveLength(4);
  await seconds(30);
  expect(asked).toHaveLength(8);
});

test("what did not change is asked for by its tag, each 30 seconds, and changes nothing", async () => {
  const changed = vi.fn();
  const reader = reading({}, changed);
  await seconds(95);
  expect(times()).toEqual([0, 30, 60, 90]);
  expect(asked.map((a) => a.tag)).toEqual([null, '"1"', '"1"', '"1"']);
  expect(changed).toHaveBeenCalledTimes(1);
  answer = () => Response.json({ items: [1] }, { headers: { ETag: '"2"' } });
  await seconds(30);
  expect(reader.value).toEqual({ items: [1] });
  expect(changed).toHaveBeenCalledTimes(2);
});

test("a hidden page asks nothing, and at once when it is seen again after 30 seconds", async () => {
  reading();
  await seconds(10);
  page.become("hidden");
  await seconds(300);
  expect(times()).toEqual([0]);
  page.become("visible");
  await seconds(1);
  page.become("hidden");
  await seconds(10);
  page.become("visible");
  await seconds(25);
  expect(times()).toEqual([0, 310, 340]);
});

test("a page that is hidden from the start asks when it is seen", async () => {
  page.visibilityState = "hidden";
  reading();
  await seconds(60);
  expect(asked).toHaveLength(0);
  page.become("visible");
  await seconds(1);
  expect(times()).toEqual([60]);
});

test("the last one who stops takes the request along", async () => {
  answer = () => new Promise(() => {});
  const [a, b] = [reading(), reading()];
  await seconds(1);
  a.stop();
  expect(asked[0]?.signal.aborted).toBe(false);
  b.stop();
  expect(asked[0]?.signal.aborted).toBe(true);
  await seconds(120);
  expect(asked).toHaveLength(1);
  answer = usual;
  b.start();
  await seconds(1);
  expect(asked).toHaveLength(2);
});

test("what is wanted anew is read anew, and the answer to the earlier one is dropped", async () => {
  let late: (r: Response) => void = () => {};
  answer = () => new Promise((done) => (late = done));
  const reader = reading();
  await seconds(1);
  answer = () => Response.json({ items: ["new"] });
  reader.want({ url: `${url}?limit=5`, language: "en", source: fixed("wfw_1") });
  await seconds(1);
  late(Response.json({ items: ["old"] }));
  await seconds(1);
  expect(reader.value).toEqual({ items: ["new"] });
  reader.want({ url: `${url}?limit=5`, language: "en", source: fixed("wfw_2") });
  expect(reader.value).toBeUndefined(); // it may be another person's
});

test("after faults it waits longer each time, keeps what it has, and begins again", async () => {
  const reader = reading();
  await seconds(1);
  answer = () => problem(500, "INTERNAL");
  await seconds(600);
  expect(times()).toEqual([0, 30, 60, 120, 240, 480]);
  expect(reader.value).toEqual({ items: [] });
  expect(reader.fault).toMatchObject({ code: "INTERNAL", message: "it is INTERNAL", requestId: "r-1" });
  answer = usual;
  await seconds(180 + 30);
  expect(reader.fault).toBeUndefined();
  expect(times().slice(6)).toEqual([780, 810]);
});

test("no answer is a fault too, and so is one that does not come", async () => {
  answer = () => Promise.reject(new TypeError("Failed to fetch"));
  const reader = reading();
  await seconds(1);
  expect(reader.fault?.code).toBe("UNREACHABLE");
  answer = () => new Promise(() => {});
  await seconds(60);
  expect(asked[1]?.signal.aborted).toBe(true);
});

test("Retry-After is waited for, in seconds or until a time", async () => {
  answer = () => problem(429, "RATE_LIMITED", { "Retry-After": "100" });
  reading();
  await seconds(99);
  expect(times()).toEqual([0]);
  answer = () => problem(503, "UNAVAILABLE", { "Retry-After": new Date(now + 400_000).toUTCString() });
  await seconds(299);
  expect(times()).toEqual([0, 100]);
  await seconds(3);
  expect(times()).toEqual([0, 100, 400]);
});

test("what sending again does not change is not sent again, and no longer shown", async () => {
  for (const [status, code] of [
    [403, "FORBIDDEN"],
    [404, "NOT_FOUND"],
    [422, "VALIDATION_FAILED"],
    [401, "UNAUTHENTICATED"],
  ] as const) {
    answer = usual;
    asked = [];
    const reader = reading({ source: fixed(code) });
    await seconds(1);
    answer = () => problem(status, code);
    await seconds(1000);
    expect(asked).toHaveLength(2);
    expect(reader.value).toBeUndefined();
    expect(reader.fault?.code).toBe(code);
    answer = () => problem(503, "UNAVAILABLE", { "Retry-After": "3600" });
    reader.retry();
    await seconds(1);
    expect(reader.value).toBeUndefined(); // not what was seen before that
    answer = usual;
    reader.retry();
    await seconds(1);
    expect(reader.value).toEqual({ items: [] });
    reader.stop();
  }
});

/** A page that gives tokens: wfw_1, wfw_2, … each for some seconds. */
function giver(lives: number, needs: Need[] = []) {
  let nth = 0;
  return vi.fn(async (of: Need): Promise<Given> => {
    needs.push(of);
    return { token: `wfw_${++nth}`, expiresAt: new Date(Date.now() + lives * 1000).toISOString() };
  });
}

test("another token is asked for before one ends, once for all", async () => {
  const needs: Need[] = [];
  const provider = giver(600, needs);
  reading({ source: provided(provider, need) });
  reading({ source: provided(provider, { ...need }) });
  await seconds(535);
  expect(provider).toHaveBeenCalledTimes(1);
  await seconds(30);
  expect(provider).toHaveBeenCalledTimes(2);
  expect(new Set(asked.map((a) => a.token))).toEqual(new Set(["wfw_1", "wfw_2"]));
  expect(asked.filter((a) => a.token === "wfw_2").every((a) => a.tag === '"1"')).toBe(true);
  expect(asked).toHaveLength(19);
  expect(needs[0]).toEqual(need);
});

test("a token that lives shortly is replaced in the middle of its life, without another request", async () => {
  const provider = giver(80);
  reading({ source: provided(provider, need) });
  await seconds(39);
  expect(provider).toHaveBeenCalledTimes(1);
  await seconds(26);
  expect(provider).toHaveBeenCalledTimes(2);
  expect(asked.map((a) => a.token)).toEqual(["wfw_1", "wfw_1", "wfw_2"]);
  expect(times()).toEqual([0, 30, 60]);
  provider.mockClear();
  page.become("hidden");
  await seconds(300);
  expect(provider).not.toHaveBeenCalled();
});

test("a token is used until its end where the page gives no other one", async () => {
  const provider = giver(600);
  const reader = reading({ source: provided(provider, need) });
  await seconds(535);
  provider.mockRejectedValue(new Error("offline"));
  await seconds(60);
  expect(reader.fault).toBeUndefined();
  expect(provider.mock.calls.length).toBeGreaterThan(2);
  await seconds(10);
  expect(reader.fault?.code).toBe("NO_TOKEN");
  expect(asked.map((a) => a.token).every((t) => t === "wfw_1")).toBe(true);
});

test("tokens that have ended already are not asked for without pause", async () => {
  const provider = giver(-60);
  reading({ source: provided(provider, need) });
  await seconds(60);
  expect(provider).toHaveBeenCalledTimes(5);
  expect(asked.length).toBe(3);
});

test("after a 401 another token is asked for once", async () => {
  const provider = giver(600);
  answer = (a) => (a.token === "wfw_1" ? problem(401, "UNAUTHENTICATED") : usual(a));
  const readers = [reading({ source: provided(provider, need) }), reading({ source: provided(provider, need) })];
  await seconds(1);
  for (const r of readers) expect(r.value).toEqual({ items: [] });
  expect(asked.map((a) => a.token)).toEqual(["wfw_1", "wfw_2"]);
  answer = () => problem(401, "UNAUTHENTICATED");
  await seconds(1000);
  expect(asked.map((a) => a.token)).toEqual(["wfw_1", "wfw_2", "wfw_2", "wfw_3"]);
  for (const r of readers) expect(r.fault).toMatchObject({ code: "UNAUTHENTICATED", requestId: "r-1" });
  answer = usual;
  page.become("hidden");
  page.become("visible");
  await seconds(1);
  for (const r of readers) expect(r.value).toEqual({ items: [] });
  expect(provider).toHaveBeenCalledTimes(4);
});

test("a refused token that the page gives again is not sent again", async () => {
  answer = () => problem(401, "UNAUTHENTICATED");
  const provider = vi.fn(() => "wfw_same");
  const reader = reading({ source: provided(provider, need) });
  await seconds(1000);
  expect(asked).toHaveLength(1);
  expect(provider).toHaveBeenCalledTimes(2);
  expect(reader.fault).toMatchObject({ code: "UNAUTHENTICATED", requestId: "r-1" });
});

test("a page that gives no token is asked again after a while, and told so", async () => {
  const provider = vi.fn<() => Promise<Given>>(async () => Promise.reject(new Error("secret")));
  const reader = reading({ source: provided(provider, need) });
  await seconds(1);
  expect(reader.fault).toMatchObject({ code: "NO_TOKEN", message: "" });
  provider.mockResolvedValue("wfw_1");
  await seconds(5);
  expect(reader.value).toEqual({ items: [] });
  expect(reader.fault).toBeUndefined();
  const waiting = reading({ source: undefined });
  await seconds(4);
  page.become("hidden");
  page.become("visible");
  expect(waiting.fault).toBeUndefined();
  await seconds(2);
  expect(waiting.fault?.code).toBe("NO_TOKEN");
});

test("times and durations in both languages", () => {
  expect(duration(29_100, "en")).toBe("8 hrs 5 mins");
  expect(duration(29_100, "id")).toBe("8 j 5 mnt");
  expect(duration(0, "en")).toBe("0 mins");
  expect(duration(7200, "en")).toBe("2 hrs");
  expect(period("2026-03-09", "2026-03-15", "en")).toMatch(/^9\s?–\s?15 Mar 2026$/);
  const here = (zone: string) => new Date(`2026-03-10T09:00:00${zone}`).toISOString();
  vi.stubEnv("TZ", "Asia/Jakarta");
  expect(instant(here("+07:00"), "en")).toMatch(/^Tue,? 10 Mar,? 09:00$/);
  expect(instant(here("+09:00"), "id")).toMatch(/^Sel, 10 Mar,? 07\.00$/);
});
