// Sets a password by an operator's link, in both languages, by keys alone, and signs in on that browser without a code.
import { asked, context, email, fault, heading, judge, listen, menu, narrow, now, origin, page, press, run, told, wide } from "./bench.mjs";

const fresh = "kuda-terbang-42";
const field = (name) => page.getByLabel(name, { exact: true });
const button = (name) => page.getByRole("button", { name, exact: true });

/** Holds that the password's field has a fault, which is told with it, and has the focus. */
async function faulty(text) {
  await page.getByRole("alert").filter({ hasText: text }).waitFor();
  const [invalid, described, active] = await page
    .locator("#password")
    .evaluate((e) => [e.ariaInvalid, e.getAttribute("aria-describedby"), e === document.activeElement]);
  if (invalid !== "true" || !described.includes("password-fault") || !active) fault(`the field: ${invalid}, ${described}, ${active}`);
}

/** A link without its token, and one that is void. */
async function refused() {
  listen(false); // what is refused is a line of the console
  await context.clock.setFixedTime(now);
  await page.goto(`${origin}/app/recover`);
  await heading("Set a new password");
  await page.getByText("A part of the link is missing.").waitFor();
  await judge("recover-incomplete");
  await page.goto(`${origin}/app/recover#${told.void}`);
  await field("New password").fill(fresh);
  await press(button("Set password"));
  await page.getByText("This link is not valid any more").waitFor();
  await judge("recover-void");
}

/** Weak passwords, in both languages, narrow and wide. */
async function weak() {
  await page.goto(`${origin}/app/recover#${told.link}`);
  await button("Indonesia").click();
  await heading("Buat kata sandi baru");
  await page.setViewportSize(narrow);
  await field("Kata sandi baru").fill("pendek");
  await page.keyboard.press("Enter");
  await faulty("Pilih kata sandi");
  await judge("recover-weak-id");
  await button("English").click();
  await page.setViewportSize(wide);
  await heading("Set a new password");
  await page.reload(); // the link stays in the address until it is used
  await field("New password").fill("");
  await page.keyboard.press("Enter");
  await faulty("This is required.");
  await field("New password").fill("short");
  await page.keyboard.press("Enter");
  await faulty("Choose a password of 8 to 128 characters.");
  await judge("recover-weak-en");
}

async function use() {
  listen(true);
  await field("New password").fill(fresh);
  await press(button("Set password"));
  await page.getByRole("status").filter({ hasText: "The password is set, and this browser is trusted." }).waitFor();
  await judge("recover-done");
  if (page.url() !== `${origin}/app/recover`) fault(`the token is left in ${page.url()}`);
  await asked("used");
  await press(button("Go to sign-in"));
  await heading("Sign in");
  await field("Email or phone").fill(email);
  await field("Password").fill(fresh);
  await page.keyboard.press("Enter");
  await menu.waitFor(); // without a code
}

/** Who is signed in and opens a link keeps the page, and is signed out once it was used, in all tabs. */
async function over() {
  const other = await context.newPage();
  await other.goto(`${origin}/app/`);
  await other.getByRole("navigation", { name: /^(Screens|Layar)$/ }).waitFor();
  await page.goto(`${origin}/app/recover#${await asked("another")}`);
  await page.getByLabel(/^(New password|Kata sandi baru)$/).fill("kuda-terbang-43");
  await page.keyboard.press("Enter");
  await page.getByRole("status").filter({ hasText: /The password is set|Kata sandi telah disimpan/ }).waitFor();
  await other.waitForURL(`${origin}/app/sign-in`);
}

await run([refused, weak, use, over]);
