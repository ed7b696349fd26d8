// Founds a company, and leads it from nothing to an invited employee with a shift of today.
import { asked, context, email, heading, judge, language, look, now, origin, page, password, run, told } from "./bench.mjs";

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
  await step("Site").getByText("The position is right within 80 m only.").waitFor();
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

await run([found, build]);
