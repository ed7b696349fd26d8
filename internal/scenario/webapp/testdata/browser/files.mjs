// Imports people by a CSV and by a workbook, and holidays by a calendar, each with faults first, and
// saves what the app gives as files, which the test opens.
import { asked, context, fault, heading, judge, now, origin, page, run, signIn, told } from "./bench.mjs";

const { folder, people, events } = told;
/** Whether it takes minutes. */
const many = people > 1000;
const long = { timeout: many ? 300_000 : 60_000 };
/** How many rows of a table may be in the page. */
const most = 400;
/** How long the page may stand still, in milliseconds. */
const still = 2000;

const button = (name, within = page) => within.getByRole("button", { name, exact: true });
const dialog = (name) => page.getByRole("dialog", { name, exact: true });
const panel = dialog("Import people");
const outcome = (text, options = long) => panel.getByRole("status").filter({ hasText: text }).waitFor(options);

/** Saves what a click gives in the folder. */
async function save(name, click) {
  const [file] = await Promise.all([page.waitForEvent("download", long), click()]);
  await file.saveAs(`${folder}/${name}`);
  return file.suggestedFilename();
}

/** Begins to note how far the progress is at each frame, and how long the page stands still. */
const watch = () =>
  page.evaluate(() => {
    globalThis.watched = { seen: [], still: 0 };
    let last = performance.now();
    const look = () => {
      const now = performance.now();
      globalThis.watched.still = Math.max(globalThis.watched.still, now - last);
      last = now;
      const shown = document.querySelector("wf-import progress")?.value;
      if (shown !== undefined && shown !== globalThis.watched.seen.at(-1)) globalThis.watched.seen.push(shown);
      requestAnimationFrame(look);
    };
    look();
  });

/** Judges what was noted. */
async function judgeProgress(what) {
  const { seen, still: longest } = await page.evaluate(() => globalThis.watched);
  console.log(`${what}: progress ${seen.join(" ")}, still for ${Math.round(longest)} ms`);
  if (longest > still) fault(`${what}: the page stands still for ${Math.round(longest)} ms`);
  if (seen.some((n, i) => n < seen[i - 1])) fault(`${what}: the progress shown is ${seen.join(" ")}`);
}

/** Has a table looked through, in an import that shows none. */
async function check(name) {
  await panel.getByLabel("Table").setInputFiles(`${folder}/${name}`);
  await button("Check the table", panel).click();
}

const would = () => panel.getByRole("heading", { name: "What would happen" }).waitFor(long);

/** Looks through a table with faults, which are shown by row and column, not all of them in the page at once. */
async function seeFaults(format) {
  await watch();
  await check(`wrong.${format}`);
  await would();
  await judgeProgress(`${format} with faults`);
  const faults = people / 5;
  const shown = Math.min(faults, 1000);
  const list = panel.getByRole("table", { name: "Faults by row and column" });
  const first = list.getByRole("row", { name: /^3 / });
  if (!(await panel.getByRole("listitem").filter({ hasText: "Faults" }).innerText()).includes(String(faults))) fault(`not ${faults} faults`);
  const words = (await first.innerText()).replaceAll(/\s+/g, " ");
  if (!/^3 .*email .*name@example.com/i.test(words)) fault(`the fault of row 3 is ${words}`);
  const second = (await list.getByRole("row", { name: /^5 / }).innerText()).replaceAll(/\s+/g, " ");
  if (!/^5 .*gender .*female/i.test(second)) fault(`the fault of row 5 is ${second}`);
  if ((await list.getAttribute("aria-rowcount")) !== String(shown + 1)) fault("the table of faults has another length");
  if (faults > shown) await panel.getByText(`The first ${shown} of ${faults} faults.`).waitFor();
  const last = list.getByRole("row", { name: new RegExp(`^${shown * 5 - 5} `) });
  for (let i = 0; i < 50 && !(await last.isVisible()); i++) { // rows that come into the page move the end
    await list.locator("[data-block]").last().scrollIntoViewIfNeeded();
    await page.waitForTimeout(100);
  }
  await last.waitFor();
  const rows = await list.locator("tbody [role=row]").count();
  if (rows > most) fault(`${rows} rows of faults are in the page`);
  if (many && format === "csv") await judge("faults");
  if (await button(`Import ${people - faults} people`, panel).isEnabled()) fault("imports in spite of faults");
}

/** Waits until the progress of what is held is shown, and cancels it. */
async function cancel(name, said) {
  await page.waitForFunction(() => document.querySelector("wf-import progress")?.value > 0, undefined, long);
  await panel.getByText(new RegExp(`[1-9][0-9]* % of ${people} people`)).waitFor();
  await button(name, panel).click();
  await outcome(said);
  await asked("go");
  await button("Check another table", panel).click();
}

/** Looks through a table without faults; of the CSV, that is cancelled first. */
async function seeRight(format) {
  await button("Check another table", panel).click();
  if (format === "csv") {
    await asked("hold");
    await check(`right.${format}`);
    await cancel("Cancel check", "The check was cancelled.");
  }
  await check(`right.${format}`);
  await would();
}

