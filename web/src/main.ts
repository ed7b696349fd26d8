import { type End, session } from "./api/session.js";
import { applyTheme } from "./parts/theme.js";
import { erase } from "./phone/kept.js";
import { tell } from "./phone/news.js";
import { followLinks, go, place, query } from "./router.js";
import { language } from "./texts/texts.js";

/** What the whole page is: where to sign in, where to set a password by a link, or the app. */
const pages = {
  "wf-sign-in": () => import("./screens/sign-in.js"),
  "wf-recover": () => import("./screens/recover/recover.js"),
  "wf-app": () => import("./shell.js"),
};
let shown: keyof typeof pages | undefined;

/** Shows the app to who is signed in, and else where to sign in; to anybody where to set a password by a link. */
async function show(): Promise<void> {
  const name = place() === "sign-in" ? "wf-sign-in" : recovers() ? "wf-recover" : "wf-app";
  if (name === shown) return;
  shown = name;
  await pages[name]();
  if (name === shown) document.body.replaceChildren(document.createElement(name));
}

/** Whether the address is that of an operator's link, which stays whoever is signed in. */
function recovers(): boolean {
  return place() === "recover";
}

/** Leads to where one signs in, and from there back to the address of now. */
function leave(ended: boolean): void {
  if (place() === "sign-in" || recovers()) return;
  const to = new URLSearchParams({ to: location.pathname + location.search, ...(ended && { ended: "1" }) });
  go(`/app/sign-in?${to}`, { replace: true });
}

/** Leads from where one signs in to the address that was asked for. */
function goOn(): void {
  if (place() !== "sign-in") return;
  const to = query().get("to") ?? "";
  go(to.startsWith("/app/") ? to : "/app/", { replace: true });
}

/** What the app does on this device besides its screens, which is loaded once it shows. */
const phone = () => import("./phone/phone.js");

/** Loads the page anew where the server has a file or an operation of its version no more, at most once in a minute. */
function reloadStale(): void {
  const last = Number(sessionStorage.getItem("wf-reloaded") ?? 0);
  if (!navigator.onLine || Date.now() - last < 60_000) return;
  sessionStorage.setItem("wf-reloaded", String(Date.now()));
  location.reload();
}

/** Follows whose session it is. */
function follow(userId: string | undefined, before: string | undefined, end: End): void {
  const goesOn = userId !== undefined && before === undefined;
  const erased = goesOn ? Promise.resolve() : erase().catch(() => {}); // where nothing could be kept either
  if (userId !== undefined && before !== undefined)
    void erased.then(() => location.reload()); // nothing that is shown may be another person's
  else if (userId !== undefined) {
    goOn();
    if (begun) void phone().then((p) => p.signedIn(userId));
  } else if (end === "signed_out" && !recovers()) go("/app/sign-in", { replace: true });
  else leave(before !== undefined);
}

/** Whether that which is done besides screens has begun. */
let begun = false;

async function begin(): Promise<void> {
  document.documentElement.lang = language();
  applyTheme();
  followLinks();
  addEventListener("wf-place", () => void show());
  addEventListener("vite:preloadError", reloadStale);
  addEventListener("wf-stale", reloadStale);
  session.onchange = follow;
  await session.token().catch(() => {}); // follow leads to where one signs in; else there is no network
  await show();
  setTimeout(async () => {
    begun = true;
    (await phone()).begin(tell);
  }, 1_500); // what is seen comes first
}

void begin();
