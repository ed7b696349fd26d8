// Clocks in and out on a phone, by clicks or by the keyboard alone: where one is, why one cannot, what is noted,
// and what became of it.
import { asked, context, fault, focused, heading, judge, language, listen, look, menu, narrow, now, openMenu, origin, page, press, run, signIn, told } from "./bench.mjs";

const bar = page.getByRole("navigation", { name: "My pages" });
const at = (metres) => context.setGeolocation({ latitude: told.latitude + metres / 111_195, longitude: told.longitude, accuracy: 12 });
const clockIn = () => page.getByRole("button", { name: "Clock in", exact: true });
const clockOut = () => page.getByRole("button", { name: "Clock out", exact: true });
const says = (words) => page.getByRole("status").getByText(words).waitFor();
const clockTo = async (question) => context.clock.setFixedTime(await asked(question));

/** Finds fault where something is not seen as a whole above the bar. */
async function seen(what, name) {
  const edges = (of) => of.first().evaluate((e) => e.getBoundingClientRect());
  const [box, limit] = [await edges(what), (await edges(page.locator("wf-me > .pages"))).top];
  if (box.top < 0 || box.bottom > limit) fault(`${name} is at ${box.top} to ${box.bottom} px, of which 0 to ${limit} are seen`);
}

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
  await clockIn().focus();
  await page.keyboard.press("Enter");
  const why = page.getByRole("alert").getByText("Your position is needed first.");
  await why.waitFor();
  await seen(why, "why one cannot clock in");
  await judge("me-hindered");
  for (const name of ["Clock", "Days", "Work", "Profile"]) await bar.getByRole("link", { name, exact: true }).waitFor();
}

/** The card's first action is near to the heading, and every link of the navigation is reached and seen. */
async function near() {
  await page.getByRole("link", { name: "Skip to content" }).press("Enter");
  const use = page.getByRole("button", { name: "Use my position" });
  const has = () => use.evaluate((e) => e === document.activeElement);
  for (let i = 0; i < 3 && !(await has()); i++) await page.keyboard.press("Tab");
  await focused(use);
  await page.getByRole("banner").getByRole("button", { name: "Screens" }).press("Enter");
  for (const link of await menu.getByRole("link").all()) {
    const { left, right } = await link.evaluate((e) => e.getBoundingClientRect());
    if (left < 0 || right > narrow.width) fault(`${await link.innerText()} is at ${left} to ${right}, out of sight`);
  }
  await judge("me-screens");
  await page.keyboard.press("Enter");
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
  await page.getByText("accurate to 12 m").waitFor();
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
  await says("Clocked in at 09:00, sent. It has no face");
  await clockOut().waitFor();
  if (told.keyboard) await focused(clockOut());
  await page.getByText("In since 09:00").waitFor();
  const entry = page.getByRole("list", { name: "Today" }).getByRole("listitem", { name: "In at 09:00" });
  await entry.getByText("Kantor Pusat").waitFor();
  await entry.getByText("Your note: the back door").waitFor();
  await asked("in the back door");
}

/** Opens the clock anew, outside of the site, whose position is read without being asked anew. */
async function reload(since) {
  await page.goto(`${origin}/app/me`);
  await page.getByText(since).first().waitFor();
  const ask = page.getByRole("button", { name: "Use my position" });
  // It is there until what was agreed to is kept, which may come before the press.
  if (await ask.isVisible()) await Promise.race([press(ask), ask.waitFor({ state: "hidden" })]);
  await at(249.6);
  await page.getByText("150 m outside of Kantor Pusat").first().waitFor();
}

/** Says what was noticed about the clock-out, and about the next clock-in. */
async function out() {
  await clockTo("later");
  await reload("In since 09:00");
  await press(clockOut());
  await says("Clocked out at 09:05, sent. Flagged: outside the site");
  await seen(page.locator(".outcome"), "what became of it");
  await page.getByRole("list", { name: "Today" }).getByText("outside the site").waitFor();
  await asked("out");
  await clockTo("later");
  await asked("geofenceIn flag");
  await reload("worked today");
  await page.getByLabel("Note").fill("again");
  await press(clockIn());
  await says(/^Clocked in at 09:10, sent\. It has no face.*\. Flagged: outside the site/);
  await judge("me-flagged");
}

/**
 * Without a connection it is said at once that an event is recorded, and that it waits; a second tap at once is no
 * event. All of it is told anew once it is sent.
 */
