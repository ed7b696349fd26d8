// Does the jobs of a manager from Today, each in combinations of language, width, theme and input, and
// counts its clicks: a click is an activation by the pointer, or by Enter or the space bar.
import { asked, context, fault, heading, judge, language, narrow, now, page, run, signIn, theme, told, wide } from "./bench.mjs";

const most = 4;
/** How often Tab is pressed at most to reach something. */
const far = 400;

let combination;
let clicks;

const say = (en, id) => (combination.language === "id" ? id : en);

/** Activates something by the pointer, or by the keyboard alone. */
async function activate(what) {
  clicks++;
  await what.waitFor();
  if (!combination.keyboard) return what.click();
  for (let i = 0; i < far; i++) {
    if (await what.evaluate((e) => e === document.activeElement)) return page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
  }
  fault(`${JSON.stringify(combination)}: Tab does not lead to ${what}`);
}

const menu = (name) => page.getByRole("navigation").getByRole("link", { name });
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
    await item.getByText(say("outside the site", "di luar lokasi")).waitFor();
    await page.keyboard.press("n");
    await page.keyboard.type("not at the site");
    await activate(item.getByRole("button", { name: reject() }));
    await outcome("1 rejected.", "1 ditolak.");
  },
};

async function enter() {
  await context.clock.setFixedTime(now);
  await signIn("today");
}

async function work() {
  for (combination of told.combinations) {
    await page.setViewportSize(combination.width === narrow.width ? narrow : wide);
    await language(combination.language);
    await theme(combination.theme);
    for (const [name, job] of Object.entries(jobs)) {
      const mark = await asked(`make ${name}`);
      await page.goto("http://localhost/app/today");
      await heading(say("Today", "Hari ini"));
      clicks = 0;
      const seen = await job(mark);
      if (clicks > most) fault(`${name}: ${clicks} clicks, ${JSON.stringify(combination)}`);
      const wrong = await asked(`judge ${name} ${seen ?? mark}`);
      if (wrong) fault(`${name}, ${JSON.stringify(combination)}: ${wrong}`);
      console.log(`${name}: ${clicks} clicks, ${Object.values(combination).join(" ")}`);
    }
  }
}

await run([enter, work]);
