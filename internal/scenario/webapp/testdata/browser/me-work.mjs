// The work of an employee, and what is known of them: timer, photo, tickets, devices, consents, their data.
import { readFile } from "node:fs/promises";
import { asked, context, fault, focused, heading, judge, look, narrow, now, page, run, signIn, told } from "./bench.mjs";

const bar = (name) => page.getByRole("navigation", { name: "My pages" }).getByRole("link", { name, exact: true }).click();

async function enter() {
  await context.clock.setFixedTime(now);
  await page.setViewportSize(narrow);
  await signIn("me", 2);
  await bar("Work");
  await heading("Work");
}

async function timer() {
  const list = page.getByRole("list", { name: "My tasks" });
  await list.getByRole("listitem", { name: told.task }).getByRole("button", { name: `Start the timer of ${told.task}` }).press("Enter");
  const running = page.getByRole("region", { name: "Running timer" });
  await running.getByText(told.task).waitFor();
  await focused(running.getByRole("button", { name: `Stop the timer of ${told.task}` }));
  await asked("runs 1");
  await judge("me-timer");
  await running.getByRole("button", { name: `Stop the timer of ${told.task}` }).press("Enter");
  await page.getByRole("status").getByText(/^Stopped after/).waitFor();
  await focused(list.getByRole("button", { name: `Start the timer of ${told.task}` }));
  await asked("runs 0");
}

async function photo() {
  const field = page.getByLabel(`Add a photo to ${told.task}`);
  if ((await field.getAttribute("capture")) !== "environment") fault("a photo is not asked of the camera");
  await field.setInputFiles({ name: "door.png", mimeType: "image/png", buffer: Buffer.from(told.picture, "base64") });
  await page.getByRole("status").getByText(`1 photo is in ${told.task}.`).waitFor();
  await asked("photos 1");
}

async function leads() {
  await page.getByRole("list", { name: "My tasks" }).getByRole("link", { name: told.task }).click();
  await page.getByRole("dialog", { name: told.task }).waitFor();
  await page.goBack();
  await page.getByRole("link", { name: "New ticket" }).click();
  const dialog = page.getByRole("dialog", { name: "New ticket" });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await heading("Work");
  await page.getByRole("link", { name: "New ticket" }).click();
  await dialog.getByLabel("Subject").fill("The door jams");
  await dialog.getByRole("button", { name: "Save" }).click();
  await heading("Work");
  await page.getByRole("status").getByText("The door jams").waitFor();
  await page.getByRole("list", { name: "My tickets" }).getByRole("link", { name: "The door jams" }).waitFor();
  await page.waitForFunction(() => document.activeElement.matches("h1"));
  if ((await page.getByRole("navigation", { name: "My pages" }).locator("[aria-current=page]").innerText()).trim() !== "Work")
    fault("the bar does not say where one is");
  await page.getByRole("link", { name: "All tickets" }).click();
  await page.getByRole("link", { name: "My work" }).click();
  await heading("Work");
  await look("me-work", (spoken) => heading(spoken === "id" ? "Kerja" : "Work"));
}

async function profile() {
  await page.setViewportSize(narrow);
  await bar("Profile");
  await heading("Profile");
  await page.getByRole("list", { name: "Devices that you trust" }).getByRole("listitem").filter({ hasText: "this browser" }).waitFor();
  const other = page.getByRole("list", { name: "Devices that you trust" }).getByRole("button", { name: /^Stop trusting: / });
  const name = (await other.getAttribute("aria-label")).replace("Stop trusting: ", "");
  await other.click();
  await page.getByRole("dialog", { name: `Trust ${name} no more?` }).getByRole("button", { name: "Stop trusting" }).click();
  await page.getByRole("status").getByText("is trusted no more").waitFor();
  await asked("devices 1");
  await page.getByText("Nobody has looked at your positions.").waitFor();
  await page.getByRole("button", { name: "Allow positions on duty" }).click();
  await page.getByRole("status").getByText("Positions on duty are allowed.").waitFor();
  await asked("consent true");
  await page.getByRole("button", { name: "Stop positions on duty" }).click();
  await page.getByRole("status").getByText("Positions on duty are stopped.").waitFor();
  await asked("consent false");
}

/** What is saved keeps the focus; the page has one heading of its name, and its tables are too small to be files. */
async function saved() {
  const save = page.getByRole("button", { name: "Save", exact: true });
  await page.getByLabel("Language").last().selectOption("id");
  await save.focus();
  await page.keyboard.press("Enter");
  const kept = page.getByRole("button", { name: "Simpan", exact: true });
  await page.getByRole("status").getByText("Tersimpan.").waitFor();
  await focused(kept);
  await page.locator("wf-profile form").first().getByLabel("Bahasa").selectOption("en");
  await kept.click();
  await page.getByRole("status").getByText("Saved.").waitFor();
  if ((await page.getByRole("heading", { name: "Profile", exact: true }).count()) !== 1) fault("two headings are Profile");
  if ((await page.getByRole("button", { name: /CSV|Print/ }).count()) > 0) fault("a small table is printed");
}

async function data() {
  const make = page.getByRole("button", { name: "Make the file" });
  await make.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "Download" }).waitFor();
  await focused(make);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download" }).click();
  const file = await readFile(await (await download).path());
  if (file.subarray(0, 2).toString() !== "PK") fault("the file of one's own data is no ZIP file");
  await look("me-profile", (spoken) => heading(spoken === "id" ? "Profil" : "Profile"));
}

await run([enter, timer, photo, leads, profile, saved, data]);
