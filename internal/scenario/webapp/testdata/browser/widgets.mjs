// Widgets in pages of another origin, under a strict policy; and the page /widgets of the server.
import axe from "axe-core";
import { context, enterPassword, fault, heading, judge, menu, narrow, now, origin, page, pictures, run, wide, asked as ask } from "./bench.mjs";
import { answers, asked, refusals, start } from "./widgets-site.mjs";

const site = await start(origin);
let guest;
let picture = 0;
const [port] = process.argv.slice(3);

/** Says what is not as it is to be. */
function want(what, got, wanted) {
  const [a, b] = [JSON.stringify(got), JSON.stringify(wanted)];
  if (a !== b) fault(`${what}: ${a}, want ${b}`);
}

/** Opens a page of the site, whose time the program has in its hands. */
async function open(path, options = {}) {
  await guest?.close();
  asked.length = 0;
  for (const name of Object.keys(refusals)) delete refusals[name];
  guest = await context.browser().newPage({ locale: "en-GB", timezoneId: "Asia/Jakarta", viewport: wide, ...options });
  guest.setDefaultTimeout(20_000);
  guest.on("pageerror", (e) => fault(`${path}: thrown: ${e.stack}`));
  guest.on("console", (m) => {
    if (m.text().includes("a token is no attribute")) guest.warned = (guest.warned ?? "") + m.text();
    else if (!/the server responded with a status of [45]/.test(m.text()) && !guest.apart) fault(`${path}: console: ${m.text()}`);
  });
  guest.on("request", (r) => {
    if (![origin, site.origin, site.endpoint].includes(new URL(r.url()).origin)) fault(`${path}: asked for ${r.url()}`);
  });
  await guest.clock.install(path === "/real" ? { time: now } : {}); // as the server's
  await guest.addInitScript(() => {
    globalThis.refused = [];
    addEventListener("securitypolicyviolation", (e) => globalThis.refused.push(`${e.effectiveDirective} ${e.blockedURI} ${e.sample}`));
  });
  await guest.goto(site.origin + path);
  await guest.getByRole("group").first().waitFor();
}

/** Lets time pass in the page, in steps shorter than a request may take. */
async function pass(milliseconds) {
  for (let left = milliseconds; left > 0; left -= 29_000) {
    await guest.clock.runFor(Math.min(left, 29_000));
    for (let quiet = 0, before = asked.length; quiet < 3; quiet++, before = asked.length) {
      await new Promise((done) => setTimeout(done, 40));
      if (asked.length !== before) quiet = 0;
      await guest.clock.runFor(1); // what waits for an answer goes on
    }
  }
}

const of = (kind, search) => asked.filter((a) => a.kind === kind && (search === undefined || a.search === search));

