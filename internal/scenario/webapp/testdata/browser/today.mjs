// Uses the web app as a manager does: signs in, looks at Today in both languages and themes, narrow
// and wide, and signs out. Prints what is wrong as "fault …", and asks for what a person gets
// elsewhere, and for what happens meanwhile, by a line each, which is answered by a line.
import { createInterface } from "node:readline";
import { gzipSync } from "node:zlib";
import axe from "axe-core";
import { chromium } from "playwright-core";

const [executablePath, port, email, password, pictures] = process.argv.slice(2);
const origin = "http://localhost";
const most = { scripts: 60_000, requests: 14 };

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const fault = (text) => console.log(`fault ${String(text).replaceAll("\n", " ")}`);
const asked = async (question) => {
  console.log(question);
  return (await lines.next()).value;
};

const browser = await chromium.launch({
  executablePath,
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", `--host-resolver-rules=MAP localhost 127.0.0.1:${port}`],
});
const context = await browser.newContext({ locale: "en-GB", timezoneId: "Asia/Jakarta", viewport: { width: 1280, height: 800 } });
context.setDefaultTimeout(20_000);
await context.addInitScript(() => {
  globalThis.refused = [];
  addEventListener("securitypolicyviolation", (e) => globalThis.refused.push(`${e.effectiveDirective} ${e.blockedURI}`));
});
const page = await context.newPage();

// A browser says of each answer 401 that it failed; there is one where nobody is signed in.
const usual = /\/app\/session\/refresh$/;
let listening = true;
page.on("console", (m) => {
  if (listening && !(m.text().includes("401") && usual.test(m.location().url))) fault(`console: ${m.text()} ${m.location().url}`);
});
page.on("pageerror", (e) => fault(`thrown: ${e.stack}`));
page.on("request", (r) => {
  if (!r.url().startsWith(`${origin}/`) && !r.url().startsWith("blob:")) fault(`asked for ${r.url()}`);
});

let number = 0;
/** Holds what is true of each screen: no fault of access, no scrolling sideways, nothing refused. */
async function judge(name) {
  if (pictures) await page.screenshot({ path: `${pictures}/${String(++number).padStart(2, "0")}-${name}.png`, fullPage: true });
  const [content, shown] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  if (content > shown) fault(`${name}: ${content} px wide in ${shown}`);
  for (const text of await page.evaluate(() => globalThis.refused)) fault(`${name}: refused ${text}`);
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
  for (const v of violations) fault(`${name}: axe ${v.id}: ${v.nodes.map((n) => `${n.html} ${n.failureSummary}`).join(" | ").slice(0, 600)}`);
}

const narrow = { width: 360, height: 740 };
const wide = { width: 1280, height: 800 };
const heading = (name) => page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
const count = async (name) => Number(await page.getByRole("list", { name: /Counts|Jumlah/ }).getByRole("link", { name: new RegExp(`^${name} `) }).locator("strong").innerText());

async function signIn() {
  await page.goto(`${origin}/app/`);
  await heading("Sign in");
  for (const size of [narrow, wide]) {
    await page.setViewportSize(size);
    await judge(`sign-in-${size.width}`);
  }
  await page.getByLabel("Email or phone").fill(email);
  await page.getByLabel("Password").fill("wrong password");
  listening = false; // the browser says that it was refused
  await page.keyboard.press("Enter");
  await page.getByRole("alert").waitFor();
  await judge("sign-in-refused");
  listening = true;
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  const code = page.getByLabel("Code", { exact: true });
  await code.waitFor();
  await judge("code");
  await code.fill(await asked("code 1"));
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("navigation").waitFor();
}

async function look() {
  await page.getByRole("combobox", { name: /^(Language|Bahasa)$/ }).selectOption("en");
  await heading("Today");
  await page.getByText("Live", { exact: true }).waitFor();
  for (const language of ["id", "en"]) {
    await page.getByRole("combobox", { name: /^(Language|Bahasa)$/ }).selectOption(language);
    await heading(language === "id" ? "Hari ini" : "Today");
    for (const theme of ["dark", "light"]) {
      await page.getByRole("combobox", { name: /^(Theme|Tema)$/ }).selectOption(theme);
      for (const size of [narrow, wide]) {
        await page.setViewportSize(size);
        await judge(`today-${language}-${theme}-${size.width}`);
      }
    }
  }
}

async function follow() {
  const counts = {};
  for (const name of ["In", "Late", "Missing", "On leave", "Not due"]) counts[name] = await count(name);
  await asked(`counts ${JSON.stringify(counts)}`);
  await asked("clock in");
  const wanted = String(counts.In + 1);
  await page.getByRole("link", { name: `In ${wanted}`, exact: true }).waitFor();
  await page.getByRole("row", { name: "Budi Santoso In" }).waitFor();
}

