// Uses Organization as an owner does: trees by keys, sites by position, holidays by a file.
import { asked, context, fault, heading, judge, listen, look, now, page, run, signIn } from "./bench.mjs";

const dialog = (name) => page.getByRole("dialog", { name, exact: true });
const told = (text) => page.getByRole("status").getByText(text, { exact: true }).waitFor();
const row = (name) => page.getByRole("treeitem", { name: new RegExp(`^${name}, `) });
const tab = (name) => page.getByRole("list", { name: "Parts of the organization" }).getByRole("link", { name }).click();

/** Finds one in a field by a part of its name. */
async function pick(label, name) {
  await page.getByRole("combobox", { name: label }).fill(name);
  await page.getByRole("option", { name }).first().click();
}

async function enter() {
  await context.clock.setFixedTime(now);
  await signIn("organization");
  await heading("Organization");
  await row("Nusantara").waitFor();
  await look("organization", (spoken) => heading(spoken === "id" ? "Organisasi" : "Organization"));
}

/** Walks the tree by keys alone, closes a part of it, and opens one. */
async function walk() {
  await row("Nusantara").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowLeft");
  await row("Gudang").waitFor();
  await row("Operasional Bandung").waitFor({ state: "detached" });
  await page.reload();
  await row("Gudang").waitFor();
  if (await row("Operasional Bandung").count()) fault("what was closed is open after a reload");
  await row("Nusantara").focus();
  await page.keyboard.press("k");
  await page.keyboard.press("ArrowRight");
  await row("Operasional Bandung").waitFor();
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await dialog("Operasional Jakarta").waitFor();
  await judge("business");
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => document.activeElement?.textContent?.includes("Operasional Jakarta"));
}

async function manage() {
  await row("Gudang").click();
  await page.getByRole("button", { name: "New one below" }).click();
  await dialog("New business").getByLabel("Name", { exact: true }).fill("Gudang Dua");
  await pick("Manager", "Budi Santoso");
  await page.getByRole("button", { name: "Create" }).click();
  await told("Gudang Dua was created.");
  await asked("business Gudang Dua | Gudang | Budi Santoso");
  await row("Gudang Dua").click();
  await dialog("Gudang Dua").getByLabel("Name", { exact: true }).fill("Layanan Pelanggan");
  await page.getByRole("button", { name: "Move" }).click(); // the draft of the name stays
  await pick("Above it", "Kantor Jakarta");
  await judge("move");
  await page.getByRole("dialog").getByRole("button", { name: "Move" }).click();
  await told("Gudang Dua was moved.");
  await row("Gudang Dua").click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await dialog("Gudang Dua").getByRole("alert").waitFor(); // a sibling has this name
  await dialog("Gudang Dua").getByLabel("Name", { exact: true }).fill("Gudang Tiga");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await told("Gudang Tiga was saved.");
  await asked("business Gudang Tiga | Kantor Jakarta | Budi Santoso");
  await row("Gudang").first().click();
  await page.getByRole("button", { name: "Delete" }).click();
  await dialog("Delete Gudang?").getByText("Gudang has 3 people and 1 site.").waitFor();
  await judge("delete");
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("alert").waitFor(); // they have to go somewhere
  await pick("Where its people, sites and what is below go", "Gudang Tiga");
  await page.getByRole("button", { name: "Delete" }).click();
  await told("Gudang was deleted.");
  await page.getByRole("treeitem", { name: "Gudang Tiga, 3 people" }).click();
  await page.getByRole("button", { name: "Merge" }).click();
  await pick("The one that remains", "Layanan Pelanggan");
  await page.getByRole("dialog").getByRole("button", { name: "Merge" }).click();
  await told("Gudang Tiga was merged into Layanan Pelanggan.");
  await page.getByRole("treeitem", { name: "Layanan Pelanggan, 7 people" }).waitFor();
  await asked("no business Gudang");
  await tab("Designations");
  await page.getByRole("button", { name: "New designation" }).click();
  await dialog("New designation").getByLabel("Name", { exact: true }).fill("Juru Masak");
  await page.getByRole("button", { name: "Create" }).click();
  await told("Juru Masak was created.");
  await row("Juru Masak").waitFor();
  await judge("designations");
}

