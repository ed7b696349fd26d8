// Clocks in and out on a phone, by clicks or by the keyboard alone: where one is, why one cannot, what is noted,
// and what became of it.
import { asked, context, fault, focused, heading, judge, language, look, menu, narrow, now, origin, page, press, run, signIn, told } from "./bench.mjs";

const bar = page.getByRole("navigation", { name: "My pages" });
const at = (metres) => context.setGeolocation({ latitude: told.latitude + metres / 111_195, longitude: told.longitude, accuracy: 12 });
const clockIn = () => page.getByRole("button", { name: "Clock in", exact: true });
const clockOut = () => page.getByRole("button", { name: "Clock out", exact: true });

/** An employee begins with the clock, whose position is read once it is asked for. */
async function enter() {
  await context.clock.setFixedTime(now);
  await page.setViewportSize(narrow);
  await signIn("");
  await heading("Me");
  if (!page.url().endsWith("/app/me")) fault(`an employee begins at ${page.url()}`);
  const first = await menu.getByRole("link").first().innerText();
  if (first !== "Me") fault(`${first} is the first screen of an employee`);
  await page.getByText("Your position is needed first.").waitFor();
  await page.getByText("sent only when you clock in or out").waitFor();
  if (await clockIn().isEnabled()) fault("one clocks in without a position");
  for (const name of ["Clock", "Days", "Work", "Profile"]) await bar.getByRole("link", { name, exact: true }).waitFor();
}

/** The browser that refuses the position says what to do. */
async function refuse() {
  await press(page.getByRole("button", { name: "Use my position" }));
  await page.getByRole("alert").getByText("does not give your position").waitFor();
  await judge("me-denied");
  await context.grantPermissions(["geolocation"]);
  await at(249.6);
  await press(page.getByRole("button", { name: "Try again" }), "Space");
}

/** Outside of the site one does not clock in, and the way to its edge follows the phone. */
async function approach() {
  await page.getByText("150 m outside of Kantor Pusat").first().waitFor();
  await page.getByText("You are 150 m outside of the site. Come closer.").waitFor();
  if (await clockIn().isEnabled()) fault("one clocks in outside of the site");
  await judge("me-outside");
  await at(40.4);
  await page.getByText("At Kantor Pusat, 60 m within its edge").first().waitFor();
  await page.getByText("right within 12 m").waitFor();
}

/** Clocks in with a note, once, without a face. */
async function into() {
  await page.getByLabel("Note").fill("the back door");
  await press(clockIn());
  const dialog = page.getByRole("dialog", { name: "Register your face?" });
  await dialog.getByText("never a picture").waitFor();
  await judge("me-face");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  if (told.keyboard) await focused(clockIn());
  await asked("none");
  await press(clockIn(), "Space");
  await press(dialog.getByRole("button", { name: "Without a face" }));
  await page.getByRole("status").getByText("In at 09:00.").waitFor();
  await clockOut().waitFor();
  if (told.keyboard) await focused(clockOut());
  await page.getByText("In since 09:00").waitFor();
  const entry = page.getByRole("list", { name: "Today" }).getByRole("listitem", { name: "In at 09:00" });
  await entry.getByText("Kantor Pusat").waitFor();
  await asked("in the back door");
}

/** Reads the position without being asked anew, and says what was noticed about the clock-out. */
async function out() {
  await context.clock.setFixedTime(await asked("later"));
  await page.reload();
  await page.getByText("In since 09:00").waitFor();
  const ask = page.getByRole("button", { name: "Use my position" });
  if (await ask.isVisible()) await press(ask); // until what was agreed to is kept
  await at(249.6);
  await page.getByText("150 m outside of Kantor Pusat").first().waitFor();
  await press(clockOut());
  await page.getByRole("status").getByText("Out at 09:05. Noticed: outside the site").waitFor();
  const edges = (of) => page.locator(of).first().evaluate((e) => e.getBoundingClientRect());
  if ((await edges(".outcome")).bottom > (await edges("wf-me > .pages")).top) fault("what became of it is behind the bar");
  await page.getByRole("list", { name: "Today" }).getByText("outside the site").waitFor();
  await asked("out");
}

/** Each page has a title of its own, in the language of the page. */
async function titles() {
  const of = { en: ["Me", "Me · Days", "Me · Work", "Me · Profile"], id: ["Saya", "Saya · Hari", "Saya · Kerja", "Saya · Profil"] };
  for (const [spoken, want] of Object.entries(of)) {
    await language(spoken);
    for (const title of want) {
      await page.getByRole("navigation", { name: /^(My pages|Halaman saya)$/ }).getByRole("link").nth(want.indexOf(title)).click();
      await page.waitForFunction((t) => document.title === `${t} · Workforce`, title);
    }
  }
  await language("en");
  await page.goto(`${origin}/app/me`);
}

async function looks() {
  await look("me", (spoken) => heading(spoken === "id" ? "Saya" : "Me"));
  await page.setViewportSize(narrow);
  await page.goto(`${origin}/app/me/nowhere`);
  await heading("There is no such page.");
  await language("en");
}

await run([enter, refuse, approach, into, out, titles, looks]);
