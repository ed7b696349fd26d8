import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Fault } from "../src/api/fault.js";
import { Session } from "../src/api/session.js";

/** The endpoints of the session, which the tabs of one browser ask with its one cookie. */
class Server {
  cookie = 0;
  refreshes = 0;
  lives = true;
  expiresIn = 900;

  /** A refresh token that was used already ends the session, as on the server. */
  async answer(url: string, _init: RequestInit): Promise<Response> {
    const name = url.slice("/app/session/".length);
    const sent = this.cookie;
    await pause(Math.random() * 20);
    if (name === "sign-out") {
      this.lives = false;
      return Response.json({ signedOut: true });
    }
    if (name === "recover") {
      this.lives = false;
      return Response.json({ recovered: true });
    }
    if (name === "refresh") this.refreshes++;
    if (name === "sign-in") this.lives = true;
    else if (sent !== this.cookie) this.lives = false;
    if (!this.lives) return Response.json({ code: "UNAUTHENTICATED", detail: "Sign in." }, { status: 401 });
    this.cookie++;
    const accessToken = `token-${this.cookie}`;
    await pause(Math.random() * 20);
    return Response.json({ state: "signed_in", userId: "7", accessToken, expiresIn: this.expiresIn });
  }
}

const pause = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds));

let server: Server;
let tabs: Session[];
let heard: string[];

beforeEach(() => {
  server = new Server();
  vi.stubGlobal("fetch", (url: string, init: RequestInit) => server.answer(url, init));
  heard = [];
  tabs = Array.from({ length: 5 }, (_, i) => {
    const s = new Session();
    s.onchange = (userId, before, end) => heard.push(`${i}: ${before} to ${userId}${userId ? "" : ` ${end}`}`);
    return s;
  });
});

afterEach(async () => {
  for (const t of tabs) t.close();
  await pause(5);
});

const tab = (i: number): Session => tabs[i] as Session;

test("five tabs that need a token at once stay signed in", async () => {
  for (let round = 0; round < 5; round++) {
    const refused = `token-${server.cookie}`;
    const got = await Promise.all(tabs.map((t) => t.token(refused)));
    for (const token of got) expect(token).toMatch(/^token-\d+$/);
    expect(got).not.toContain(refused);
  }
  expect(heard.sort()).toEqual([0, 1, 2, 3, 4].map((i) => `${i}: undefined to 7`));
});

test("tabs use what another one got", async () => {
  const token = await tab(0).token();
  await pause(20);
  for (const t of tabs) expect(await t.token()).toBe(token);
  expect(server.refreshes).toBe(1);
});

test("a refused token is replaced once", async () => {
  const first = await tab(0).token();
  const second = await tab(0).token(first);
  expect(second).not.toBe(first);
  expect(await tab(0).token(first)).toBe(second);
  expect(server.refreshes).toBe(2);
});

test("a token is replaced before it ends", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    const first = await tab(0).token();
    vi.setSystemTime(Date.now() + 869_000);
    expect(await tab(0).token()).toBe(first);
    expect(await tab(0).token("", 60_000)).not.toBe(first);
    server.expiresIn = 20; // shorter than the usual margin: half of the life counts
    const short = await tab(0).token(`token-${server.cookie}`);
    vi.setSystemTime(Date.now() + 9_000);
    expect(await tab(0).token()).toBe(short);
    vi.setSystemTime(Date.now() + 2_000);
    expect(await tab(0).token()).not.toBe(short);
  } finally {
    vi.useRealTimers();
  }
});

test("a session that ended is over in all tabs", async () => {
  const token = await tab(0).token();
  await pause(20);
  heard.length = 0;
  server.lives = false;
  await expect(tab(3).token(token)).rejects.toThrow(Fault);
  await pause(20);
  expect(heard.sort()).toEqual([0, 1, 2, 3, 4].map((i) => `${i}: 7 to undefined expired`));
});

test("signing out is told to all tabs", async () => {
  await tab(0).token();
  await pause(20);
  heard.length = 0;
  await tab(1).signOut();
  await pause(20);
  expect(heard.sort()).toEqual([0, 1, 2, 3, 4].map((i) => `${i}: 7 to undefined signed_out`));
});

test("a server that cannot be reached signs nobody out", async () => {
  const token = await tab(0).token();
  heard.length = 0;
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no network")));
  await expect(tab(0).token(token)).rejects.toMatchObject({ code: "UNREACHABLE" });
  expect(heard.filter((h) => h.includes("to undefined"))).toEqual([]);
  expect(tab(0).userId).toBe("7");
});

test("a sign-in that waits for a code begins no session", async () => {
  const sent = { state: "code", channel: "email", destination: "b***@demo.test", expiresIn: 300 };
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json(sent)));
  expect(await tab(0).signIn("budi@demo.test", "secret")).toEqual(sent);
  expect(tab(0).userId).toBeUndefined();
});

test("a password that is set by an operator's link ends the session of all tabs", async () => {
  await tab(0).recover("token", "password");
  expect(heard).toEqual([]); // nobody was signed in
  server.lives = true;
  await Promise.all(tabs.map((t) => t.token()));
  heard = [];
  await tab(0).recover("token", "password");
  await pause(20);
  expect(heard.sort()).toEqual([0, 1, 2, 3, 4].map((i) => `${i}: 7 to undefined signed_out`));
});
