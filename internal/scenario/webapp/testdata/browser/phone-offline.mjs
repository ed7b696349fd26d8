// Clocks in and out on a phone that loses its network, its tabs, its browser, its session and its time.
// No event may be lost or doubled, each has the time at which it was recorded, and what was refused is
// shown until it was seen. The line to the server is the test's, which breaks it as it is asked.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { asked, email, fault, launch, now, origin, password, told } from "./talk.mjs";

const folder = mkdtempSync(join(tmpdir(), "phone-"));
let context;
let page;
/** What time it is for the server, and how far the phone is ahead of that, in milliseconds. */
let clock = Date.parse(now);
let skew = 0;
/** What was recorded: whether in or out, when for the server, and where that time comes from. */
const events = [];
/** How many of them the server has for sure. */
let taken = 0;
let isIn = false;

let seed = 20_260_310;
/** A number from 0 to below a limit, the same in each run. */
function random(below) {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((seed / 2 ** 32) * below);
}

/**
 * Has the clock of pages stand still at what the phone says, and the service worker, which has another one, send only
 * when it is told to.
 */
function stopDate(at) {
  globalThis.testNow = at;
  globalThis.tags = [];
  const register = async (tag) => globalThis.tags.push(tag);
  const registration = globalThis.ServiceWorkerRegistration?.prototype ?? {}; // pages without an address have none
  Object.defineProperty(registration, "sync", { value: { register } });
  const Real = Date;
  globalThis.Date = class extends Real {
    constructor(...of) {
      super(...(of.length > 0 ? of : [globalThis.testNow]));
    }
    static now() {
      return globalThis.testNow;
    }
  };
}

/** What stops the clock in pages that are loaded from now on. */
let stopped;

/** Sets the clock of the phone, in all tabs. */
async function setClock() {
  await stopped?.dispose();
  stopped = await context.addInitScript(stopDate, clock + skew);
  for (const p of context.pages()) {
    await p.evaluate((at) => {
      globalThis.testNow = at;
    }, clock + skew);
  }
}

const zones = ["Asia/Jakarta", "America/Los_Angeles", "Pacific/Auckland"];

/** Starts the browser of the phone, with what it kept, in another zone than before. */
async function start() {
  const timezoneId = zones.shift();
  zones.push(timezoneId);
  context = await chromium.launchPersistentContext(folder, { ...launch, locale: "en-GB", timezoneId, viewport: { width: 360, height: 740 } });
  context.setDefaultTimeout(20_000);
  stopped = undefined;
  await setClock();
  page = context.pages()[0] ?? (await context.newPage());
}

/** Opens the app in a new tab. */
async function open(place = "me") {
  page = await context.newPage();
  page.on("pageerror", (e) => fault(`thrown: ${e.name} ${e.message} ${e.stack}`));
  await page.goto(`${origin}/app/${place}`);
}

/** Opens the app in place of all tabs. */
async function reopen(place) {
  const old = context.pages();
  await open(place);
  for (const o of old) await o.close();
}

/** Calls the queue of the page. */
const queue = (what, argument, of = page) =>
  of.evaluate(
    async ([path, name, value]) => {
      const q = Object.values(await import(path)).find((v) => typeof v?.settled === "function");
      return (await q[name](value)) ?? null;
    },
    [told.queue, what, argument],
  );

/** Lets time pass, for the server and the phone: in steps that are no difference of clocks to what is under way. */
async function pass(seconds) {
  for (let left = seconds; left > 0; left -= 50) {
    const step = Math.min(left, 50);
    clock += step * 1000;
    await asked(`pass ${step}`);
    await setClock();
  }
}

/** Clocks in, or out, some minutes later. */
async function record(changes = {}, of = page) {
  await pass(121 + random(8));
  const kind = isIn ? "out" : "in";
  const { id, recordedAt } = await queue("add", { ...told.event, kind, ...changes }, of);
  const off = Math.abs(Date.parse(recordedAt) - clock);
  // Where the clock is wrong, the last known difference is off by what passed while its answer was under way: on a busy
  // machine by all steps of a pass.
  if (off > (skew === 0 ? 0 : 130_000)) fault(`recorded at ${recordedAt}, when it was ${new Date(clock).toISOString()}`);
  if (changes.latitude) return id; // it will be refused
  isIn = !isIn;
  const wrong = skew !== 0 || (!isIn && events.at(-1).wrong); // since when the clock was changed
  events.push({ kind, at: new Date(clock).toISOString(), recordedAt, wrong });
  return id;
}

/** From now on the line works: what waits counts as recorded offline where that is three minutes ago. */
async function mend() {
  for (const e of events.slice(taken)) {
    e.source = clock - Date.parse(e.at) >= 180_000 ? "offline" : "app";
    e.at = e.source === "offline" ? e.recordedAt : new Date(clock).toISOString(); // when the server gets it
  }
  taken = events.length;
  await asked("line up");
}

const count = async () => (await queue("list")).length;

