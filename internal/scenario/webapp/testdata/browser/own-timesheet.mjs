// Shows an employee the days of their own month and their own reports, and nothing of others.
import { context, fault, heading, judge, now, origin, page, run, signIn } from "./bench.mjs";

async function days() {
  await context.clock.setFixedTime(now);
  await signIn("timesheets");
  await heading("Timesheets");
  await page.getByRole("region", { name: "Budi Santoso" }).getByRole("table").waitFor();
  await judge("own-days");
  for (const name of ["Search", "Business"]) if (await page.getByLabel(name, { exact: true }).isVisible()) fault(`an employee is shown ${name}`);
  if (await page.getByRole("button", { name: "Lock period" }).isVisible()) fault("an employee is shown how to lock");
  await page.goto(`${origin}/app/timesheets?person=1`);
  await page.getByRole("region", { name: "Budi Santoso" }).waitFor();
}

async function file() {
  const own = page.getByRole("group", { name: "File of this month" });
  const [saved] = await Promise.all([page.waitForEvent("download"), own.getByRole("button", { name: "Generate" }).click()]);
  console.log(`saved ${saved.suggestedFilename()}`);
  await page.getByRole("link", { name: "Reports" }).click();
  await heading("Reports");
  await page.getByRole("row", { name: /^Timesheet/ }).getByRole("button", { name: "Download" }).waitFor();
  await page.getByRole("button", { name: "Generate", exact: true }).click();
  await page.getByRole("dialog", { name: "Generate a report" }).waitFor();
  if (await page.getByRole("combobox", { name: "Person" }).isVisible()) fault("an employee chooses a person");
  await judge("own-reports");
}

await run([days, file]);