async function write(said) {
  await button(`Import ${people} people`, panel).click();
  await watch();
  await button(`Import ${people} people`, dialog(`Import ${people} people?`)).click();
  if (said !== undefined) await outcome(said);
}

/** Imports a table for real; of the CSV, that is cancelled first. */
async function imported(format, before, said) {
  await page.getByRole("button", { name: /^(Import|Show import)$/ }).click();
  await seeFaults(format);
  await asked(`people ${before}`);
  await seeRight(format);
  await asked(`people ${before}`);
  if (format === "csv") {
    await asked("hold");
    await write();
    await cancel("Cancel import", "The import was cancelled. Nobody was imported.");
    await asked("cancelled 2");
    await asked(`people ${before}`);
    await check(`right.${format}`);
    await would();
  }
  await write(said);
  await judgeProgress(format);
  await asked(`people ${format}`);
  await button("Close", panel).click();
}

async function enter() {
  await context.clock.setFixedTime(now);
  await signIn("timesheets");
  await heading("Timesheets");
}

/** Saves the payroll file, as a workbook and as CSV. */
async function payroll() {
  const group = page.getByRole("group", { name: "Payroll file" });
  for (const format of many ? ["csv", "xlsx"] : ["xlsx"]) {
    await group.getByRole("combobox", { name: "Format" }).selectOption(format);
    await save(`payroll.${format}`, () => button("Generate", group).click());
    await asked(`saved payroll.${format} -1`);
  }
}

/** Has a report of each format made, and saves it. */
async function reports() {
  await page.getByRole("link", { name: "Reports" }).click();
  await heading("Reports");
  const wanted = [["attendance", "pdf", "Attendance", "PDF"], ["task", "csv", "Tasks", "CSV"], ["overtime", "xlsx", "Overtime", "Excel (xlsx)"]];
  for (const [kind, format, name, called] of wanted.slice(0, many ? 3 : 2)) {
    await button("Generate").click();
    const form = dialog("Generate a report");
    await form.getByLabel("Kind").selectOption(kind);
    await form.getByLabel("Period").selectOption("lastMonth");
    await form.getByLabel("Format").selectOption(format);
    await button("Generate", form).click();
    const made = page.getByRole("table", { name: "Made" }).getByRole("row", { name: new RegExp(`^${name}`) }).filter({ hasText: called });
    const download = button("Download", made).first();
    await download.waitFor(long);
    const file = await save(`${kind}.${format}`, () => download.click());
    if (!new RegExp(`^${kind}-.*\\.${format}$`).test(file)) fault(`the report is called ${file}`);
    await asked(`saved ${kind}.${format} -1`);
  }
}

async function csvIn() {
  await page.getByRole("link", { name: "People", exact: true }).click();
  await heading("People");
  await imported("csv", "none", `Imported: ${people} new, 0 changed.`);
}

const workbookIn = () => imported("xlsx", "csv", `Imported: 0 new, ${people} changed.`);

/** Saves everybody: as a table that is imported again, and as it is shown. */
async function out() {
  const all = people + 27;
  await page.getByRole("status").filter({ hasText: new RegExp(`^${all} people$`) }).waitFor(long);
  const rows = await page.getByRole("table", { name: "People" }).locator("tbody [role=row]").count();
  if (rows > most) fault(`${rows} rows of people are in the page`);
  await save("people.csv", () => button("Export").click());
  await asked(`saved people.csv ${all}`);
  await save("table.csv", () => button("Save as CSV").click());
  await asked(`saved table.csv ${all}`);
  if (all > 10_000) return; // more than one table may have
  await button("Import").click();
  await check("people.csv");
  await outcome("Everybody is as the table says; there is nothing to import.");
  await button("Close", panel).click();
}

/** Imports a calendar: what is wrong by event first. */
async function calendar() {
  const wrong = events / 10;
  await page.goto(`${origin}/app/organization?show=holidays&holiday=import`);
  const box = dialog("Import a calendar file");
  await box.getByLabel("Calendar file").setInputFiles(`${folder}/holidays.ics`);
  await button("Check the file", box).click();
  await box.getByText(`${wrong} left out · ${events - wrong} new`).waitFor(long);
  await asked("holidays 0");
  const list = box.getByRole("table", { name: "What the file has" });
  const row = list.getByRole("row", { name: /^Rapat 009 / });
  const words = (await row.innerText()).replaceAll(/\s+/g, " ");
  if (!/^Rapat 009 .*Left out .*\d+ .*day/i.test(words)) fault(`the fault of an event is ${words}`);
  const rows = await list.locator("tbody [role=row]").count();
  if (rows > most) fault(`${rows} rows of a calendar are in the page`);
  if (many) await judge("calendar");
  await button(`Import ${events - wrong}`, box).click();
  await box.getByRole("status").getByText(`${events - wrong} added, 0 renamed.`).waitFor(long);
  await asked(`holidays ${events - wrong}`);
}

await run([enter, payroll, reports, csvIn, workbookIn, out, calendar]);
