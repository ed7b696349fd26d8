// Uses Settings as an owner does: finds settings, changes some, and brings their defaults back.
import { asked, fault, heading, judge, look, page, run, signIn } from "./bench.mjs";

const save = () => page.getByRole("button", { name: "Save" }).click();
const told = (text) => page.getByRole("status").getByText(text, { exact: true }).waitFor();

async function enter() {
  await signIn("settings");
  await heading("Settings");
  await page.getByLabel("Name of the company").waitFor();
  await judge("settings-all");
  await page.getByRole("combobox", { name: "Group" }).selectOption({ label: "Working time" });
  await page.getByLabel("Name of the company").waitFor({ state: "detached" });
  await look("settings", (spoken) => heading(spoken === "id" ? "Pengaturan" : "Settings"));
}

async function change() {
  await page.getByRole("combobox", { name: "Group" }).selectOption({ label: "All groups" });
  await page.getByLabel("Allowed inaccuracy (m)").fill("ten");
  await page.getByLabel("Night begins", { exact: true }).fill("23:30");
  await page.getByLabel("Clock-in outside the site", { exact: true }).selectOption({ label: "Accept it" });
  await page.getByRole("group", { name: "Weekly days off" }).getByLabel("Sunday").check();
  await page.getByLabel("Unused sign-in ends after (days)").fill("30");
  await page.getByText("5 changes to save").waitFor();
  await page.reload();
  await page.getByText("5 changes to save").waitFor(); // the draft survives
  await save();
  await page.getByText("This is no whole number.").waitFor();
  if (!(await page.getByLabel("Allowed inaccuracy (m)").evaluate((e) => e === document.activeElement))) fault("the fault is not at its field");
  await judge("settings-refused");
  await page.getByLabel("Allowed inaccuracy (m)").fill("9");
  await save();
  await page.locator("[aria-invalid=true]").waitFor(); // the server says why
  await page.getByLabel("Allowed inaccuracy (m)").fill("50");
  await save();
  await told("5 changes saved.");
  await asked('settings {"accuracyMeters":50,"geofenceIn":"off","nightStartMinute":1410,"refreshIdleDays":30,"weeklyOffs":[7]}');
}

/** What deletes is asked about; the default comes back as null. */
async function back() {
  await page.getByLabel("Search settings").fill("kept audit");
  await page.getByLabel("Audit is kept (days)").fill("100");
  await save();
  const asks = page.getByRole("dialog", { name: "Save these changes?" });
  await asks.getByText("Audit is kept: 100 days. What is older is deleted for good.").waitFor();
  await judge("settings-question");
  await asks.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Discard" }).click();
  await page.getByLabel("Search settings").fill("");
  await page.getByLabel("Only what differs from the default").check();
  await page.getByLabel("Night begins", { exact: true }).waitFor();
  await page.getByLabel("Night ends").waitFor({ state: "detached" });
  await judge("settings-differing");
  for (const name of ["Clock-in outside the site", "Night begins", "Unused sign-in ends after", "Allowed inaccuracy"])
    await page.getByRole("button", { name: `Back to the default: ${name}` }).click();
  await save();
  await told("4 changes saved.");
  await asked('settings {"weeklyOffs":[7]}');
  await page.getByLabel("Search settings").fill("nothing of this kind");
  await page.getByText("No setting has this").waitFor();
  await page.getByRole("link", { name: "Show all settings" }).click();
}

async function brand() {
  const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  await page.getByLabel("Upload a logo").setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: Buffer.from(pixel, "base64") });
  await told("The logo is saved.");
  await page.getByLabel("Name of the company").fill("Nusantara Baru");
  await page.getByRole("combobox", { name: "Time zone" }).fill("makas");
  await page.getByRole("option", { name: "Asia/Makassar" }).click();
  await save();
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await told("2 changes saved.");
  await asked("company Nusantara Baru | Asia/Makassar");
  await page.getByRole("button", { name: "Remove the logo" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove the logo" }).click();
  await told("The default logo is shown again.");
}

await run([enter, change, back, brand]);