/** Waits until nothing waits; pushed to it, or by itself. */
async function flushed(push = true) {
  const end = performance.now() + 20_000;
  for (let left = -1; left !== 0; left = await count()) {
    if (performance.now() > end) throw new Error(`${left} events still wait: ${JSON.stringify(await queue("list"))}`);
    if (push) await queue("send");
    else await page.waitForTimeout(50);
  }
}

const heading = (name) => page.getByRole("heading", { level: 1, name, exact: true }).waitFor();

/** Signs somebody in, with a code where this browser is not trusted. */
async function enter(who = email) {
  await page.getByLabel("Email or phone").fill(who);
  await page.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
  const code = page.getByLabel("Code", { exact: true });
  await code.or(page.getByRole("navigation").first()).waitFor();
  if ((await code.count()) === 0) return;
  await code.fill(await asked(`next ${who}`));
  await page.keyboard.press("Enter");
  await page.getByRole("navigation").first().waitFor();
}

async function signIn() {
  await start();
  await open();
  await heading("Sign in");
  await enter();
  await heading("Me");
  await page.waitForFunction(() => navigator.serviceWorker.controller);
}

/** The line works. */
async function steady() {
  for (let i = 0; i < 4; i++) {
    const id = await record();
    await mend();
    if ((await queue("settled", id)) !== null) fault("an event was refused");
  }
}

/** Each event has its sending cut before, in or after the answer, or gets what is none. */
async function cut() {
  for (const how of ["before", "after", "during", "portal", "busy", "limited"]) {
    await asked(`line ${how} ${1 + random(2)}`);
    await record();
    await queue("send");
    await mend();
    await flushed();
  }
}

/** What the server refuses stays until it was seen, over a reload, and holds up nothing. */
async function refuse() {
  if (isIn) {
    await record();
    await mend();
    await flushed();
  }
  const id = await record({ latitude: -6.5 });
  const of = await queue("settled", id);
  if (of?.refused?.code !== "OUTSIDE_ALLOWED_LOCATION" || !of.refused.message) fault(`far away: ${JSON.stringify(of)}`);
  await record();
  await mend();
  await page.reload();
  await heading("Me");
  const end = performance.now() + 10_000;
  while ((await count()) > 1 && performance.now() < end) await page.waitForTimeout(50);
  if ((await queue("list"))[0]?.id !== id) fault("what was refused is not shown");
  await queue("seen", id);
  if ((await count()) !== 0) fault("what was seen is still shown");
}

/** Without a network the app starts, in a new tab, too, and says so; it sends by itself once there is one. */
async function away() {
  await context.setOffline(true);
  await asked("line down");
  await record();
  await record();
  await page.reload();
  await heading("Me");
  await page.getByText("No connection.").waitFor();
  await page.getByRole("button", { name: "Budi Santoso" }).waitFor();
  await record();
  await reopen();
  await heading("Me");
  await page.getByText("No connection.").waitFor();
  if ((await count()) !== events.length - taken) fault(`${await count()} events are kept, want ${events.length - taken}`);
  await page.goto(`${origin}/app/roster`);
  await page.getByText("No connection.").waitFor();
  const lost = page.getByRole("alert").filter({ hasText: "There is no connection, and this page was not kept on this device." });
  await lost.getByRole("button", { name: "Retry" }).click();
  if ((await page.getByText("Something went wrong").count()) > 0) fault("a page that is not kept is a fault");
  await lost.getByRole("link", { name: "To the clock, which works without a connection" }).click();
  await heading("Me");
  await reopen();
  await pass(185);
  await mend();
  await context.setOffline(false);
  await flushed(false);
}

/** The tab dies while the server has not heard of the event, and while its answer is on the way. */
async function kill() {
  for (const how of ["hold", "keep"]) {
    await asked(`line ${how} 1`);
    await record();
    await asked("held");
    const tools = await context.newCDPSession(page);
    tools.send("Page.crash").catch(() => {}); // it does not answer any more
    await page.waitForEvent("crash");
    await mend();
    await reopen();
    await flushed(false);
  }
}

/** The browser dies with what waits. */
async function crash() {
  await asked("line down");
  await record();
  await record();
  const closed = new Promise((done) => context.once("close", done));
  const tools = await context.newCDPSession(page);
  tools.send("Browser.crash").catch(() => {});
  await closed;
  await start();
  await reopen();
  if ((await count()) !== 2) fault(`${await count()} events are kept over a crash, want 2`);
  await pass(185);
  await mend();
  await page.reload();
  const signedOut = page.getByRole("heading", { level: 1, name: "Sign in" });
  await page.getByRole("heading", { level: 1, name: /^(Me|Sign in)$/ }).waitFor();
  if (await signedOut.count()) await enter(); // cookies of the last seconds were lost
  await heading("Me");
  await flushed();
}

