// Uses the web app as an owner does who pays people: reads a month, of everybody and of one, saves the
// payroll file, locks the month, and has reports made, cancelled, scheduled and deleted.
import { readFileSync } from "node:fs";
import { asked, context, fault, heading, judge, look, narrow, now, origin, page, run, signIn, wide } from "./bench.mjs";

const table = page.getByRole("table", { name: /^Timesheets / });
const row = (name) => table.getByRole("row", { name: new RegExp(`^${name}`) });
const button = (name) => page.getByRole("button", { name, exact: true });
const dialog = (name) => page.getByRole("dialog", { name, exact: true });

async function enter() {
  await context.clock.setFixedTime(now);
  await signIn("today");
  await heading("Today");
}

/** A month of everybody: what each has worked is what the API says. */
async function month() {
  await page.getByRole("link", { name: "Timesheets" }).click();
  await heading("Timesheets");
  await row("Budi Santoso").waitFor();
  await look("timesheets", (spoken) => heading(spoken === "id" ? "Lembar waktu" : "Timesheets"));
  const shown = Number(await page.getByRole("list", { name: "Sums" }).getByRole("listitem").filter({ hasText: "People" }).locator("strong").innerText());
  const rows = (await table.getByRole("row").count()) - 1;
  const people = Number(await asked("people"));
  if (shown !== people || rows !== people) fault(`${shown} people, ${rows} rows, want ${people}`);
  await page.getByLabel("Search", { exact: true }).fill("santo");
  await page.waitForURL("**search=santo");
  if ((await table.getByRole("row").count()) !== 2) fault("the search has not found one person");
  await page.reload();
  await row("Budi Santoso").waitFor();
  if ((await page.getByLabel("Search", { exact: true }).inputValue()) !== "santo") fault("the search is lost by a reload");
  await page.getByLabel("Search", { exact: true }).fill("");
  await row("Siti Rahmawati").waitFor();
}

/** A person's days below, whose sums are those of the month; back comes to where one was. */
async function person() {
  const worked = await row("Siti Rahmawati").getByRole("cell").first().innerText();
  await row("Siti Rahmawati").getByRole("link").press("Enter");
  const days = page.getByRole("region", { name: "Siti Rahmawati" });
  await days.getByRole("table").waitFor();
  if (!(await days.innerText()).includes(worked)) fault(`${worked} is not among the sums of the person`);
  await judge("person");
  await page.setViewportSize(narrow);
  await judge("person-360");
  await page.setViewportSize(wide);
  const wanted = await asked("days siti@demo.test");
  const clocked = await days.locator("tbody tr").evaluateAll((rows) => rows.filter((r) => !r.cells[3].matches(".empty")).length);
  if (String(clocked) !== wanted) fault(`${clocked} days with clock-ins, want ${wanted}`);
  await button("Previous month").click();
  await page.waitForURL("**month=**");
  await days.getByRole("table").waitFor();
  await button("Next month").click();
  await page.getByRole("link", { name: "All people" }).click();
  await row("Siti Rahmawati").waitFor();
  await page.waitForFunction(() => document.activeElement?.textContent === "Siti Rahmawati");
  await page.goBack();
  await days.waitFor();
  await page.goForward();
  await row("Siti Rahmawati").waitFor();
}

/** The payroll file of the month, which is saved as soon as it is made, by two clicks from Today. */
async function payroll() {
  await page.goto(`${origin}/app/today`);
  await page.getByRole("link", { name: "Timesheets" }).click();
  const payroll = page.getByRole("group", { name: "Payroll file" });
  const [file] = await Promise.all([page.waitForEvent("download"), payroll.getByRole("button", { name: "Generate" }).click()]);
  if (!/^timesheet-.*\.xlsx$/.test(file.suggestedFilename())) fault(`the payroll file is ${file.suggestedFilename()}`);
  if (readFileSync(await file.path()).subarray(0, 2).toString() !== "PK") fault("the payroll file is no workbook");
  await page.getByText(/^timesheet-.*\.xlsx is saved\.$/).waitFor();
  await judge("payroll");
  await page.reload();
  const [again] = await Promise.all([page.waitForEvent("download"), payroll.getByRole("button", { name: "Download" }).click()]);
  if (again.suggestedFilename() !== file.suggestedFilename()) fault("another file is saved after a reload");
  // What is being made when the page is loaded anew is saved too.
  await payroll.getByRole("combobox", { name: "Format" }).selectOption("csv");
  await payroll.getByRole("button", { name: "Generate" }).click();
  await page.waitForURL("**report=**");
  const saved = page.waitForEvent("download", { timeout: 10_000 }).catch(() => undefined);
  await page.reload();
  await page.getByText(/\.csv is (saved|made)\.$/).waitFor();
  if (await page.getByText(/\.csv is saved\.$/).isVisible()) await saved;
  if ((await asked("reports")) !== "timesheet xlsx, timesheet csv") fault("the reports of the payroll file are others");
}