async function away() {
  listen(false);
  await clockTo("later");
  await reload("In since 09:10");
  await context.setOffline(true);
  await page.getByText("No connection.").waitFor();
  await page.getByLabel("Note").fill("no network");
  await clockOut().evaluate((e) => {
    e.click();
    setTimeout(() => e.click(), 700); // a slip of the thumb
  });
  const before = performance.now();
  await says("Clock-out recorded at 09:15. Not sent yet");
  if (performance.now() - before > 1_500) fault(`it is recorded after ${performance.now() - before} ms`);
  await says("to clock in again, tap once more");
  const waits = page.locator(".clock-card").getByText("1 clock event not sent yet, since 09:15");
  await seen(waits, "what waits");
  await judge("me-waits");
  await page.getByRole("list", { name: "Not sent yet" }).getByText("Your note: no network").waitFor();
  await page.waitForTimeout(1_500);
  await press(clockIn());
  await page.getByText("2 clock events not sent yet, since 09:15").waitFor();
  await judge("me-wait");
  await page.reload();
  await page.getByText("2 clock events not sent yet, since 09:15").waitFor();
  await says("Clock-in recorded at 09:15. Not sent yet");
  await stay();
  await clockTo("later");
  await context.setOffline(false);
  await says("Clocked in at 09:15, sent.");
  await page.getByText("not sent yet").first().waitFor({ state: "detached" });
  await page.getByText("No connection.").waitFor({ state: "hidden" });
  await unreachable.waitFor({ state: "detached" });
  await judge("me-sent");
  await page.route("**/app/session/sign-out", (route) => route.abort());
  await refuseToSignOut();
  await page.unroute("**/app/session/sign-out");
}

/** Nobody is signed out without the server; that it cannot be reached is said as long as it is true. */
async function stay() {
  await refuseToSignOut();
  await openMenu();
  for (const spoken of ["id", "en"]) {
    await page.getByRole("banner").getByRole("combobox", { name: /^(Language|Bahasa)$/ }).selectOption(spoken); // not kept
  }
  await page.keyboard.press("Escape");
  await unreachable.waitFor();
}

const unreachable = page.getByRole("alert").getByText("The server cannot be reached.");

/** Wants to sign out, which is not possible. */
async function refuseToSignOut() {
  await openMenu();
  await page.getByRole("button", { name: "Sign out" }).click();
  const dialog = page.getByRole("dialog", { name: "Signing out needs a connection" });
  await dialog.getByText("nothing is lost").waitFor();
  await judge("me-stay");
  await dialog.getByRole("button", { name: "Close" }).click();
  await heading("Me");
  if ((await unreachable.count()) > 0) fault("that nobody is signed out is an alert");
}

/** What the server refuses is told as that, and not as what waits. */
async function refused() {
  await reload("In since 09:15");
  await context.setOffline(true);
  await page.getByText("No connection.").waitFor();
  await press(clockOut());
  await says("Clock-out recorded at 09:20. Not sent yet");
  await asked("geofenceOut block");
  await context.setOffline(false);
  const list = page.getByRole("list", { name: "Not accepted" });
  await list.getByRole("alert").getByText(/Not accepted: .*Kantor Pusat/).waitFor();
  await seen(list, "what was refused");
  if ((await page.getByText(/not sent yet/i).count()) > 0) fault("what was refused is told to wait");
  await judge("me-refused");
  await press(list.getByRole("button", { name: "Seen" }));
  await list.waitFor({ state: "detached" });
  await page.getByText("In since 09:15").waitFor();
  listen(true);
}

/** The profile says what positions are used for; what was taken back there is given there again. */
async function consents() {
  await page.goto(`${origin}/app/me/profile`);
  await page.getByText("each position is deleted after 90 days").waitFor();
  await page.getByText("one position every 15 minutes").waitFor();
  await page.getByText("supervisors, managers, admins and owners").waitFor();
  await press(page.getByRole("button", { name: "Revoke the position" }));
  await page.getByText("so you cannot clock in or out here").waitFor();
  await judge("me-revoked");
  await press(page.getByRole("button", { name: "Let the clock read my position" }));
  await says("The clock reads your position from now on.");
  await page.getByRole("button", { name: "Revoke the position" }).waitFor();
}

/** A position that takes long is said to be read. */
async function slow() {
  await context.addInitScript(() => {
    if (sessionStorage.getItem("test-slow")) navigator.geolocation.watchPosition = () => 1;
  });
  await page.evaluate(() => sessionStorage.setItem("test-slow", "1"));
  await page.goto(`${origin}/app/me`);
  await says("Your position is being read…");
  await page.getByText("You can go on once your position was read").waitFor();
  await page.waitForFunction(() => getComputedStyle(document.querySelector(".where > .loading")).opacity === "1");
  await judge("me-slow");
  await page.evaluate(() => sessionStorage.removeItem("test-slow"));
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

await run([enter, near, refuse, approach, into, out, away, refused, consents, slow, titles, looks]);
