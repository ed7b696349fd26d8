// Uses the keys that every screen has, and what may come between somebody and their work: the session
// ends, the connection is lost, the machine sleeps.
import { asked, context, enterPassword, fault, heading, judge, listen, now, origin, page, run, signIn } from "./bench.mjs";

const inCount = (count) => page.getByRole("link", { name: `In ${count}`, exact: true }).waitFor();
const isLive = () => page.getByText("Live", { exact: true }).waitFor();

async function enter() {
  await context.clock.setFixedTime(now);
  await signIn("today");
  await isLive();
}

/** Finds a person by Ctrl-K, and closes their day: the address is as it was. */
async function find() {
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  await judge("keys");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  const search = page.getByRole("button", { name: "Search" });
  await search.focus();
  await page.keyboard.press("Control+k");
  const box = page.getByRole("combobox", { name: "Search" });
  await box.fill("zzz");
  await page.getByText("Nothing found.").waitFor();
  await box.fill("agus");
  await page.getByRole("option", { name: /^Agus Setiawan/, selected: true }).waitFor();
  await judge("palette");
  await box.fill("asep"); // who is of another team
  await page.getByText("Nothing found.").waitFor();
  await box.fill("a"); // as Today has
  await page.getByRole("option", { name: /^Agus Setiawan/, selected: true }).waitFor();
  await page.getByRole("option", { name: /^Today/, selected: false }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  if (!(await search.evaluate((e) => e === document.activeElement))) fault("the focus does not return");
  await page.keyboard.press("Meta+k");
  await box.fill("inb");
  await page.getByRole("option", { name: /^Inbox/, selected: true }).waitFor();
  await box.fill("agus");
  await page.getByRole("option", { name: /^Agus Setiawan/ }).waitFor();
  await page.keyboard.press("Enter");
  const day = page.getByRole("dialog", { name: "Agus Setiawan" });
  await day.waitFor();
  await judge("day-empty");
  await day.getByRole("button", { name: "Previous day" }).click();
  await day.getByText("In at").waitFor();
  await page.reload();
  await day.getByText("In at").waitFor();
  await page.keyboard.press("Escape");
  await page.waitForURL("**/app/today");
}

/** Shows nothing in a frame of another page. */
async function frame() {
  const other = await context.newPage();
  await other.route("http://other.test/", (route) =>
    route.fulfill({ contentType: "text/html", body: `<iframe src="${origin}/app/today"></iframe>` }),
  );
  await other.goto("http://other.test/");
  const [, framed] = other.frames();
  await framed.waitForURL(/^chrome-error:/);
  await other.close();
}

/** Ends the session while somebody writes a note: what was written and selected is there afterwards. */
async function expire() {
  await page.getByRole("link", { name: /^Inbox/ }).click();
  await heading("Inbox");
  const box = page.getByRole("listitem").getByRole("checkbox").first();
  await box.check();
  await page.getByLabel("Note", { exact: true }).fill("half a sen");
  const there = page.url();
  if (!there.includes("selected=")) fault(`what is selected is not in ${there}`);
  listen(false); // the browser says what is refused
  await asked("end");
  await heading("Sign in");
  await page.getByText("Your session has ended.").waitFor();
  await judge("ended");
  if (/token|half/.test(page.url())) fault(page.url());
  await enterPassword();
  await heading("Inbox");
  listen(true);
  if (page.url() !== there) fault(`back at ${page.url()}, not at ${there}`);
  await page.getByText("1 selected").waitFor();
  if ((await page.getByLabel("Note", { exact: true }).inputValue()) !== "half a sen") fault("the note is lost");
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  if (/eyJ|wf_[a-z]+_/.test(kept)) fault(`a token is stored: ${kept}`);
  await page.getByRole("link", { name: "Today" }).click();
}

/** Shows what was read before while there is no connection, to who comes from another screen. */
async function read() {
  await page.getByRole("list", { name: "Counts" }).waitFor();
  listen(false);
  await context.setOffline(true);
  await page.getByText("No connection.").waitFor();
  await page.getByRole("link", { name: /^Inbox/ }).click();
  await heading("Inbox");
  await page.getByRole("list", { name: "Leave" }).getByRole("listitem").first().waitFor();
  await judge("inbox-offline");
  await page.getByRole("link", { name: "Today" }).click();
  await page.getByRole("list", { name: "Counts" }).waitFor();
  await context.setOffline(false);
  await isLive();
  listen(true);
}

/** Shows what happened while there was no connection, or the page was asleep. */
async function miss() {
  await isLive();
  await inCount(4);
  listen(false);
  await context.setOffline(true);
  await page.getByText("Not live", { exact: true }).waitFor();
  await asked("clock in");
  await context.setOffline(false);
  await isLive();
  await inCount(5);
  const devtools = await context.newCDPSession(page);
  await devtools.send("Page.enable");
  await devtools.send("Page.setWebLifecycleState", { state: "frozen" });
  await asked("clock out");
  await devtools.send("Page.setWebLifecycleState", { state: "active" });
  await inCount(4);
}

/** Goes on by itself once a server that was killed is there again. */
async function kill() {
  await asked("kill");
  await page.getByText("Not live", { exact: true }).waitFor();
  await page.getByRole("combobox", { name: "Status" }).selectOption("off");
  await page.getByText("The server cannot be reached.").waitFor();
  await judge("unreachable");
  await asked("start");
  await page.getByText("Live", { exact: true }).waitFor();
  await page.getByText("The server cannot be reached.").waitFor({ state: "hidden" });
  await asked("clock in");
  await inCount(5);
  listen(true);
}

await run([enter, find, frame, expire, read, miss, kill]);
