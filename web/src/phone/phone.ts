import { session } from "../api/session.js";
import { scriptAddress } from "../api/trusted.js";
import { remember } from "./kept.js";
import { clockQueue } from "./queue.js";

/** How often at most a tab that is shown again asks for a new version, in milliseconds. */
const often = 3_600_000;

/**
 * Begins what the app does on this phone besides its screens: it sends clock events, and keeps its own files. Of a new
 * version it tells how to change to it.
 */
export function begin(tell: (reload: () => void) => void): void {
  addEventListener("online", send);
  document.addEventListener("visibilitychange", send);
  if (session.userId !== undefined) void signedIn(session.userId);
  void register(tell);
}

function send(): void {
  if (document.visibilityState === "visible") void clockQueue.send();
}

/** Sends what waits of a person whose session began. */
export async function signedIn(userId: string): Promise<void> {
  if (await remember(userId))
    location.reload(); // what is shown was kept of another person
  else await clockQueue.send();
}

/** Registers the service worker, and says when it is of another version than this page. */
async function register(tell: (reload: () => void) => void): Promise<void> {
  const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker; // undefined where it is not allowed
  const registration = await workers?.register(scriptAddress("/app/sw.js"), { scope: "/app/" }).catch(() => undefined);
  if (!registration) return;
  const look = (): void => void waits(registration).then((waiting) => waiting && tell(() => change(waiting)));
  registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", look));
  look();
  let asked = Date.now();
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState !== "visible" || Date.now() - asked < often) return;
    asked = Date.now();
    registration.update().catch(() => {}); // there is no network
  });
}

/** The service worker that waits, of another version than the page; one of its own version takes over at once. */
async function waits({ waiting, active }: ServiceWorkerRegistration): Promise<ServiceWorker | undefined> {
  if (!waiting || !active) return undefined;
  const { port1, port2 } = new MessageChannel();
  const same = await new Promise((done) => {
    port1.onmessage = (event) => done(event.data);
    waiting.postMessage(loaded(), [port2]);
  });
  if (!same) return waiting;
  waiting.postMessage("take over");
  return undefined;
}

/** The script and the styles that the page names, as paths. */
function loaded(): string[] {
  const all = document.querySelectorAll<HTMLElement>('head > script[src], head > link[rel="stylesheet"]');
  return [...all].map((e) => new URL(e.getAttribute("src") ?? e.getAttribute("href") ?? "", location.href).pathname);
}

/** Has a service worker take over, and then loads the page anew, once. */
function change(waiting: ServiceWorker): void {
  const reload = (): void => location.reload();
  navigator.serviceWorker.addEventListener("controllerchange", reload, { once: true });
  setTimeout(reload, 3_000); // another tab had it take over
  waiting.postMessage("take over");
}
