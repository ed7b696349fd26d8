// Makes an API key as an owner does, sees it once, and revokes it.
import { asked, fault, heading, judge, look, page, run, signIn } from "./bench.mjs";

const list = () => page.getByRole("table", { name: "API keys" });
const create = () => page.getByRole("dialog", { name: "New key" });

async function enter() {
  await signIn("keys");
  await heading("API keys");
  await page.getByText("No program has a key.").waitFor();
  await judge("keys-none");
}

/** The form names what is missing, and gives only what a key may have. */
async function make() {
  await page.getByRole("button", { name: "New key" }).click();
  await create().getByRole("button", { name: "Save" }).click();
  await create().locator("[aria-invalid=true]").first().waitFor();
  await create().getByLabel("Name").fill("Payroll");
  await create().getByRole("button", { name: "Save" }).click();
  await create().getByText("Choose at least one thing that the key may.").waitFor();
  await judge("keys-refused");
  const offered = await create().getByRole("checkbox").evaluateAll((all) => all.map((box) => box.name));
  if (offered.some((name) => /^(audit|company|developer|device|report|role|session)\./.test(name))) fault(`it offers ${offered}`);
  await create().locator("input[name='user.read.all']").check();
  await create().locator("input[name='attendance.read.all']").check();
  await create().getByLabel("Valid for").selectOption({ label: "30 days" });
  await judge("key-form");
  await create().getByRole("button", { name: "Save" }).click();
}

/** The key is shown this once. */
async function once() {
  const made = page.getByRole("dialog", { name: "Payroll was made." });
  const key = await made.getByLabel("Key", { exact: true }).inputValue();
  if (!/^wfk_[A-Za-z0-9_-]{48}$/.test(key)) fault("the key is not shown");
  await judge("key-once");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await made.getByRole("button", { name: "Copy" }).click();
  await made.getByText("Copied.").waitFor();
  if ((await page.evaluate(() => navigator.clipboard.readText())) !== key) fault("the key is not copied");
  await asked(`use ${key}`);
  await page.keyboard.press("Escape");
  await made.waitFor({ state: "detached" });
  await page.reload();
  await list().getByText("Payroll").waitFor();
  if ((await page.content()).includes(key)) fault("the key is shown again");
  await list().getByText(/from 127\.0\.0\.1/).waitFor();
  await look("keys", (spoken) => heading(spoken === "id" ? "Kunci API" : "API keys"));
}

async function revoke() {
  await list().getByRole("button", { name: "Revoke Payroll" }).click();
  const asks = page.getByRole("dialog", { name: "Revoke Payroll?" });
  await judge("keys-question");
  await asks.getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("status").getByText("Payroll was revoked.").waitFor();
  await list().getByText("Revoked").waitFor();
  if ((await list().getByRole("button", { name: "Revoke Payroll" }).count()) > 0) fault("it can be revoked again");
  await asked("unused");
}

await run([enter, make, once, revoke]);
