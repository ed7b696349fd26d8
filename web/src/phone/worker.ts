import { changes, passes, sendWaiting, sync } from "./sending.js";

// The service worker of the app. It keeps the files of the start and of the phone's screens, answers with
// them where the network is away, and sends clock events in the background. Files and version are put in
// when it is built.
declare const FILES: readonly string[];
declare const VERSION: string;

/** What a service worker is told, as far as it is used here. */
interface Told extends Event {
  readonly request: Request;
  readonly data: unknown;
  readonly ports: readonly MessagePort[];
  readonly tag: string;
  readonly waitUntil: (work: Promise<unknown>) => void;
  readonly respondWith: (answer: Promise<Response>) => void;
}

interface Worker {
  readonly registration: { readonly update: () => Promise<unknown> };
  readonly clients: { readonly claim: () => Promise<void> };
  readonly skipWaiting: () => Promise<void>;
  readonly addEventListener: (name: string, heard: (told: Told) => void) => void;
}

const worker = self as unknown as Worker;
const page = "/app/me";
const prefix = "wf-app-";
const own = prefix + VERSION;
/** For how long a page is waited for before the kept one is shown, in milliseconds. */
const patience = 5_000;

worker.addEventListener("install", (told) => told.waitUntil(install()));
worker.addEventListener("activate", (told) => told.waitUntil(activate()));
worker.addEventListener("fetch", (told) => {
  const { request } = told;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin || !url.pathname.startsWith("/app/")) return;
  if (url.pathname.startsWith("/app/session")) return;
  if (request.mode === "navigate") told.respondWith(show(request));
  else if (/-[\w-]{8}\.\w+$/.test(url.pathname)) told.respondWith(file(request));
});
worker.addEventListener("message", (told) => {
  if (told.data === "take over") told.waitUntil(worker.skipWaiting());
  // A page asks whether it is of this version: it has the files that it loaded.
  else if (Array.isArray(told.data)) told.ports[0]?.postMessage(told.data.every((f) => FILES.includes(f)));
});
worker.addEventListener("sync", (told) => {
  if (told.tag === sync) told.waitUntil(send());
});

// The server has another version, which sends what waits.
worker.addEventListener("wf-stale", () => void worker.registration.update().catch(() => {}));

/** Keeps the files of this version: those of the last one are the same where their names are. */
async function install(): Promise<void> {
  const cache = await caches.open(own);
  const got = await fetch(page, { cache: "no-cache", credentials: "same-origin" });
  const text = await got.clone().text();
  const start = FILES.find((name) => /\/index-[\w-]+\.js$/.test(name)) ?? "";
  if (!got.ok || !text.includes(start)) throw new Error("the page is of another version");
  await cache.put(page, got);
  await Promise.all(
    FILES.map(async (name) => {
      const kept = await caches.match(name, { ignoreVary: true });
      if (kept) await cache.put(name, kept);
      else await cache.add(name);
    }),
  );
}

/** Drops what no page uses any more: tabs of the version before may be open. */
async function activate(): Promise<void> {
  const others = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== own);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/** The page of an address; the kept one where the server does not answer, or for long. */
async function show(request: Request): Promise<Response> {
  const asked = fetch(request).catch(() => undefined);
  const got = await Promise.race([asked, after(patience)]);
  if (got && got.status < 500) return got;
  const kept = await (await caches.open(own)).match(page, { ignoreVary: true });
  return kept ?? got ?? (await asked) ?? Response.error();
}

function after(milliseconds: number): Promise<undefined> {
  return new Promise((done) => setTimeout(() => done(undefined), milliseconds));
}

/** A file whose name changes with its content: the kept one, or that of the server, which is then kept. */
async function file(request: Request): Promise<Response> {
  const kept = await caches.match(request, { ignoreVary: true });
  if (kept) return kept;
  const got = await fetch(request);
  if (got.ok && got.type === "basic") await (await caches.open(own)).put(request, got.clone());
  return got;
}

/** Sends what waits. A rejection has the browser try again later. */
async function send(): Promise<void> {
  try {
    await sendWaiting();
  } catch (error) {
    if (passes(error)) throw error;
  }
  const told = new BroadcastChannel(changes);
  told.postMessage("");
  told.close();
}
