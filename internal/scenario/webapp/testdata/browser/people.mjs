// Uses People, Roles, Audit and Messages as an owner does: finds, adds, changes, invites again,
// deactivates, imports and erases; makes, changes and deletes a role; looks at what that was recorded as.
import { asked, fault, heading, judge, look, page, run, signIn } from "./bench.mjs";

const button = (name, within = page) => within.getByRole("button", { name, exact: true });
const status = (text, within = page) => within.getByRole("status").filter({ hasText: text }).waitFor();
const dialog = (name) => page.getByRole("dialog", { name });
const go = async (link, name) => {
  await page.getByRole("link", { name: link, exact: true }).click();
  await heading(name);
};

async function enter() {
  await signIn("today");
  await go("People", "People");
  await status(/^27 people$/);
  await page.getByRole("row", { name: /Budi Santoso/ }).waitFor();
}

const lookAround = () => look("people", (spoken) => heading(spoken === "id" ? "Karyawan" : "People"));

/** Finds by words and by business, which a reload keeps. */
async function find() {
  const search = page.getByRole("searchbox", { name: "Search" });
  await search.pressSequentially("santoso ");
  await page.waitForURL(/q=santoso/); // the space stays for the next word
  await search.pressSequentially("bud");
  await status(/^1 person$/);
  await page.reload();
  await status(/^1 person$/);
  await button("Remove filters").click();
  await page.getByRole("group", { name: "Businesses" }).getByRole("link", { name: /^Gudang/ }).click();
  await status(/^3 people$/);
  await button("Remove filters").click();
  await status(/^27 people$/);
}

/** Adds somebody, with a fault at its field first; invites them again, which is refused at once in words. */
async function add() {
  await button("New person").click();
  const form = dialog("New person");
  await form.getByLabel("Name", { exact: true }).fill("Zahra Putri");
  await form.getByLabel("Email").fill("budi@demo.test");
  await button("Save", form).click();
  await form.locator("#person-new-email[aria-invalid=true]").waitFor();
  await judge("people-fault");
  await form.getByLabel("Email").fill("zahra@demo.test");
  await form.getByLabel("Business").selectOption({ label: "\u2003\u2003Gudang" });
  await button("Save", form).click();
  await status("Zahra Putri was added");
  await asked("invited zahra@demo.test 1");
}

/** Adds somebody with a password, which has to be a good one: they are not invited. */
async function addWithPassword() {
  await button("New person").click();
  const form = dialog("New person");
  await form.getByLabel("Name", { exact: true }).fill("Wulan Sari");
  await form.getByLabel("Email").fill("wulan@demo.test");
  await form.getByLabel("Password").fill("wulan sari");
  await button("Save", form).click();
  await form.locator("#person-new-password[aria-invalid=true]").waitFor();
  await judge("people-password");
  await page.reload();
  if (await form.getByLabel("Password").inputValue()) fault("a password is kept in the draft");
  await form.getByLabel("Password").fill("tujuh belas gunung biru");
  await button("Save", form).click();
  await status(/^Wulan Sari was added\.$/);
  await asked("invited wulan@demo.test 0");
  if ((await asked("password wulan@demo.test")) !== "true") fault("no password is set");
}

/** Invites the person of before again: four clicks from Today. */
async function invite() {
  await go("Today", "Today");
  await asked("wait");
  await page.getByRole("link", { name: "People", exact: true }).click();
  await page.getByRole("searchbox", { name: "Search" }).fill("zahra");
  await page.getByRole("link", { name: "Zahra Putri" }).click();
  const panel = dialog("Zahra Putri");
  await panel.getByText("Has not signed in yet").waitFor();
  await button("Invite again", panel).click();
  await status("An invitation to Zahra Putri is on its way.", panel);
  await asked("invited zahra@demo.test 2");
  await judge("people-person");
}