/** Creates a site where this device is, which it says once it is allowed to. */
async function stand() {
  await tab("Sites");
  await page.getByRole("row", { name: "Kantor Pusat" }).waitFor();
  await judge("sites");
  await page.getByRole("button", { name: "New site" }).click();
  const site = dialog("New site");
  await site.getByRole("button", { name: "Use this device's position" }).click();
  await site.getByRole("alert").getByText("This browser does not give the position").waitFor();
  await judge("denied");
  await context.grantPermissions(["geolocation"], { origin: "http://localhost" });
  await context.setGeolocation({ latitude: -6.9147, longitude: 107.6098, accuracy: 12 });
  await site.getByRole("button", { name: "Use this device's position" }).click();
  await site.getByText("Position found, accurate to 12 m.").waitFor();
  await site.getByLabel("Radius (m)").fill("80");
  await site.getByRole("img", { name: "People clock in within 80 m of the middle." }).waitFor();
  await judge("new-site");
  await site.getByRole("button", { name: "Save", exact: true }).click();
  await site.getByRole("alert").waitFor(); // it has no name
  await site.getByLabel("Name", { exact: true }).fill("Gedung Sate");
  await site.getByRole("button", { name: "Save", exact: true }).click();
  await told("Gedung Sate was created.");
  await asked("site Gedung Sate -6.914700 107.609800 80");
  await page.getByRole("link", { name: "Gedung Sate" }).click();
  const gate = dialog("Gedung Sate");
  await gate.getByText("Rules of this site").click();
  await gate.getByRole("combobox", { name: "Clock-in outside the site" }).getByRole("option", { name: "As the company: Refuse it" }).waitFor({ state: "attached" });
  await gate.getByRole("combobox", { name: "Impossible speed" }).selectOption({ label: "Accept it" });
  await judge("site-rules");
  await gate.getByRole("button", { name: "Save", exact: true }).click();
  await told("Gedung Sate was saved.");
  await asked("rules Gedung Sate map[speed:off]");
  await page.getByRole("link", { name: "Gedung Sate" }).click();
  await gate.getByRole("combobox", { name: "Impossible speed" }).waitFor(); // shown, since the site has one
  await pick("Allow here", "Layanan Pelanggan");
  await dialog("Let Layanan Pelanggan clock in here alone?").getByRole("button", { name: "Allow here" }).click();
  await page.getByRole("status").getByText("Layanan Pelanggan may clock in here.").waitFor();
  await judge("places");
  await asked("allowed Layanan Pelanggan Gedung Sate");
  await page.getByRole("button", { name: "Archive" }).click();
  await dialog("Archive Gedung Sate?").getByRole("button", { name: "Archive" }).click();
  await told("Gedung Sate was archived.");
  await page.getByRole("link", { name: "Gedung Sate" }).waitFor({ state: "detached" });
}

const calendar = (year) =>
  ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Libur//ID",
    ...[["20261225", "Natal"], ["20261231", "Malam Tahun Baru"]].flatMap(([date, name], i) =>
      ["BEGIN:VEVENT", `UID:libur-${i}`, "DTSTAMP:20260101T000000Z", `DTSTART;VALUE=DATE:${year}${date.slice(4)}`, `SUMMARY:${name}`, "END:VEVENT"]),
    "BEGIN:VEVENT", "UID:libur-9", "DTSTAMP:20260101T000000Z", `DTSTART:${year}1224T100000Z`, "SUMMARY:Rapat", "END:VEVENT",
    "END:VCALENDAR", ""].join("\r\n");

async function rest() {
  const year = now.slice(0, 4);
  await tab("Holidays");
  await page.getByRole("button", { name: "New holiday" }).click();
  await dialog("New holiday").getByLabel("Name", { exact: true }).fill("Ulang Tahun");
  await dialog("New holiday").getByLabel("Date").fill(`${year}-08-01`);
  await dialog("New holiday").getByLabel("Half a day").check();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await told("Ulang Tahun was created.");
  await page.getByRole("row", { name: "Ulang Tahun" }).getByText("Half day").waitFor();
  await asked(`holiday Ulang Tahun ${year}-08-01 true`);
  await page.getByRole("button", { name: "Import a calendar file" }).click();
  const box = dialog("Import a calendar file");
  await box.getByLabel("Calendar file").setInputFiles({ name: "libur.ics", mimeType: "text/calendar", buffer: Buffer.from(calendar(year)) });
  await box.getByLabel("Import all or nothing").check();
  await box.getByRole("button", { name: "Check the file" }).click();
  await box.getByRole("alert").waitFor();
  await box.getByRole("row", { name: "Rapat" }).getByText("Left out").waitFor();
  await judge("refused");
  await box.getByLabel("Leave them out").check();
  await box.getByRole("button", { name: "Check the file" }).click();
  await box.getByText("1 left out · 2 new").waitFor();
  await asked("no holiday Natal");
  await judge("dry-run");
  await box.getByRole("button", { name: "Import 2" }).click();
  await box.getByRole("status").getByText("2 added, 0 renamed.").waitFor();
  await asked(`holiday Natal ${year}-12-25 false`);
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Malam Tahun Baru" }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await dialog("Delete Malam Tahun Baru?").getByRole("button", { name: "Delete" }).click();
  await told("Malam Tahun Baru was deleted.");
  await asked("no holiday Malam Tahun Baru");
  await judge("holidays");
}

async function lose() {
  listen(false);
  await page.route("**/graphql", (route) => route.abort());
  await tab("Sites");
  await page.getByRole("button", { name: "Retry" }).waitFor();
  await judge("organization-failed");
  await page.unroute("**/graphql");
  await page.getByRole("button", { name: "Retry" }).click();
  await page.getByRole("row", { name: "Kantor Pusat" }).waitFor();
  listen(true);
}

await run([enter, walk, manage, stand, rest, lose]);
