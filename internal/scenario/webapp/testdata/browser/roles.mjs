// Uses Roles, Audit and Messages as an owner does: makes, changes and deletes a role, reads what that was
// recorded as, and sends a message again.
import { asked, fault, heading, judge, look, page, run, signIn } from "./bench.mjs";

const button = (name, within = page) => within.getByRole("button", { name, exact: true });
const status = (text, within = page) => within.getByRole("status").filter({ hasText: text }).waitFor();
const dialog = (name) => page.getByRole("dialog", { name });
const go = async (link) => {
  await page.getByRole("link", { name: link, exact: true }).click();
  await heading(link);
};

async function enter() {
  await signIn("today");
  await go("Roles");
  await page.getByRole("columnheader", { name: /^Manager/ }).waitFor();
}

const lookAtRoles = () => look("roles", (spoken) => heading(spoken === "id" ? "Peran" : "Roles"));

/** Makes a role like another one; built-in ones have no button. */
async function make() {
  if ((await page.getByRole("columnheader").getByRole("button").count()) > 0) fault("a built-in role can be changed");
  await button("New role").click();
  const form = dialog("New role");
  await form.getByLabel("Name", { exact: true }).fill("Clerk");
  await form.getByLabel("Begin as").selectOption({ label: "Employee" });
  await form.getByLabel("See people").selectOption("all");
  await judge("roles-new");
  await button("Save", form).click();
  await status("Clerk was made.");
  await asked("role Clerk user.read.all");
}

/** Changes a role that somebody has, after a question. */
async function change() {
  await asked("give Clerk");
  await page.reload();
  await button("Change", page.getByRole("columnheader", { name: /^Clerk/ })).click();
  const form = dialog("Change Clerk");
  await form.getByText("1 person has it").waitFor();
  await form.getByLabel("See people").selectOption("team");
  await button("Save", form).click();
  await button("Change", dialog("Change Clerk, which 1 person has?")).click();
  await status("Clerk was changed.");
  await asked("role Clerk user.read.team");
}

async function remove() {
  await asked("take Clerk");
  await page.reload();
  await button("Change", page.getByRole("columnheader", { name: /^Clerk/ })).click();
  await button("Delete", dialog("Change Clerk")).click();
  await button("Delete", dialog("Delete Clerk?")).click();
  await status("Clerk was deleted.");
  await asked("role Clerk");
}

/** Reads before and after of the change side by side. */
async function audit() {
  await go("Audit");
  await page.getByLabel("On what").selectOption("Role");
  await page.getByRole("combobox", { name: "What", exact: true }).selectOption("updated");
  await page.getByRole("link", { name: "Role changed" }).first().click();
  const event = dialog("Role changed");
  const row = event.getByRole("row", { name: /permissions/i });
  await row.getByText("user.read.all").waitFor();
  await row.getByText("user.read.team").waitFor();
  await judge("audit-event");
  await button("Everything about this", event).click();
  await page.getByRole("row", { name: /^Role deleted/ }).waitFor();
  await page.getByRole("row", { name: /^Role added Clerk/ }).waitFor();
}

const lookAtAudit = () => look("audit", () => heading("Audit"));

/** Sends what failed again; codes have no button. */
async function messages() {
  await asked("failed");
  await go("Messages");
  const code = page.getByRole("row", { name: /Code to sign in/ }).first();
  await code.waitFor();
  if ((await code.getByRole("button").count()) > 0) fault("a code can be sent again");
  await page.getByLabel("Fate").selectOption("failed");
  const row = page.getByRole("row", { name: /^Budi Santoso/ });
  await row.getByText("no such mailbox").waitFor();
  await button("Send again", row).click();
  await status("on its way to Budi Santoso again");
  await asked("sent again");
}

const lookAtMessages = () => look("messages", (spoken) => heading(spoken === "id" ? "Pesan" : "Messages"));

await run([enter, lookAtRoles, make, change, remove, audit, lookAtAudit, messages, lookAtMessages]);
