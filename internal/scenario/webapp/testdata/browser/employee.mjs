// Signs an employee in where browsers are approved, and shows that they see what is theirs alone.
import { asked, context, email, enterPassword, fault, heading, judge, language, now, origin, page, run } from "./bench.mjs";

async function enter() {
  await context.clock.setFixedTime(now);
  await page.goto(`${origin}/app/`);
  await enterPassword();
  await page.getByLabel("Code", { exact: true }).fill(await asked("code 2"));
  await page.keyboard.press("Enter");
  await page.getByText("Somebody who manages you has to approve this browser.").waitFor();
  await judge("approval");
  await asked("approve");
  await page.getByRole("navigation").waitFor();
  await language("en");
}

async function look() {
  await heading("Today");
  const rows = await page.locator("tbody tr").count();
  if (rows !== 1) fault(`${email} sees ${rows} people`);
  await judge("today-employee");
  if ((await page.getByRole("navigation").getByRole("link", { name: /^Inbox/ }).count()) > 0) fault("an employee is led to the Inbox");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search" }).fill("agus");
  await page.getByText("Nothing found.").waitFor();
  await page.goto(`${origin}/app/inbox`);
  await heading("Inbox");
  await page.getByText("FORBIDDEN").waitFor();
  await judge("forbidden");
}

await run([enter, look]);