async function lock() {
  await button("Previous month").click();
  await button("Lock period").click();
  const question = page.getByRole("dialog", { name: /^Lock .*\?$/ });
  await question.waitFor();
  await judge("lock");
  await question.getByRole("button", { name: "Cancel" }).click();
  if ((await asked("lock")) !== "") fault("a period is locked without an answer");
  await button("Lock period").click();
  await question.getByRole("button", { name: "Lock", exact: true }).click();
  await button("Unlock period").waitFor();
  await judge("locked");
  const locked = await asked("lock");
  if (!/^\d{4}-\d\d-01 \d{4}-\d\d-\d\d$/.test(locked)) fault(`the locked period is ${locked}`);
  await button("Unlock period").click();
  await page.getByRole("dialog", { name: /^Unlock .*\?$/ }).getByRole("button", { name: "Unlock", exact: true }).click();
  await button("Lock period").waitFor();
  if ((await asked("lock")) !== "") fault("a period stays locked");
}

async function generate() {
  await page.getByRole("link", { name: "Reports" }).click();
  await heading("Reports");
  await page.getByText("Live", { exact: true }).waitFor();
  await look("reports", (spoken) => heading(spoken === "id" ? "Laporan" : "Reports"));
  await button("Generate").click();
  const form = dialog("Generate a report");
  await form.getByLabel("Kind").selectOption("task");
  await form.getByLabel("Period").selectOption("dates");
  await form.getByRole("button", { name: "Generate" }).click();
  await form.getByText("Enter both dates.").first().waitFor();
  await judge("generate");
  await form.getByLabel("From").fill(now.slice(0, 10));
  await page.reload();
  if ((await form.getByLabel("From").inputValue()) !== now.slice(0, 10)) fault("the form is lost by a reload");
  await form.getByLabel("To", { exact: true }).fill(now.slice(0, 10));
  await form.getByRole("combobox", { name: "Person" }).fill("siti");
  await form.getByRole("option", { name: "Siti Rahmawati" }).click();
  await form.getByLabel("Format").selectOption("csv");
  await form.getByRole("button", { name: "Generate" }).click();
  await form.waitFor({ state: "detached" });
  const made = page.getByRole("table", { name: "Made" }).getByRole("row", { name: /^Tasks/ });
  await made.getByText("Siti Rahmawati").waitFor();
  const [file] = await Promise.all([page.waitForEvent("download"), made.getByRole("button", { name: "Download" }).click()]);
  if (!/^task-.*\.csv$/.test(file.suggestedFilename())) fault(`the report is ${file.suggestedFilename()}`);
  if (!readFileSync(await file.path(), "utf8").startsWith("\ufeff")) fault("the CSV file has no byte order mark");
}

/** A report that waits is cancelled, which is shown without a click. */
async function cancel() {
  await asked("queue");
  await page.reload();
  const waiting = page.getByRole("list", { name: "Being made" }).getByRole("listitem", { name: /^Leave/ });
  await waiting.waitFor();
  await judge("being-made");
  await waiting.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("row", { name: /^Leave/ }).getByText("Cancelled").waitFor();
}

async function schedule() {
  await page.getByRole("link", { name: "Timesheets" }).click();
  await page.getByRole("link", { name: "Schedule" }).click();
  const form = dialog("Schedule a report");
  await form.waitFor();
  await judge("schedule");
  await form.getByRole("button", { name: "Schedule" }).click();
  const scheduled = page.getByRole("table", { name: "Scheduled" }).getByRole("row", { name: /^Timesheet, every month/ });
  await scheduled.getByRole("button", { name: "Pause" }).click();
  await scheduled.getByRole("button", { name: "Resume" }).waitFor();
  if ((await asked("schedules")) !== "timesheet month false") fault("the schedule is not paused");
  await scheduled.getByRole("button", { name: "Delete" }).click();
  const question = page.getByRole("dialog", { name: /^Delete the schedule/ });
  await judge("delete");
  await question.getByRole("button", { name: "Delete" }).click();
  await page.getByText("Nothing is scheduled.").waitFor();
  if ((await asked("schedules")) !== "") fault("the schedule is not deleted");
}

await run([enter, month, person, payroll, lock, generate, cancel, schedule]);
