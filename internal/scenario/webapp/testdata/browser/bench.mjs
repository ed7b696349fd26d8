// A browser with the web app, and what is held of each screen.
import axe from "axe-core";
import { chromium } from "playwright-core";
import { asked, email, fault, launch, origin, password, pictures, told } from "./talk.mjs";

export * from "./talk.mjs";

const browser = await chromium.launch(launch);
export const context = await browser.newContext({
  locale: "en-GB",
  timezoneId: "Asia/Jakarta",
  viewport: { width: 1280, height: 800 },
  serviceWorkers: told.serviceWorkers ?? "allow", // what they ask for is not seen by page.route
});
context.setDefaultTimeout(60_000);
await context.addInitScript(() => {
  globalThis.refused = [];
  addEventListener("securitypolicyviolation", (e) => globalThis.refused.push(`${e.effectiveDirective} ${e.blockedURI}`));
});
export const page = await context.newPage();

// A browser says of each answer 401 that it failed; there is one where nobody is signed in. Playwright says
// that it blocks service workers where it is told to.
const usual = /\/app\/session\/refresh$/;
const blocked = "Service Worker registration blocked by Playwright";
let listening = true;
/** Whether lines of the console are faults. */
export const listen = (on) => {
  listening = on;
};
page.on("console", (m) => {
  if (m.text().startsWith(blocked) && told.serviceWorkers) return;
  if (listening && !(m.text().includes("401") && usual.test(m.location().url))) fault(`console: ${m.text()} ${m.location().url}`);
});
page.on("pageerror", (e) => fault(`thrown: ${e.stack}`));
page.on("request", (r) => {
  if (!r.url().startsWith(`${origin}/`) && !r.url().startsWith("blob:")) fault(`asked for ${r.url()}`);
});

let number = 0;
/** Holds what is true of each screen: no fault of access, no scrolling sideways, nothing refused. */
export async function judge(name) {
  if (pictures) await page.screenshot({ path: `${pictures}/${String(++number).padStart(2, "0")}-${name}.png`, fullPage: true });
  const [content, shown] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  if (content > shown) fault(`${name}: ${content} px wide in ${shown}`);
  for (const text of await page.evaluate(() => globalThis.refused)) fault(`${name}: refused ${text}`);
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
  for (const v of violations) fault(`${name}: axe ${v.id}: ${v.nodes.map((n) => `${n.html} ${n.failureSummary}`).join(" | ").slice(0, 600)}`);
}

/** The navigation of the screens. */
export const menu = page.getByRole("navigation", { name: /^(Screens|Layar)$/ });
export const narrow = { width: 360, height: 740 };
export const wide = { width: 1280, height: 800 };
export const heading = (name) => page.getByRole("heading", { level: 1, name, exact: true }).waitFor();

/** Signs in with the code that is sent, and shows a screen of the app. */
export async function signIn(screen, nth = 1) {
  await page.goto(`${origin}/app/${screen}`);
  await enterPassword();
  await page.getByLabel("Code", { exact: true }).fill(await asked(`code ${nth}`));
  await page.keyboard.press("Enter");
  await menu.waitFor();
  await language("en");
}

/** Signs in, in English, as somebody whose browser may be trusted. */
export async function enterPassword() {
  await heading("Sign in");
  await page.getByLabel("Email or phone").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
}

/** Chooses a language, and waits until it is kept with the person. */
export async function language(chosen) {
  const kept = page.waitForResponse((r) => r.request().postData()?.includes("SetLocale"));
  await choose(/^(Language|Bahasa)$/, chosen);
  await kept;
}
export const theme = (chosen) => choose(/^(Theme|Tema)$/, chosen);

/** Opens the menu that has the name of who is signed in. */
export const openMenu = () => page.getByRole("banner").locator("[aria-controls=own][aria-expanded=false]").click();

/** Chooses something of that menu, and closes it. */
async function choose(name, chosen) {
  await openMenu();
  await page.getByRole("banner").getByRole("combobox", { name }).selectOption(chosen);
  await page.keyboard.press("Escape");
}

/** Finds fault unless something has the focus, and is seen to have it. */
export async function focused(what) {
  const [has, outline, covered] = await what.evaluate((e) => {
    const box = e.getBoundingClientRect();
    const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return [e === document.activeElement, getComputedStyle(e).outlineStyle, !e.contains(top)];
  });
  if (!has) fault(`${await page.evaluate(() => document.activeElement.outerHTML.slice(0, 200))} has the focus, not ${what}`);
  else if (outline === "none" || covered) fault(`the focus of ${what} is not seen`);
}

/** Activates something by a click, or where the program is told so by a key, once Tab has led to it. */
export async function press(what, key = "Enter") {
  if (!told.keyboard) return what.click();
  await what.waitFor();
  const has = () => what.evaluate((e) => e === document.activeElement);
  for (let i = 0; i < 80 && !(await has()); i++) await page.keyboard.press("Tab");
  await focused(what);
  await page.keyboard.press(key);
}

const sizes = [narrow, wide];
/** Language, theme and width: those that cover each value, or all where WEB_FULL is set. */
const views = process.env.WEB_FULL
  ? ["id", "en"].flatMap((l) => ["dark", "light"].flatMap((t) => sizes.map((s) => [l, t, s])))
  : [["id", "dark", narrow], ["en", "light", wide]];

/** Shows a screen, which is there, in both languages and themes, narrow and wide; ends in English, light and wide. */
export async function look(name, there) {
  let last;
  for (const [spoken, chosen, size] of views) {
    if (spoken !== last) await language(spoken);
    last = spoken;
    await there(spoken);
    await theme(chosen);
    await page.setViewportSize(size);
    await judge(`${name}-${spoken}-${chosen}-${size.width}`);
  }
}

/** Runs the steps of a program, and ends it. */
export async function run(steps) {
  try {
    for (const step of steps) {
      console.log(`step ${step.name}`);
      await step();
    }
  } catch (error) {
    if (pictures) await page.screenshot({ path: `${pictures}/failed.png` });
    fault(`${error.stack} at ${page.url()}: ${(await page.evaluate(() => document.body.innerText)).slice(0, 800)}`);
  }
  await browser.close();
  console.log("done");
  process.exit(0);
}