/** Changes, deactivates and reactivates them, and takes their phone away in words. */
async function change() {
  const panel = dialog("Zahra Putri");
  await button("Change", panel).click();
  const form = dialog("Change Zahra Putri");
  await form.getByLabel("First day").fill("2026-01-05");
  await judge("people-change");
  await button("Save", form).click();
  await form.waitFor({ state: "hidden" });
  await panel.getByText("2026-01-05").first().waitFor();
  await button("Deactivate", panel).click();
  await button("Deactivate", dialog("Deactivate Zahra Putri?")).click();
  await status("Zahra Putri is deactivated.", panel);
  await asked("person zahra@demo.test false 2026-01-05");
  await button("Reactivate", panel).click();
  await status("Zahra Putri is active again.", panel);
  await asked("person zahra@demo.test true 2026-01-05");
}

/** Erases them, once their name was typed. */
async function erase() {
  await button("Erase", dialog("Zahra Putri")).click();
  const asks = dialog("Erase Zahra Putri for good?");
  if (await button("Erase", asks).isEnabled()) fault("erases without the name");
  await asks.getByRole("textbox").fill("zahra putri");
  await button("Erase", asks).click();
  await status("The person is being erased.");
  await asked("gone zahra@demo.test");
}

/** Takes all phones of somebody away who has signed in often: those without a session, too. */
async function lost() {
  await asked("worn budi@demo.test");
  await page.getByRole("searchbox", { name: "Search" }).fill("budi");
  await page.getByRole("link", { name: "Budi Santoso" }).click();
  const panel = dialog("Budi Santoso");
  await button("Lost phone", panel).click();
  const asks = dialog("Budi Santoso lost their phone?");
  await asks.getByText("Pixel 2 (iPhone)").waitFor();
  await judge("people-lost");
  await button("Lost phone", asks).click();
  await status(/^2 devices taken away/, panel);
  await asked("lost budi@demo.test");
  await button("Close", panel).click();
}

/** Imports a table: faults by row and column first, then the rows without. */
async function importTable() {
  await button("Remove filters").click();
  await button("Import").click();
  const panel = dialog("Import people");
  const text = "name,email,gender\nYusuf,yusuf@demo.test,male\nZainal,not an address,male\n";
  await panel.getByLabel("Table").setInputFiles({ name: "people.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
  await button("Check the table", panel).click();
  await panel.getByRole("row", { name: /^3.*email/ }).waitFor();
  await judge("people-faults");
  if (await button("Import 1 person", panel).isEnabled()) fault("imports in spite of faults");
  await panel.getByRole("checkbox", { name: "Import the rows without faults" }).check();
  await button("Import 1 person", panel).click();
  await button("Import 1 person", dialog("Import 1 person?")).click();
  await status("Imported: 1 new, 0 changed.", panel);
  await asked("person yusuf@demo.test true ");
  await button("Close", panel).click();
}

/** Imports many by a job, which a reload finds again. */
async function importMany() {
  await button("Import").click();
  const panel = dialog("Import people");
  const lines = Array.from({ length: 300 }, (_, i) => `Many ${i},many${i}@demo.test`);
  await panel.getByLabel("Table").setInputFiles({ name: "many.csv", mimeType: "text/csv", buffer: Buffer.from(`name,email\n${lines.join("\n")}\n`) });
  await button("Check the table", panel).click();
  await page.waitForURL(/import=[0-9]+/);
  await page.reload();
  await asked("jobs");
  await panel.getByLabel("Table").setInputFiles({ name: "many.csv", mimeType: "text/csv", buffer: Buffer.from(`name,email\n${lines.join("\n")}\n`) });
  await button("Import 300 people", panel).click();
  await button("Import 300 people", dialog("Import 300 people?")).click();
  await panel.getByRole("progressbar").waitFor();
  await asked("jobs");
  await status("Imported: 300 new, 0 changed.", panel);
  await button("Close", panel).click();
  await status(/^329 people$/);
}

await run([enter, lookAround, find, add, addWithPassword, invite, change, erase, lost, importTable, importMany]);
