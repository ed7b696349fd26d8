// Signs an employee in where browsers are approved, and shows that they see what is theirs alone.
import { asked, context, email, enterPassword, fault, heading, judge, language, menu, now, origin, page, run } from "./bench.mjs";

async function enter() {
  await context.clock.setFixedTime(now);
  await page.goto(`${origin}/app/`);
  await enterPassword();
  await page.getByLabel("Code", { exact: true }).fill(await asked("code 2"));
  await page.keyboard.press("Enter");
  await page.getByText("Somebody who manages you has to approve this browser.").waitFor();
  await judge("approval");
  await asked("approve");
  await menu.waitFor();
  await language("en");
  await heading("Me"); // where employees begin
  await menu.getByRole("link", { name: "Today" }).click();
}

async function look() {
  await heading("Today");
  await page.getByText("Shift", { exact: true }).waitFor(); // of their own day
  await page.getByRole("main").getByRole("link", { name: "Timesheet of March 2026" }).waitFor();
  for (const role of ["table", "combobox", "dialog"]) {
    const names = await page.getByRole("main").getByRole(role).allInnerTexts();
    if (names.length > 0) fault(`${email} sees a ${role}: ${names}`);
  }
  await page.getByRole("button", { name: "Previous day" }).click();
  await page.getByText("Out at").waitFor();
  await judge("today-employee");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search" }).fill("agus");
  await page.getByText("Nothing found.").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: /^Inbox/ }).click();
  await heading("Inbox");
  await page.getByText("Nothing waits for you.").waitFor();
  await judge("inbox-employee");
}

/** Shows no screen to who lacks its permission. */
async function lack() {
  await asked("take");
  await page.goto(`${origin}/app/inbox`);
  await heading("Inbox");
  await page.getByText("FORBIDDEN").waitFor();
  await judge("forbidden");
  const links = await menu.getByRole("link").allInnerTexts();
  if (links.join() !== "Me,Tasks") fault(`who may only read tasks finds ${links} in the navigation`);
}

/** Who reads neither leave nor corrections sees a day without them. */
async function narrow() {
  await asked("narrow");
  await page.goto(`${origin}/app/today`);
  await heading("Today");
  await page.getByRole("button", { name: "Previous day" }).waitFor();
  await page.getByText("Fleksibel, flexible hours").first().waitFor();
  if ((await page.getByText("FORBIDDEN").count()) > 0) fault("the day is refused as a whole");
}

await run([enter, look, lack, narrow]);
