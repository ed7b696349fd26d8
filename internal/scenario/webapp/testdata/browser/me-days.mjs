// The days of an employee: a month, a day, what they ask for, and what became of it.
import { asked, context, fault, focused, heading, judge, language, look, narrow, now, origin, page, run, signIn } from "./bench.mjs";

const month = () => page.getByRole("grid", { name: "March 2026" });
const request = (name) => page.getByRole("list", { name: "My requests" }).getByRole("listitem", { name });

/** What was asked for is told where it is seen, and has the focus. */
async function told() {
  const outcome = page.locator("wf-days > .outcome");
  await outcome.getByText("Asked. You are told when it is decided.").waitFor();
  if (!(await outcome.evaluate((e) => e === document.activeElement))) fault("the outcome does not have the focus");
  if ((await outcome.getAttribute("role")) !== "status") fault("the outcome is no status");
  const { top, bottom } = await outcome.evaluate((e) => e.getBoundingClientRect());
  if (top < 0 || bottom > narrow.height) fault(`the outcome is at ${top}, out of sight`);
}

async function enter() {
  await context.clock.setFixedTime(now);
  await page.setViewportSize(narrow);
  await signIn("me");
  await page.getByRole("navigation", { name: "My pages" }).getByRole("link", { name: "Days" }).press("Enter");
  await heading("Days");
  await page.waitForFunction(() => document.activeElement.matches("wf-days h1"));
  await month().getByRole("link", { name: /^Mon 9 Mar, Fleksibel flexible hours/ }).waitFor();
  if ((await month().getByText(/00:00|23:59/).count()) > 0) fault("flexible days have hours");
  if ((await month().getByText(/\d:\d\d worked/).count()) > 0) fault("durations have two forms");
  const today = await month().locator("[aria-current=date]").innerText();
  if (!today.startsWith("Tue 10 Mar")) fault(`today is ${today}`);
  if ((await month().getByRole("link", { name: /^Tue 31 Mar, Fleksibel/ }).count()) !== 1) fault("what is planned later is not shown");
  await page.getByRole("list", { name: "Balances" }).getByRole("listitem", { name: "Cuti tahunan" }).getByText("12 of 12 days left").waitFor();
}

const has = () => page.evaluate(() => document.activeElement.textContent.trim().slice(0, 10));

/** What is asked for is the first thing after the heading, and the month one stop of Tab whose days keys lead through. */
async function keys() {
  await page.locator("wf-days h1").focus();
  await page.keyboard.press("Tab");
  await focused(page.getByRole("button", { name: "Ask for leave" }));
  for (let i = 0; i < 8 && !(await has()).startsWith("Tue 10 Mar"); i++) await page.keyboard.press("Tab");
  const ways = [
    ["ArrowRight", "Wed 11 Mar"], ["ArrowDown", "Wed 18 Mar"], ["Home", "Mon 16 Mar"], ["End", "Sun 22 Mar"],
    ["ArrowLeft", "Sat 21 Mar"], ["ArrowUp", "Sat 14 Mar"],
  ];
  for (const [key, day] of ways) {
    await page.keyboard.press(key);
    if (!(await has()).startsWith(day)) fault(`${key} leads to ${await has()}, not to ${day}`);
  }
  if ((await month().locator("a[tabindex='0']").count()) !== 1) fault("the month is not one stop of Tab");
  await page.keyboard.press("PageDown");
  await page.getByRole("grid", { name: "April 2026" }).waitFor();
  await page.waitForFunction(() => document.activeElement.textContent.trim().startsWith("Tue 14 Apr"));
  await page.keyboard.press("PageUp");
  await page.waitForFunction(() => document.activeElement.textContent.trim().startsWith("Sat 14 Mar"));
}

