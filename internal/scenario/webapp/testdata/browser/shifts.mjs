// Uses Shifts as an admin does: makes a shift, changes it from a date on, makes a rotation of it, a
// fallback shift and a leave type, and deletes.
import { asked, context, fault, heading, judge, look, now, page, run, signIn } from "./bench.mjs";

const outcome = (text) => page.locator(".outcome").filter({ hasText: text }).first().waitFor();
const dialog = (name) => page.getByRole("dialog", { name, exact: true });
const save = (name) => dialog(name).getByRole("button", { name: "Save", exact: true }).click();
const row = (list, name) => page.getByRole("table", { name: list, exact: true }).getByRole("row", { name });

async function enter() {
  await context.clock.setFixedTime(now);
  await signIn("shifts");
  await heading("Shifts");
  await row("Shifts", /^Pagi 08:00–17:00/).waitFor();
  await row("Leave types", /^Cuti tahunan/).waitFor();
}

const lookAround = () => look("shifts", (spoken) => heading(spoken === "id" ? "Shift" : "Shifts"));

/** Makes a shift; what is wrong with it stands at its field. */
async function make() {
  await page.getByRole("button", { name: "New shift" }).click();
  const form = dialog("New shift");
  await form.getByLabel("Start", { exact: true }).fill("14:00");
  await form.getByLabel("End", { exact: true }).fill("22:00");
  await save("New shift");
  await form.getByRole("alert").waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute("name") === "name");
  await judge("shift-refused");
  await form.getByLabel("Name", { exact: true }).fill("Siang");
  await form.getByRole("button", { name: "Add a break" }).click();
  await form.getByLabel("Break 1 from").fill("18:00");
  await form.getByLabel("Break 1 to").fill("18:30");
  await form.getByRole("combobox", { name: "Colour" }).selectOption("Orange");
  await page.reload(); // what was entered is kept
  await save("New shift");
  await outcome("Siang is saved.");
  await row("Shifts", /^Siang 14:00–22:00/).waitFor();
  await asked("shift Siang 14:00 22:00 #EA580C 0");
}

/** Changes its times from a later date on; what it was before stays. */
async function change() {
  await row("Shifts", /^Siang/).getByRole("button", { name: "Siang", exact: true }).click();
  const form = dialog("Shift");
  await form.getByLabel("From", { exact: true }).fill("2026-04-01");
  await form.getByLabel("End", { exact: true }).fill("21:00");
  await judge("shift");
  await save("Shift");
  await form.waitFor({ state: "hidden" });
  await outcome("Siang is saved.");
  await asked("shift Siang 14:00 21:00 #EA580C 1");
  await row("Shifts", /^Siang/).getByRole("button", { name: "Siang", exact: true }).click();
  await dialog("Shift").getByText("14:00–21:00").waitFor();
  await dialog("Shift").getByText("14:00–22:00").waitFor();
  await page.keyboard.press("Escape");
}

async function rotate() {
  await page.getByRole("button", { name: "New rotation" }).click();
  const form = dialog("New rotation");
  await form.getByLabel("Name").fill("Dua-dua");
  await form.getByRole("combobox", { name: "Day 1" }).selectOption("Siang");
  await form.getByRole("button", { name: "Add a day" }).click();
  await form.getByRole("button", { name: "Add a day" }).click();
  await form.getByRole("combobox", { name: "Day 3" }).selectOption("Day off");
  await judge("rotation");
  await save("New rotation");
  await outcome("Dua-dua is saved.");
  await row("Rotations", /^Dua-dua Siang, Siang, Day off/).waitFor();
}

async function fallBack() {
  await page.getByRole("button", { name: "Set a fallback shift" }).click();
  const form = dialog("Set a fallback shift");
  await form.getByRole("combobox", { name: "For" }).selectOption("A business and all below it");
  await form.getByRole("combobox", { name: "A business and all below it" }).selectOption({ label: "\u2003\u2003Gudang" });
  await form.getByRole("combobox", { name: "Shift" }).selectOption("Siang");
  await judge("fallback");
  await form.getByRole("button", { name: "Save", exact: true }).click();
  await row("Fallback shifts", /^Gudang/).waitFor();
  await asked("fallback Gudang Siang");
  await row("Fallback shifts", /^Gudang/).getByRole("button", { name: "Take away that of Gudang" }).click();
  await dialog("Take the fallback shift of Gudang away?").getByRole("button", { name: "Take away" }).click();
  await outcome("Gudang has no fallback shift any more.");
}

async function leave() {
  await page.getByRole("button", { name: "New leave type" }).click();
  await dialog("New leave type").getByLabel("Name").fill("Cuti menikah");
  await dialog("New leave type").getByLabel("Days a year").fill("2.5");
  await save("New leave type");
  await outcome("Cuti menikah is saved.");
  await row("Leave types", /^Cuti menikah Paid Half a day 2.5/).waitFor();
}

/** Deletes after a question; what is in use stays, and why is said. */
async function remove() {
  await row("Shifts", /^Siang/).getByRole("button", { name: "Delete Siang" }).click();
  await judge("delete-asked");
  await dialog("Delete Siang?").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("alert").waitFor();
  if ((await row("Shifts", /^Siang/).count()) !== 1) fault("a shift in use is gone");
  await row("Leave types", /^Cuti menikah/).getByRole("button", { name: "Delete Cuti menikah" }).click();
  await dialog("Delete Cuti menikah?").getByRole("button", { name: "Delete" }).click();
  await outcome("Cuti menikah is deleted.");
  await row("Leave types", /^Cuti menikah/).waitFor({ state: "hidden" });
}

await run([enter, lookAround, make, change, rotate, fallBack, leave, remove]);