/** A new version comes: the page tells of it, and keeps drafts and events over Reload. An old tab works on. */
async function update() {
  const old = page;
  await open();
  await heading("Me");
  await asked("line before 99");
  await record();
  await page.evaluate(() => sessionStorage.setItem("wf-draft x", "draft"));
  const version = await asked("version");
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration()).update());
  await page.getByText("A new version is here.").waitFor();
  let loads = 0;
  page.on("load", () => loads++);
  await page.getByRole("button", { name: "Reload" }).click();
  await page.waitForFunction((v) => document.querySelector('link[rel="stylesheet"]')?.href.includes(v), version);
  await heading("Me");
  await page.waitForTimeout(300);
  if (loads !== 1) fault(`Reload loads ${loads} times`);
  if ((await page.getByText("A new version is here.").count()) > 0) fault("the new version tells of itself");
  if ((await page.evaluate(() => sessionStorage.getItem("wf-draft x"))) !== "draft") fault("the draft is lost");
  await page.waitForFunction((v) => caches.keys().then((names) => Promise.all(names.map((n) => caches.open(n).then((c) => c.keys())))).then((all) => all.flat().some((r) => r.url.includes(v))), version);
  const here = page;
  page = old;
  await page.getByRole("link", { name: "Tasks" }).click();
  await heading("Tasks");
  await old.close();
  page = here;
  await mend();
  await flushed();
}

/** The phone's clock is an hour wrong. */
async function wrong(ahead) {
  skew = ahead;
  await setClock();
  await reopen();
  await heading("Me");
  for (let i = 0; i < 2; i++) {
    await record();
    await mend();
    await flushed();
  }
  await asked("line down");
  await record();
  await record();
  await page.reload();
  await record();
  await record();
  await pass(185);
  await mend();
  await flushed();
  skew = 0;
  await setClock();
  await reopen();
  await heading("Me");
}

/** The session ends elsewhere: what waits is sent after the next sign-in. */
async function end() {
  await asked("line before 99");
  await record();
  await asked("end");
  await mend();
  await queue("send");
  await page.getByText("Your session has ended.").waitFor();
  await page.getByText("1 clock event on this device waits until").waitFor();
  if ((await count()) !== 0) fault("what waits is shown to nobody");
  await enter();
  await heading("Me");
  await flushed(false);
}

/** Another person signs in: they see nothing, and send nothing. */
async function other() {
  await asked("line before 99");
  await record();
  await page.getByRole("banner").locator("[aria-controls=own][aria-expanded=false]").click();
  await page.getByRole("button", { name: "Sign out" }).click();
  const dialog = page.getByRole("dialog", { name: "Sign out?" });
  await dialog.getByText("1 clock event was not taken yet.").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await heading("Me");
  await page.getByRole("banner").locator("[aria-controls=own][aria-expanded=false]").click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await dialog.getByRole("button", { name: "Sign out" }).click();
  await heading("Sign in");
  await context.setOffline(true);
  await reopen();
  await page.getByText("The server cannot be reached.").waitFor();
  if ((await page.getByText("Budi").count()) > 0) fault("who signed out is shown");
  await context.setOffline(false);
  await reopen();
  await heading("Sign in");
  await page.getByText("1 clock event on this device waits until").waitFor();
  await mend();
  await enter(told.other);
  await queue("send");
  if ((await count()) !== 0) fault("another person sees what waits");
  await page.getByRole("banner").locator("[aria-controls=own][aria-expanded=false]").click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByText("1 clock event on this device waits until").waitFor();
  await enter();
  await flushed(false);
  await reopen();
}

/** No tab is open: the service worker sends. */
async function background() {
  const tools = await context.newCDPSession(page);
  let id;
  tools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => (id = registrations[0]?.registrationId ?? id));
  await tools.send("ServiceWorker.enable");
  await asked("line before 99");
  await record();
  await record();
  await pass(185);
  const tag = await page.evaluate(() => globalThis.tags.at(-1));
  await page.goto("about:blank");
  await mend();
  while (id === undefined) await page.waitForTimeout(20);
  await tools.send("ServiceWorker.dispatchSyncEvent", { origin, registrationId: id, tag, lastChance: true });
  events.at(-1).wrong = events.at(-2).wrong = true; // the clock of the worker is not the phone's
  await asked(`taken ${events.length}`);
  await reopen();
  await flushed(false);
}

/** Two tabs record and send at once. */
async function tabs() {
  const first = page;
  await open();
  await heading("Me");
  await asked("line before 99");
  for (let i = 0; i < 4; i++) await record({}, i % 2 ? first : page);
  await pass(185);
  await mend();
  await Promise.all([queue("send"), queue("send", undefined, first)]);
  await flushed();
  await first.close();
}

const behind = () => wrong(-3_600_000);
const ahead = () => wrong(3_600_000);
const steps = [
  steady,
  cut,
  refuse,
  away,
  kill,
  crash,
  update,
  behind,
  end,
  other,
  background,
  tabs,
  ...(told.count > 1 ? [ahead] : []),
];

try {
  await signIn();
  do {
    for (const step of steps) {
      const began = performance.now();
      await step();
      console.log(`step ${step.name} ${Math.round(performance.now() - began)} ms, ${events.length} events`);
    }
    steps.sort(() => random(2) - 0.5);
  } while (events.length < told.count);
  await asked(`rows ${JSON.stringify(events)}`);
} catch (error) {
  fault(`${error.stack} at ${page.url()}: ${await page.evaluate(() => document.body.innerText.slice(0, 600)).catch(String)}`);
}
await context.close();
console.log("done");
process.exit(0);
