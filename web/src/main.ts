import { Fault } from "./api/fault.js";
import { session } from "./api/session.js";
import { applyTheme } from "./parts/theme.js";
import { followLinks, go, place, query } from "./router.js";
import { language } from "./texts/texts.js";

/** Whether the page shows where to sign in, and not the app. */
let signingIn: boolean | undefined;

/** Shows the app to who is signed in, and else where to sign in. */
async function show(): Promise<void> {
  const wanted = place() === "sign-in";
  if (wanted === signingIn) return;
  signingIn = wanted;
  const name = wanted ? "wf-sign-in" : "wf-app";
  await (wanted ? import("./screens/sign-in.js") : import("./shell.js"));
  if (wanted === signingIn) document.body.replaceChildren(document.createElement(name));
}

/** Leads to where one signs in, and from there back to the address of now. */
function leave(ended: boolean): void {
  if (place() === "sign-in") return;
  const to = new URLSearchParams({ to: location.pathname + location.search, ...(ended && { ended: "1" }) });
  go(`/app/sign-in?${to}`, { replace: true });
}

/** Leads from where one signs in to the address that was asked for. */
function goOn(): void {
  if (place() !== "sign-in") return;
  const to = query().get("to") ?? "";
  go(to.startsWith("/app/") ? to : "/app/", { replace: true });
}

async function begin(): Promise<void> {
  document.documentElement.lang = language();
  applyTheme();
  followLinks();
  addEventListener("wf-place", () => void show());
  session.onchange = (userId, before, end) => {
    if (userId !== undefined && before !== undefined)
      location.reload(); // nothing that is shown may be another person's
    else if (userId !== undefined) goOn();
    else if (end === "signed_out") go("/app/sign-in", { replace: true });
    else leave(before !== undefined);
  };
  try {
    await session.token();
  } catch (error) {
    if (error instanceof Fault && error.code === "UNAUTHENTICATED") leave(false);
  }
  await show();
}

void begin();