/** Holds what is true of each page with widgets. */
async function hold(name) {
  if (pictures) await guest.screenshot({ path: `${pictures}/widgets-${String(++picture).padStart(2, "0")}-${name}.png`, fullPage: true });
  const wider = await guest.evaluate(() => {
    const all = [document.documentElement, ...[...document.querySelectorAll("*")].flatMap((e) => [...(e.shadowRoot?.querySelectorAll("*") ?? [])])];
    return all.filter((e) => e.scrollWidth > e.clientWidth && e.clientWidth > 1).map((e) => `${e.localName}.${e.className} ${e.scrollWidth} in ${e.clientWidth}`);
  });
  if (wider.length > 0) fault(`${name}: too wide: ${wider.join(", ")}`);
  for (const text of await guest.evaluate(() => globalThis.refused)) fault(`${name}: refused ${text}`);
  await guest.evaluate(axe.source);
  const { violations } = await guest.evaluate(() => globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
  for (const v of violations) fault(`${name}: axe ${v.id}: ${v.nodes.map((n) => `${n.html} ${n.failureSummary}`).join(" | ").slice(0, 600)}`);
}

/** Five widgets in a plain page: what they show, with how many requests. */
async function plain() {
  await open("/plain");
  await pass(100);
  want("requests", asked.map((a) => a.kind + a.search).sort(), ["tasks", "tasks?limit=1", "ticket", "timesheet?from=2026-03-09&to=2026-03-12"]);
  want("tokens asked for", await guest.evaluate(() => given.sort()), ["tasks", "ticket", "timesheet"]);
  for (const a of asked) {
    if (!a.token.startsWith(`wfw_${a.kind}_`) || a.cookie || a.language !== "en") fault(`asked with ${JSON.stringify(a)}`);
  }
  if (!guest.warned || guest.warned.includes("wfw_")) fault(`warned of the attribute: ${guest.warned}`);
  const tasks = guest.locator("workforce-tasks").first();
  for (const text of ["Done today", "12", "Timer running", "Priority: Urgent", "Overdue since Mon 9 Mar, 09:00", "<img src="]) await tasks.getByText(text).first().waitFor();
  await guest.locator("workforce-ticket").getByText("#12 Wi-Fi lantai 3 mati").waitFor();
  await guest.locator("workforce-ticket").getByText(/Due Tue,? 10 Mar,? 07:00/).waitFor();
  const days = guest.getByRole("table", { name: /^Working time, 9\s?–\s?12 Mar 2026$/ });
  want("days", await days.getByRole("row").allInnerTexts().then((rows) => rows.map((r) => r.replace(/[\s,]+/g, " ").trim())), [
    "Day Worked Status", "Mon 9 Mar 8 hrs 5 mins Present", "Tue 10 Mar 16 hrs Half day", "Wed 11 Mar 0 mins On leave", "Thu 12 Mar 0 mins To confirm", "Total 24 hrs 5 mins",
  ]);
  want("levels", await guest.getByRole("heading").evaluateAll((all) => all.map((h) => h.ariaLevel ?? h.localName)), ["h1", "h2", "2", "2", "2", "2", "3"]);
  want("evil", await guest.evaluate(() => globalThis.evil ?? 0), 0);
  await hold("plain-en-light");
}

/** Polling: by the tag, without a change in the page; not while it is hidden. */
async function polls() {
  await guest.evaluate(() => {
    globalThis.changes = 0;
    const observer = new MutationObserver((list) => (globalThis.changes += list.length));
    for (const e of document.querySelectorAll("workforce-tasks, workforce-ticket, workforce-timesheet"))
      observer.observe(e.shadowRoot, { subtree: true, childList: true, characterData: true, attributes: true });
  });
  asked.length = 0;
  await pass(31_000);
  want("polled", asked.map((a) => a.status), [304, 304, 304, 304]);
  want("changes", await guest.evaluate(() => changes), 0);
  answers.ticket.open = 99;
  await pass(31_000);
  await guest.locator("workforce-ticket").getByText("99").waitFor();
  want("polled again", asked.length, 8);
  await see("hidden");
  await pass(300_000);
  want("hidden", asked.length, 8);
  await see("visible");
  await pass(100);
  want("seen again", asked.length, 12);
  await guest.evaluate(() => document.querySelectorAll("workforce-tasks").forEach((e) => e.remove()));
  await pass(31_000);
  want("removed", asked.length, 14);
}

async function see(state) {
  await guest.evaluate((to) => {
    Object.defineProperty(document, "visibilityState", { value: to, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, state);
}

/** Tokens: another one before one ends, one more after a 401, and what is said where that is refused too. */
async function tokens() {
  await open("/plain");
  await pass(100);
  asked.length = 0;
  await pass(570_000);
  const used = [...new Set(of("ticket").map((a) => a.token))];
  if (used.length !== 2 || asked.some((a) => a.status !== 304)) fault(`tokens ${used} and answers ${[...new Set(asked.map((a) => a.status))]}`);
  asked.length = 0;
  refusals.ticket = { status: 401, code: "UNAUTHENTICATED" };
  await pass(31_000);
  want("refused", of("ticket").map((a) => a.status), [401, 401]);
  await guest.locator("workforce-ticket").getByText(/Access has ended.*/).waitFor();
  await guest.locator("workforce-ticket").getByText(/Request: r-\d+/).waitFor();
  want("shown after that", await guest.locator("workforce-ticket").getByRole("listitem").count(), 0);
  want("error", await guest.evaluate(() => heard.filter((h) => h.name === "workforce-error").map(({ from, composed, code, message, requestId }) => [from, composed, code, message.slice(0, 6), /^r-/.test(requestId)])),
    [["workforce-ticket", true, "UNAUTHENTICATED", "Access", true]]);
  await pass(300_000);
  want("refused for good", of("ticket").length, 2);
  await hold("refused");
  delete refusals.ticket;
  await guest.locator("workforce-ticket").getByRole("button", { name: "Try again" }).click();
  await pass(100);
  await guest.locator("workforce-ticket").getByText("#12").waitFor();
  await guest.evaluate(() => {
    const e = document.querySelector("workforce-ticket");
    e.tokenProvider = null;
    e.token = "wfw_ticket_property";
  });
  await pass(100);
  want("the property", of("ticket").at(-1).token, "wfw_ticket_property");
}

/** Faults: what stays, what is said, in which language, and when it is asked for again. */
async function faults() {
  await open("/plain");
  await pass(100);
  asked.length = 0;
  refusals.tasks = { status: 429, code: "RATE_LIMITED", headers: { "Retry-After": "120" } };
  refusals.ticket = { status: 404, code: "NOT_FOUND" };
  refusals.timesheet = { status: 500, code: "INTERNAL" };
  await pass(31_000);
  await guest.locator("#same").getByText("Not up to date. Too many requests.").waitFor();
  await guest.locator("#same").getByText("Done today").waitFor();
  await guest.locator("workforce-ticket").getByText("There is nothing here that you may see.").waitFor();
  await pass(100_000);
  want("asked for after 429", of("tasks").length, 2);
  await pass(31_000);
  want("asked for after 120 s", of("tasks").length, 4);
  await guest.evaluate(() => document.documentElement.setAttribute("lang", "id"));
  await pass(100);
  await guest.locator("workforce-timesheet").getByText("Belum diperbarui.").waitFor();
  await guest.locator("workforce-timesheet").getByRole("button", { name: "Coba lagi" }).waitFor();
  want("language", asked.at(-1).language, "id");
  await hold("faults-id");
  answers.tasks = { ...answers.tasks, items: [] };
  answers.timesheet = { ...answers.timesheet, days: [] };
  for (const name of Object.keys(refusals)) delete refusals[name];
  await guest.reload();
  await pass(100);
  await guest.locator("#same").getByText("Nothing to do.").waitFor();
  await guest.locator("workforce-timesheet").getByText("No days in this period.").waitFor();
  await hold("empty");
  answers.tasks.items = full.tasks;
  answers.timesheet.days = full.timesheet;
  guest.apart = true; // the policy refuses this one
  await guest.evaluate(() => document.querySelector("workforce-ticket").setAttribute("endpoint", "http://127.0.0.1:1"));
  await pass(100);
  await guest.locator("workforce-ticket").getByText("The server cannot be reached, or does not allow this page.").waitFor();
  await guest.evaluate(() => document.querySelector("workforce-ticket").setAttribute("endpoint", "http://"));
  await pass(100);
  await guest.locator("workforce-ticket").getByText("The address of the server is not valid.").waitFor();
}
const full = { tasks: answers.tasks.items, timesheet: answers.timesheet.days };

/** A day and a task are chosen by click and by keyboard. */
async function chooses() {
  await open("/plain");
  await pass(100);
  await guest.locator("workforce-timesheet").getByRole("button", { name: /^Mon,? 9 Mar$/ }).click();
  await guest.locator("#same").getByRole("button", { name: /Longgarkan/ }).focus();
  await guest.keyboard.press("Enter");
  await guest.locator("workforce-ticket").getByRole("button", { name: /Wi-Fi/ }).focus();
  await guest.keyboard.press("Space");
  want("chosen", await guest.evaluate(() => heard.filter((h) => h.name === "workforce-select").map(({ from, kind, id }) => [from, kind, id])),
    [["workforce-timesheet", "day", "2026-03-09"], ["workforce-tasks", "task", "42"], ["workforce-ticket", "ticket", "51"]]);
}

/** Both languages and themes, in 280 px; nothing of the page's styles gets in, and nothing out. */
async function looks() {
  for (const [lang, theme, scheme] of [["id", "dark", "light"], ["en", "light", "dark"], ["id", "auto", "dark"], ["en", "auto", "light"]]) {
    await open("/styled", { viewport: { width: 280, height: 700 }, colorScheme: scheme });
    await guest.evaluate(([l, t]) => {
      for (const e of document.querySelectorAll("main > *")) {
        if (!e.localName.startsWith("workforce-")) continue;
        e.setAttribute("lang", l);
        e.setAttribute("theme", t);
      }
    }, [lang, theme]);
    await pass(100);
    const dark = theme === "dark" || (theme === "auto" && scheme === "dark");
    const ground = await guest.locator("#same [part=widget]").evaluate((e) => getComputedStyle(e).backgroundColor);
    want(`ground ${lang} ${theme} ${scheme}`, ground, dark ? "rgb(20, 23, 26)" : "rgb(255, 255, 255)");
    await guest.locator("#same").getByText(lang === "id" ? "Selesai hari ini" : "Done today").waitFor();
    const styles = await guest.locator("#same [part=item-title]").first().evaluate((e) => {
      const { letterSpacing, textTransform, color } = getComputedStyle(e);
      return [letterSpacing, textTransform, color === "rgb(180, 0, 0)"];
    });
    want("styles of the page in a widget", styles, ["normal", "none", false]);
    want("styles of a widget in the page", await guest.evaluate(() => [getComputedStyle(document.querySelector("p.title")).fontWeight, document.adoptedStyleSheets.length, document.styleSheets.length, document.querySelectorAll("style").length]), ["300", 0, 1, 0]);
    await hold(`280-${lang}-${theme}-${scheme}`);
  }
  await guest.evaluate(() => document.querySelector("#same").style.setProperty("--workforce-ground", "rgb(1, 2, 3)"));
  want("a custom property", await guest.locator("#same [part=widget]").evaluate((e) => getComputedStyle(e).backgroundColor), "rgb(1, 2, 3)");
}

/** The module twice, from two addresses: the second does nothing. */
async function twice() {
  await open("/plain");
  await guest.evaluate((src) => import(src), `${origin}/widgets.js?again`).catch((e) => fault(`twice: ${e}`));
  await pass(100);
  want("twice: requests", asked.length, 4);
  await hold("twice");
}

/** React, in strict mode, sets what it has before the elements are defined, and after that. */
async function react() {
  for (const path of ["/react", "/react-after"]) await embeddedBy(path);
}

async function embeddedBy(path) {
  await open(path);
  await pass(100);
  want("react: requests", asked.map((a) => a.kind + a.search).sort(), ["tasks?limit=5", "timesheet?userId=7"]);
  await guest.getByRole("button", { name: /Longgarkan/ }).click();
  want("react: chosen", await guest.evaluate(() => heard.map((h) => h.id)), ["42"]);
  await guest.getByRole("button", { name: "Fewer" }).click();
  await pass(100);
  want("react: read anew", of("tasks").map((a) => a.search), ["?limit=5", "?limit=1"]);
  await guest.getByRole("button", { name: "Show or hide" }).click();
  await pass(31_000);
  want("react: removed", [of("tasks").length, of("timesheet").length], [2, 2]);
  await guest.getByRole("button", { name: "Show or hide" }).click();
  await pass(100);
  await guest.getByRole("button", { name: /Longgarkan/ }).waitFor();
  await hold(path.slice(1));
}

/** The page of the server: whoever is signed in by the app sees them live. */
async function own() {
  await guest?.close();
  page.on("request", async (request) => {
    if (request.url() === `${origin}/graphql`) access = (await request.headerValue("authorization")) ?? access;
  });
  await page.goto(`${origin}/widgets`);
  await heading("Widgets");
  const link = page.getByRole("link", { name: "Go to sign-in" });
  await link.waitFor();
  await judge("widgets-signed-out");
  await link.click();
  await enterPassword();
  await page.getByLabel("Code", { exact: true }).fill(await ask("code 1"));
  await page.keyboard.press("Enter");
  await menu.waitFor();
  await page.goto(`${origin}/widgets`);
  await page.getByRole("table", { name: /^(Working time|Waktu kerja)/ }).waitFor();
  for (const [lang, theme, size] of [["id", "dark", narrow], ["en", "light", wide]]) {
    await page.setViewportSize(size);
    await page.getByLabel(/^(Language|Bahasa)/).selectOption(lang);
    await page.getByLabel(/^(Theme|Tema)/).selectOption(theme);
    await page.getByText(lang === "id" ? "Tugas saya" : "My tasks").waitFor();
    await page.locator("workforce-tasks").getByText(lang === "id" ? "Selesai hari ini" : "Done today").waitFor();
    await page.locator("workforce-ticket").getByText(lang === "id" ? "Teratasi hari ini" : "Resolved today").waitFor();
    await judge(`widgets-${lang}`);
  }
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin });
  await page.getByRole("button", { name: "Copy React: Tasks" }).click();
  await page.getByText("Copied.").waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  if (!copied.includes(`endpoint="${origin}"`) || !copied.includes("workforce-tasks")) fault(`copied ${copied}`);
}
let access;

/** Asks the server for a token, as the site does in the name of who is signed in. */
async function make(input) {
  const query = "mutation ($input: CreateWidgetTokenInput!) { createWidgetToken(input: $input) { token expiresAt } }";
  const answer = await fetch(`http://127.0.0.1:${port}/graphql`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: access },
    body: JSON.stringify({ query, variables: { input } }),
  });
  return (await answer.json()).data?.createWidgetToken;
}

