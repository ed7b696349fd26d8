// Does jobs from Today, each in combinations of language, width, theme and input, and counts their
// clicks: a click is an activation by the pointer, or by Enter or the space bar, an option included.
import { readFileSync } from "node:fs";
import { asked, context, fault, heading, judge, language, narrow, now, origin, page, run, signIn, theme, told, wide } from "./bench.mjs";

const most = 4;
/** How often Tab is pressed at most to reach something. */
const far = 400;

let combination;
let clicks;

const say = (en, id) => (combination.language === "id" ? id : en);

/** Presses a key until what is searched has the focus. */
async function press(key, what) {
  await what.waitFor();
  for (let i = 0; i < far; i++) {
    if (await what.evaluate((e) => e === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${JSON.stringify(combination)}: ${key} does not lead to ${what}`);
}

/** Activates something by the pointer, or by the keyboard alone. */
async function activate(what) {
  clicks++;
  await what.waitFor();
  if (!combination.keyboard) return what.click();
  await press("Tab", what);
  await page.keyboard.press("Enter");
}

/** Chooses one of options, of which one has the focus or is the first that Tab leads to. */
async function choose(what) {
  clicks++;
  await what.waitFor();
  if (!combination.keyboard) return what.click();
  await press("Tab", page.getByRole("dialog").getByRole("radio").first());
  await press("ArrowDown", what);
}

/** Writes into a field, to which Tab leads. */
async function write(field, text) {
  await press("Tab", field);
  await page.keyboard.type(text);
}

const menu = (name) => page.getByRole("navigation").getByRole("link", { name });
const button = (name, within = page) => within.getByRole("button", { name, exact: true });
const inbox = () => activate(menu(say(/^Inbox/, /^Kotak masuk/)));
const row = (list, text) => page.getByRole("list", { name: list, exact: true }).getByRole("listitem").filter({ hasText: text });
const approve = () => say(/^Approve /, /^Setujui /);
const reject = () => say(/^Reject /, /^Tolak /);
const outcome = (en, id) => page.locator(".outcome").getByText(say(en, id)).waitFor();

/** The jobs: each gets the mark of a row made for it, and ends once the screen says that it is done. */
const jobs = {
  /** Who is in. */
  async present() {
    await activate(page.getByRole("list", { name: say("Counts", "Jumlah") }).getByRole("link", { name: say(/^In /, /^Hadir /) }));
    await page.waitForURL("**/app/today?status=in");
    await page.waitForFunction(() => {
      const count = Number(document.querySelector(".count.in strong").textContent);
      return count > 0 && document.querySelectorAll("tbody tr").length === count;
    });
    return (await page.locator("tbody th").allInnerTexts()).join("|");
  },
  async leave(mark) {
    await inbox();
    await activate(row(say("Leave", "Cuti"), mark).getByRole("button", { name: approve() }));
    await outcome("1 approved.", "1 disetujui.");
  },
  async forgotten(mark) {
    await activate(row(say("Forgotten clock-outs", "Lupa absen pulang"), mark).getByRole("link"));
    const dialog = page.getByRole("dialog");
    const rule = say("It is at the end of the shift. Confirmed, the day has", "Waktunya pada akhir shift. Setelah dikonfirmasi,");
    await dialog.getByText(rule).waitFor();
    await judge(`day-${combination.language}-${combination.width}`);
    await activate(dialog.getByRole("button", { name: say("Confirm", "Konfirmasi") }));
    await dialog.getByText(say("Confirmed.", "Dikonfirmasi.")).waitFor();
  },
  async flagged(mark) {
    await inbox();
    const item = row(say("Clock-ins and clock-outs", "Absen masuk dan pulang"), mark);
    await item.getByText(say("outside the site", "di luar lokasi")).first().waitFor();
    await page.keyboard.press("n");
    await page.keyboard.type("not at the site");
    await activate(item.getByRole("button", { name: reject() }));
    await outcome("1 rejected.", "1 ditolak.");
  },
  /** Plans a Thursday. */
  async plan(mark) {
    await activate(menu(say("Roster", "Jadwal")));
    const cell = page.getByRole("grid").getByRole("button", { name: new RegExp(`^${mark}, ${say("Thu", "Kam,")} 12 Mar`) });
    if (combination.keyboard) {
      await press("Tab", page.getByRole("grid").locator("button[tabindex='0']"));
      const column = await cell.evaluate((e) => e.closest("td").cellIndex);
      while ((await page.evaluate(() => document.activeElement.closest("td").cellIndex)) < column) await page.keyboard.press("ArrowRight");
      await press("ArrowDown", cell);
    }
    await activate(cell);
    const dialog = page.getByRole("dialog");
    await choose(dialog.getByRole("radio", { name: /^Malam/ }));
    await activate(button(say("Plan", "Jadwalkan"), dialog));
    await page.locator(".outcome").filter({ hasText: mark }).first().waitFor();
  },
  /** Reads one month of one person: the days on which they clocked in. */
  async month(mark) {
    await activate(menu(say("Timesheets", "Lembar waktu")));
    await activate(page.getByRole("table").getByRole("link", { name: mark }));
    const days = page.getByRole("region", { name: mark });
    await days.getByRole("table").waitFor();
    await judge(`month-${combination.language}-${combination.width}`);
    const clocked = await days.locator("tbody tr").evaluateAll((rows) => rows.filter((r) => !r.cells[3].matches(".empty")).length);
    return `${mark}|${clocked}`;
  },
  async payroll() {
    await activate(menu(say("Timesheets", "Lembar waktu")));
    const group = page.getByRole("group", { name: say("Payroll file", "Berkas gaji") });
    const saved = page.waitForEvent("download");
    await activate(button(say("Generate", "Buat"), group));
    const file = await saved;
    if (readFileSync(await file.path()).subarray(0, 2).toString() !== "PK") fault(`${file.suggestedFilename()} is no workbook`);
    return file.suggestedFilename();
  },
  async task(mark) {
    await activate(menu(say("Tasks", "Tugas")));
    await activate(button(say("New task", "Tugas baru")));
    const dialog = page.getByRole("dialog");
    await write(dialog.getByLabel(say("Title", "Judul"), { exact: true }), mark);
    await write(dialog.getByRole("combobox", { name: say("Assign to", "Tugaskan ke") }), "budi");
    const option = page.getByRole("option", { name: /^Budi Santoso/ });
    await option.waitFor();
    clicks++;
    await (combination.keyboard ? page.keyboard.press("Enter") : option.click());
    await activate(button(say("Save", "Simpan"), dialog));
    await page.getByRole("status").getByRole("link", { name: mark }).waitFor();
  },
  async answer(mark) {
    await activate(menu(say("Tickets", "Tiket")));
    await activate(page.getByRole("link", { name: mark }));
    const dialog = page.getByRole("dialog");
    await write(dialog.getByRole("textbox", { name: say("Reply", "Balas") }), `${mark} is answered`);
    await activate(button(say("Reply", "Balas"), dialog));
    await dialog.getByRole("listitem").getByText(`${mark} is answered`).waitFor();
  },
  async invite(mark) {
    await activate(menu(say("People", "Karyawan")));
    await write(page.getByRole("searchbox", { name: say("Search", "Cari") }), mark);
    await activate(page.getByRole("table").getByRole("link", { name: mark }));
    const dialog = page.getByRole("dialog");
    await activate(button(say("Invite again", "Undang lagi"), dialog));
    await dialog.getByRole("status").filter({ hasText: say("is on its way", "sedang dikirim") }).waitFor();
  },
};

async function enter() {
  await context.clock.setFixedTime(now);
  await signIn("today", told.code);
}

async function work() {
  for (combination of told.combinations) {
    await page.goto(`${origin}/app/today`);
    await page.setViewportSize(combination.width === narrow.width ? narrow : wide);
    await language(combination.language);
    await theme(combination.theme);
    for (const name of told.jobs) {
      const mark = await asked(`make ${name}`);
      await page.goto(`${origin}/app/today`);
      await heading(say("Today", "Hari ini"));
      clicks = 0;
      const seen = await jobs[name](mark);
      if (clicks > most) fault(`${name}: ${clicks} clicks, ${JSON.stringify(combination)}`);
      const wrong = await asked(`judge ${name} ${seen ?? mark}`);
      if (wrong) fault(`${name}, ${JSON.stringify(combination)}: ${wrong}`);
      console.log(`${name}: ${clicks} clicks, ${Object.values(combination).join(" ")}`);
    }
  }
}

await run([enter, work]);