/** Opens a day by its link, goes on to the next, and back to the month. */
async function open() {
  await month().getByRole("link", { name: /^Mon 9 Mar/ }).click();
  const dialog = page.getByRole("dialog", { name: "Day" });
  await dialog.getByText("Monday 9 March 2026").or(dialog.getByText("Monday, 9 March 2026")).waitFor();
  await dialog.getByText("Fleksibel, flexible hours").waitFor();
  if ((await dialog.getByText("23 h 59 min").count()) > 0) fault("a flexible day is expected to be worked whole");
  await judge("me-day");
  await dialog.getByRole("button", { name: "Previous day" }).click();
  await page.waitForURL(/date=2026-03-08/);
  await page.reload();
  await dialog.getByRole("button", { name: "Close" }).click();
  await page.waitForURL((url) => !url.search.includes("date="));
  await page.getByRole("button", { name: "Next month" }).click();
  await page.getByRole("grid", { name: "April 2026" }).waitFor();
  await page.goBack();
  await page.getByRole("button", { name: "This month" }).or(month()).first().waitFor();
  await page.goto(`${origin}/app/me/days`);
}

/** Asks for leave after seeing what it takes, and takes it back. */
async function leave() {
  await page.getByRole("button", { name: "Ask for leave" }).click();
  const dialog = page.getByRole("dialog", { name: "Ask for leave" });
  await dialog.getByLabel("First day").fill("2026-03-24");
  await dialog.getByLabel("Last day").fill("2026-03-25");
  await dialog.getByText("It takes 2 days.").waitFor();
  await dialog.getByText("12 of 12 days are left before it.").waitFor();
  await dialog.getByRole("button", { name: "Ask for leave" }).click();
  const reason = dialog.getByLabel("Reason");
  await dialog.getByText("This is required.").waitFor();
  await focused(reason);
  if ((await reason.getAttribute("aria-required")) !== "true") fault("the reason is not required");
  const marked = await dialog.getByText("Reason", { exact: true }).evaluate((e) => getComputedStyle(e, "::after").content);
  if (!marked.includes("*")) fault("nothing marks what is required");
  if ((await dialog.getByText(/errors/).count()) > 0) fault("the fault is in words of developers");
  await judge("me-leave");
  await reason.fill("a wedding");
  await dialog.getByRole("alert").waitFor({ state: "detached" });
  await dialog.getByLabel("Last day").fill("2026-03-23");
  await dialog.getByRole("button", { name: "Ask for leave" }).click();
  await dialog.getByText("The last day is before the first one.").waitFor();
  await focused(dialog.getByLabel("Last day"));
  await dialog.getByLabel("Last day").fill("2026-03-25");
  await dialog.getByRole("alert").waitFor({ state: "detached" });
  await dialog.getByRole("button", { name: "Ask for leave" }).click();
  await told();
  await asked("leave pending 2026-03-24 2026-03-25 a wedding");
  const mine = request("Cuti tahunan, Tue 24 Mar – Wed 25 Mar");
  await mine.getByText("waits for a decision").waitFor();
  await month().getByRole("link", { name: /^Tue 24 Mar, Cuti tahunan, waits/ }).waitFor();
  await mine.getByRole("button", { name: /^Withdraw/ }).click();
  await mine.getByText("withdrawn").waitFor();
  await asked("leave cancelled 2026-03-24 2026-03-25 a wedding");
}

/** What was approved is taken back after a question alone. */
async function approved() {
  await asked("approve");
  await page.reload();
  const mine = request("Cuti tahunan, Thu 26 Mar");
  await mine.getByText("approved by Ratna Wijayanti").waitFor();
  await mine.getByText("enjoy").waitFor();
  await mine.getByRole("button", { name: /^Withdraw/ }).click();
  const question = page.getByRole("dialog", { name: "Withdraw Cuti tahunan, Thu 26 Mar?" });
  await judge("me-withdraw");
  await question.getByRole("button", { name: "Withdraw" }).click();
  await mine.getByText("withdrawn").waitFor();
  await asked("leave cancelled 2026-03-26 2026-03-26 one day");
}

/** Asks for other times of a day that was worked. */
async function correction() {
  await month().getByRole("link", { name: /worked/ }).last().click();
  await page.getByRole("dialog", { name: "Day" }).getByRole("button", { name: "Ask for a correction" }).click();
  const dialog = page.getByRole("dialog", { name: "Ask for a correction" });
  await dialog.getByLabel("Reason").fill("the gate was shut");
  await dialog.getByRole("button", { name: "Ask for a correction" }).click();
  await dialog.getByRole("alert").getByText("Change a time first.").waitFor();
  const field = dialog.getByLabel("Clocked out at");
  await field.fill((await field.inputValue()).replace(/T.*/, "T18:30"));
  await judge("me-correction");
  await dialog.getByRole("button", { name: "Ask for a correction" }).click();
  await told();
  await request(/^Correction, /).getByText("18:30 · Kantor Pusat · the gate was shut").waitFor();
  await asked("correction 18:30 the gate was shut");
}