/** Pages of another origin, and the server itself: with its own tokens, with those of other pages, and after sign-out. */
async function real() {
  await site.real(origin, make);
  await open("/real");
  for (const [name, text] of [["tasks", "Done today"], ["ticket", "Resolved today"]]) await guest.locator(`workforce-${name}`).getByText(text).waitFor();
  await guest.getByRole("table", { name: /^Working time/ }).waitFor();
  await hold("real");
  const reads = (token, path) =>
    guest.evaluate(async ([url, t]) => {
      try {
        const answer = await fetch(url, { headers: { Authorization: `Bearer ${t}` } });
        return answer.status;
      } catch {
        return "nothing";
      }
    }, [`${origin}${path}`, token]);
  guest.apart = true; // the browser tells of answers that it keeps from the page
  const here = await make({ widget: "tasks", origin: site.origin });
  const elsewhere = await make({ widget: "tasks", origin: "https://elsewhere.example.com" });
  want("its own token", await reads(here.token, "/widget/tasks"), 200);
  want("another widget", await reads(here.token, "/widget/ticket"), 401);
  want("the token of another page", await reads(elsewhere.token, "/widget/tasks"), "nothing");
  want("the token of a person", await reads(access.replace("Bearer ", ""), "/widget/tasks"), "nothing");
  want("another path", await reads(here.token, "/user/profile"), "nothing");
  await page.goto(`${origin}/app/profile`);
  await page.getByRole("button", { name: "Ratna Wijayanti" }).click();
  await page.getByRole("button", { name: /^(Sign out|Keluar)$/ }).click();
  await page.getByLabel(/^(Password|Kata sandi)$/).waitFor();
  want("after sign-out", await reads(here.token, "/widget/tasks"), 401);
  await guest.locator("workforce-tasks").evaluate((e) => e.setAttribute("limit", "2"));
  await guest.clock.runFor(100);
  await guest.locator("workforce-tasks").getByText("This page has given no access.").waitFor();
  site.stop();
}

const steps = [plain, polls, tokens, faults, chooses, looks, twice, react, own, real];
await run(process.env.STEPS ? steps.filter((s) => process.env.STEPS.includes(s.name)) : steps);