async function filter() {
  const off = (await page.getByRole("row").count()) - 2; // but the head, and Budi
  await page.getByRole("combobox", { name: "Status" }).selectOption("off");
  const rows = page.getByRole("row").filter({ has: page.getByRole("cell", { name: "Off" }) });
  const holds = async (name) => {
    await page.waitForURL("**/app/today?status=off");
    await page.waitForFunction((n) => document.querySelectorAll("tbody tr").length === n, off);
    if ((await rows.count()) !== off) fault(`${name}: ${await rows.count()} rows are off, want ${off}`);
  };
  await holds("filtered");
  await judge("filtered");
  await page.reload();
  await holds("reloaded");
  await page.getByRole("link", { name: "In 1" }).click();
  await page.waitForURL("**/app/today?status=in");
  await page.getByRole("row", { name: "Budi Santoso" }).waitFor();
  await page.getByRole("combobox", { name: "Business" }).selectOption({ label: "\u2003\u2003Gudang" });
  await page.getByText("Nothing here.").waitFor();
  await page.getByRole("combobox", { name: "Status" }).selectOption("off");
  await page.getByRole("row", { name: "Sumarni" }).waitFor();
  await page.getByRole("button", { name: "Person" }).click();
  await page.getByRole("columnheader", { name: "Person", sort: "ascending" }).waitFor();
  const chosen = page.url();
  await page.getByRole("link", { name: "Today" }).click();
  await page.waitForURL("**/app/today");
  await page.goBack();
  if (page.url() !== chosen) fault(`back leads to ${page.url()}, not to ${chosen}`);
  await page.getByRole("row", { name: "Sumarni" }).waitFor();
  await page.goto(`${origin}/app/nothing`);
  await page.getByText("There is no such screen.").waitFor();
  await judge("nothing");
}

async function measure() {
  let scripts = 0;
  let requests = 0;
  const weighed = [];
  const weigh = (response) => {
    requests++;
    if (response.request().resourceType() === "script") {
      weighed.push(response.body().then((body) => (scripts += gzipSync(body).length)));
    }
  };
  page.on("response", weigh);
  await page.goto(`${origin}/app/today`);
  await page.getByRole("list", { name: "Counts" }).waitFor();
  await page.waitForLoadState("networkidle");
  page.off("response", weigh);
  await Promise.all(weighed);
  if (scripts > most.scripts || scripts === 0) fault(`Today loads ${scripts} bytes of scripts, want at most ${most.scripts}`);
  if (requests > most.requests) fault(`Today loads by ${requests} requests, want at most ${most.requests}`);
  console.log(`measured ${scripts} bytes of scripts, ${requests} requests`);
}

async function lose() {
  listening = false;
  await context.setOffline(true);
  await page.getByText("No connection.").waitFor();
  await page.getByText("Not live", { exact: true }).waitFor();
  await judge("offline");
  await context.setOffline(false);
  await page.getByText("No connection.").waitFor({ state: "hidden" });
  await page.getByText("Live", { exact: true }).waitFor();
  await page.route("**/graphql", (route) => route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad gateway</h1>" }));
  await page.reload();
  await page.getByRole("button", { name: "Retry" }).waitFor();
  await judge("failed");
  await page.unroute("**/graphql");
  await page.getByRole("button", { name: "Retry" }).click();
  await page.getByRole("list", { name: "Counts" }).waitFor();
  listening = true;
}

async function signOut() {
  const other = await context.newPage();
  await other.goto(`${origin}/app/today`);
  await other.getByRole("list", { name: "Counts" }).waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await heading("Sign in");
  await other.getByRole("heading", { name: "Sign in" }).waitFor();
  await page.goto(`${origin}/app/today`);
  await heading("Sign in");
  await judge("signed-out");
}

async function forget() {
  await asked("wait");
  await page.getByRole("button", { name: "Indonesia" }).click();
  await heading("Masuk");
  await page.getByRole("button", { name: "Lupa kata sandi?" }).click();
  await page.getByLabel("Email atau telepon").fill(email);
  await page.keyboard.press("Enter");
  await page.getByLabel("Kata sandi baru").fill("a new password");
  await judge("reset");
  await page.getByLabel("Kode").fill(await asked("code 3"));
  await page.keyboard.press("Enter");
  await page.getByText("Kata sandi telah disimpan.").waitFor();
  await page.getByLabel("Email atau telepon").fill(email);
  await page.getByLabel("Kata sandi").fill("a new password");
  await page.getByRole("button", { name: "Masuk", exact: true }).click();
  await page.getByRole("navigation").waitFor();
}

try {
  for (const step of [signIn, look, follow, filter, measure, lose, signOut, forget]) {
    console.log(`step ${step.name}`);
    await step();
  }
} catch (error) {
  if (pictures) await page.screenshot({ path: `${pictures}/failed.png` });
  fault(`${error.message} at ${page.url()}: ${(await page.evaluate(() => document.body.innerText)).slice(0, 800)}`);
}
await browser.close();
console.log("done");
process.exit(0);