/** Asks for the times of a day without an entry: the site is the usual one, the times those of the shift where it has some. */
async function missing() {
  const day = await asked("missing");
  await page.goto(`${origin}/app/me/days?month=2026-03`);
  const link = month().getByRole("link", { name: /^Mon 2 Mar/ });
  await link.click();
  await page.getByRole("dialog", { name: "Day" }).getByRole("button", { name: "Ask for a correction" }).click();
  const dialog = page.getByRole("dialog", { name: "Ask for a correction" });
  const values = async () => [await dialog.getByLabel("Clocked in at").inputValue(), await dialog.getByLabel("Clocked out at").inputValue()];
  await dialog.getByLabel("Reason").waitFor();
  if ((await values()).join("") !== "") fault(`a flexible shift proposes ${await values()}`);
  const site = await dialog.getByLabel("Site").evaluate((e) => e.selectedOptions[0].textContent);
  if (site !== day) fault(`${site} is the usual site, not ${day}`);
  await dialog.getByLabel("Reason").fill("no phone");
  await dialog.getByRole("button", { name: "Ask for a correction" }).click();
  await dialog.getByText("This is required.").first().waitFor();
  await focused(dialog.getByLabel("Clocked in at"));
  await judge("me-missing");
  await dialog.getByLabel("Clocked in at").fill("2026-03-02T09:00");
  await dialog.getByLabel("Clocked out at").fill("2026-03-05T17:00"); // which the server alone refuses
  await dialog.getByRole("button", { name: "Ask for a correction" }).click();
  await dialog.getByText(/^This must lie between 2 Mar .*09:00.* and 3 Mar /).waitFor();
  await focused(dialog.getByLabel("Clocked out at"));
  if ((await dialog.getByText(/errors|2026-03/).count()) > 0) fault("the fault is in words of developers");
  await dialog.getByLabel("Clocked out at").fill("2026-03-02T17:00");
  await dialog.getByRole("button", { name: "Ask for a correction" }).click();
  await told();
  await request("Correction, Mon 2 Mar").getByText(`09:00–17:00 · ${day} · no phone`).waitFor();
}

async function swap() {
  await month().getByRole("link", { name: /^Thu 12 Mar/ }).click();
  await page.getByRole("dialog", { name: "Day" }).getByRole("button", { name: "Ask for a swap" }).click();
  const dialog = page.getByRole("dialog", { name: "Ask for a swap" });
  await dialog.getByLabel("Shift that you want instead").selectOption({ label: "Pagi 08:00–17:00" });
  await dialog.getByText("Fleksibel flexible hours").first().waitFor({ state: "attached" });
  await dialog.getByLabel("Note").fill("a course");
  await judge("me-swap");
  await dialog.getByRole("button", { name: "Ask for a swap" }).click();
  await told();
  await request("Swap, Thu 12 Mar").getByText("Fleksibel → Pagi · a course").waitFor();
  await asked("swap 2026-03-12 Pagi");
}

const looks = () => look("me-days", (spoken) => heading(spoken === "id" ? "Hari" : "Days"));

/** The words of faults are plain in Indonesian too. */
async function spoken() {
  await language("id");
  await page.getByRole("button", { name: "Ajukan cuti" }).click();
  const dialog = page.getByRole("dialog", { name: "Ajukan cuti" });
  await dialog.getByLabel("Alasan").waitFor();
  await dialog.getByRole("button", { name: "Ajukan cuti" }).click();
  await dialog.getByText("Wajib diisi.").waitFor();
  await dialog.getByRole("alert").getByText("Periksa isian yang ditandai.").waitFor();
  await dialog.getByRole("button", { name: "Batal" }).click();
  await page.getByRole("button", { name: "Ajukan cuti" }).click();
  await dialog.getByLabel("Alasan").waitFor();
  if ((await dialog.getByRole("alert").count()) > 0) fault("an old fault is still there");
  await dialog.getByRole("button", { name: "Batal" }).click();
  await language("en");
}

await run([enter, keys, open, leave, approved, correction, missing, swap, spoken, looks]);
