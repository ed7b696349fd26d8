// The days of an employee: a month, a day, what they ask for, and what became of it.
import { asked, context, fault, heading, judge, look, narrow, now, origin, page, run, signIn } from "./bench.mjs";

const month = () => page.getByRole("list", { name: "March 2026" });
const request = (name) => page.getByRole("list", { name: "My requests" }).getByRole("listitem", { name });
const told = () => page.locator("wf-days > .outcome").getByText("Asked. You are told when it is decided.").waitFor();

async function enter() {
  await context.clock.setFixedTime(now);
  await page.setViewportSize(narrow);
  await signIn("me");
  await page.getByRole("navigation", { name: "My pages" }).getByRole("link", { name: "Days" }).click();
  await heading("Days");
  await month().getByRole("link", { name: /^Mon 9 Mar, Fleksibel 00:00–23:59/ }).waitFor();
  const today = await month().locator("[aria-current=date]").innerText();
  if (!today.startsWith("Tue 10 Mar")) fault(`today is ${today}`);
  if ((await month().getByRole("link", { name: /^Tue 31 Mar, Fleksibel/ }).count()) !== 1) fault("what is planned later is not shown");
  await page.getByRole("list", { name: "Balances" }).getByRole("listitem", { name: "Cuti tahunan" }).getByText("12 of 12 days left").waitFor();
}

/** Opens a day by its link, goes on to the next, and back to the month. */
async function open() {
  await month().getByRole("link", { name: /^Mon 9 Mar/ }).click();
  const dialog = page.getByRole("dialog", { name: "Day" });
  await dialog.getByText("Monday 9 March 2026").or(dialog.getByText("Monday, 9 March 2026")).waitFor();
  await dialog.getByText("Fleksibel, 00:00–23:59").waitFor();
  await judge("me-day");
  await dialog.getByRole("button", { name: "Previous day" }).click();
  await page.waitForURL(/date=2026-03-08/);
  await page.reload();
  await dialog.getByRole("button", { name: "Close" }).click();
  await page.waitForURL((url) => !url.search.includes("date="));
  await page.getByRole("button", { name: "Next month" }).click();
  await page.getByRole("list", { name: "April 2026" }).waitFor();
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
  await dialog.getByRole("alert").first().waitFor(); // no reason
  await judge("me-leave");
  await dialog.getByLabel("Reason").fill("a wedding");
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
  await request(/^Correction, /).getByText("18:30 · the gate was shut").waitFor();
  await asked("correction 18:30 the gate was shut");
}

async function swap() {
  await month().getByRole("link", { name: /^Thu 12 Mar/ }).click();
  await page.getByRole("dialog", { name: "Day" }).getByRole("button", { name: "Ask for a swap" }).click();
  const dialog = page.getByRole("dialog", { name: "Ask for a swap" });
  await dialog.getByLabel("Shift that you want instead").selectOption({ label: "Pagi 08:00–17:00" });
  await dialog.getByLabel("Note").fill("a course");
  await judge("me-swap");
  await dialog.getByRole("button", { name: "Ask for a swap" }).click();
  await told();
  await request("Swap, Thu 12 Mar").getByText("Fleksibel → Pagi · a course").waitFor();
  await asked("swap 2026-03-12 Pagi");
}

const looks = () => look("me-days", (spoken) => heading(spoken === "id" ? "Hari" : "Days"));

await run([enter, open, leave, approved, correction, swap, looks]);
