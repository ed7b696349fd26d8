// Uses the roster as an employee does: sees the own row alone, asks for another shift, and withdraws that.
import { asked, context, fault, heading, judge, now, page, run, signIn } from "./bench.mjs";

async function enter() {
  await context.clock.setFixedTime(now);
  await signIn("roster", 2);
  await heading("Roster");
  await judge("roster-own");
  const rows = page.getByRole("grid").getByRole("row");
  await rows.nth(1).waitFor();
  if ((await rows.count()) !== 2) fault(`an employee sees ${await rows.count()} rows`);
  for (const name of ["Assign a shift", "Copy a week"])
    if ((await page.getByRole("button", { name }).count()) > 0) fault(`an employee may ${name}`);
}

async function ask() {
  await page.getByRole("button", { name: /^Budi Santoso, Thu 12 Mar:/ }).click();
  const dialog = page.getByRole("dialog", { name: "Swap", exact: true });
  await dialog.getByRole("button", { name: "Ask for the swap" }).click();
  await dialog.getByRole("alert").getByText("Choose what you want in exchange.").first().waitFor();
  await judge("swap-refused");
  await dialog.getByRole("combobox", { name: "Another shift on this day" }).selectOption({ label: "Pagi 08:00–17:00" });
  await dialog.getByLabel("Note").fill("a wedding");
  await dialog.getByRole("button", { name: "Ask for the swap" }).click();
  await page.locator(".outcome").getByText("Asked. You are told when it is decided.").waitFor();
  await asked("swap budi@demo.test 2026-03-12 Pagi");
}

/** Sees what became of the request, also after a reload, and withdraws it. */
async function withdraw() {
  await page.reload();
  const row = page.getByRole("table", { name: "My swap requests" }).getByRole("row", { name: /Thu 12 Mar/ });
  await row.getByText("Pagi, Thu 12 Mar").waitFor();
  await row.getByText("waits for a manager").waitFor();
  await judge("own-swaps");
  await row.getByRole("button", { name: /^Withdraw the swap of .*, Thu 12 Mar$/ }).click();
  await page.getByRole("status").filter({ hasText: /^The swap of .*, Thu 12 Mar was withdrawn\.$/ }).waitFor();
  await row.getByText("withdrawn").waitFor();
  if ((await row.getByRole("button").count()) > 0) fault("what was withdrawn can be withdrawn");
  await asked("withdrawn budi@demo.test 2026-03-12");
}

await run([enter, ask, withdraw]);
