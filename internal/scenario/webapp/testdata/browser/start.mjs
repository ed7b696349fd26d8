// Founds a company, and leads it from nothing to an invited employee with a shift of today, who clocks in on a phone.
import { asked, context, email, heading, judge, language, look, narrow, now, origin, page, password, run, told } from "./bench.mjs";

const step = (name) => page.getByRole("listitem", { name: new RegExp(`^${name}, `) });
const done = (name) => page.getByRole("listitem", { name: `${name}, Done`, exact: true }).waitFor();

async function found() {
  await context.clock.setFixedTime(now);
  await page.goto(`${origin}${told.path}`);
  for (const [label, text] of [["Company", "PT Contoh"], ["Name of the owner", "Sri Wahyuni"], ["E-mail address", email], ["Password", password]])
    await page.getByLabel(label, { exact: true }).fill(text);
  await page.getByRole("button", { name: "Create company" }).click();
  const code = await page.locator(".code code").innerText();
  const opened = context.waitForEvent("page");
  await page.getByRole("link", { name: "First steps" }).click();
  const next = await opened;
  await next.waitForURL("**/app/**");
  await next.close();
  await page.goto(`${origin}/app/start`);
  await page.getByLabel("Email or phone").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
  await page.getByLabel("Code", { exact: true }).fill(code);
  await page.keyboard.press("Enter");
  await heading("First steps");
  await language("en");
  await page.getByRole("listitem", { name: "Site, Next" }).waitFor();
  await look("start", (spoken) => heading(spoken === "id" ? "Langkah pertama" : "First steps"));
}

async function build() {
  await context.grantPermissions(["geolocation"], { origin });
  await context.setGeolocation({ latitude: -6.2088, longitude: 106.8456, accuracy: 80 });
  await step("Site").getByRole("button", { name: "Use this device's position" }).click();
  await step("Site").getByText("The position is accurate to 80 m only.").waitFor();
  await step("Site").getByLabel("Name of the site").fill("Kantor");
  await judge("start-site");
  await step("Site").getByRole("button", { name: "Create site" }).click();
  await done("Site");
  await judge("start-shift");
  await step("Shift").getByLabel("From").fill("09:00");
  await page.reload();
  await step("Shift").getByRole("button", { name: "Create shift" }).click();
  await done("Shift");
  await step("People").getByLabel("Name").fill("Dewi Lestari");
  await step("People").getByLabel("E-mail").fill("no address");
  await step("People").getByRole("button", { name: "Invite" }).click();
  await step("People").getByRole("alert").waitFor();
  await judge("start-refused");
  await step("People").getByLabel("E-mail").fill("dewi@contoh.id");
  await step("People").getByRole("button", { name: "Invite" }).click();
  await done("People");
  await step("Assignment").getByRole("list", { name: "People: chosen" }).getByText("Dewi Lestari").waitFor();
  await judge("start-assignment");
  await step("Assignment").getByRole("button", { name: "Assign from today" }).click();
  await done("Assignment");
  await step("Phones").getByRole("img", { name: `QR code of ${origin}/app/` }).waitFor();
  await judge("start-phones");
  await asked("built");
}

/** A file with a fault is told of by line, a good one is applied, and changes nothing again. */
async function describe() {
  const file = step("Description file");
  const choose = (text) =>
    file.getByLabel("File", { exact: true }).setInputFiles({ name: "company.yaml", mimeType: "application/yaml", buffer: Buffer.from(text) });
  const check = () => file.getByRole("button", { name: "Check the file" }).click();
  const shift = "shifts:\n  - name: Malam\n    startTime: 22:00\n";
  await file.getByRole("button", { name: /^Description file/ }).click();
  await choose(shift);
  await check();
  await file.getByRole("alert").filter({ hasText: "The file has 1 fault; nothing was changed." }).waitFor();
  await file.getByRole("row", { name: /2.*Malam.*endTime.*This is required/ }).waitFor();
  await judge("start-description");
  await choose(`${shift}    endTime: 06:00\n`);
  await check();
  await file.getByText("New: shifts Malam").waitFor();
  await file.getByRole("button", { name: "Apply the file" }).click();
  await page.getByRole("status").filter({ hasText: "1 change was made." }).first().waitFor({ state: "attached" });
  await choose(`${shift}    endTime: "06:00"\n`);
  await check();
  await file.getByText("All is as the file says already.").waitFor();
  await page.goto(`${origin}/app/start?step=phones`);
  await step("Phones").getByRole("img").waitFor();
}

/** The employee opens the address of the QR code on a phone, sets a password and clocks in. */
async function clockIn() {
  const alt = await step("Phones").getByRole("img").getAttribute("aria-label");
  const phone = await context.browser().newContext({
    locale: "en-GB",
    viewport: narrow,
    permissions: ["geolocation"],
    geolocation: { latitude: -6.2088, longitude: 106.8456, accuracy: 12 },
  });
  await phone.clock.setFixedTime(now);
  const screen = await phone.newPage();
  const enter = async (label, text) => screen.getByLabel(label, { exact: true }).fill(text);
  const press = async (name) => screen.getByRole("button", { name, exact: true }).click();
  await screen.goto(alt.replace(/^QR code of /, ""));
  await press("Forgot password?");
  await enter("Email or phone", "dewi@contoh.id");
  await press("Send a code");
  await enter("Code", await asked("sent"));
  await enter("New password", password);
  await press("Set password");
  await screen.getByText("The password is set. Sign in with it.").waitFor();
  await asked("later");
  await enter("Email or phone", "dewi@contoh.id");
  await enter("Password", password);
  await press("Sign in");
  await enter("Code", await asked("sent"));
  await press("Continue");
  await screen.getByRole("heading", { name: /^(Me|Saya)$/ }).waitFor();
  await screen.getByRole("button", { name: /^(Use my position|Pakai posisi saya)$/ }).click();
  await screen.getByRole("button", { name: /^(Clock in|Absen masuk)$/ }).click();
  await screen.getByRole("dialog").getByRole("button", { name: /^(Without a face|Tanpa wajah)$/ }).click();
  await screen.getByRole("status").filter({ hasText: /09[.:]02, (sent|terkirim)/ }).waitFor();
  await asked("in");
  await phone.close();
}

await run([found, build, describe, clockIn]);
