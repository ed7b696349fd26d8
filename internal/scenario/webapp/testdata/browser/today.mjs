// Uses the web app as a manager does: signs in, looks at Today in both languages and themes, narrow
// and wide, and signs out.
import { gzipSync } from "node:zlib";
import { asked, context, email, fault, heading, judge, language, listen, look, narrow, now, openMenu, origin, page, password, run, wide } from "./bench.mjs";

const most = { scripts: 60_000, requests: 28, heap: 5 << 20 };

const count = async (name) => Number(await page.getByRole("list", { name: /Counts|Jumlah/ }).getByRole("link", { name: new RegExp(`^${name} `) }).locator("strong").innerText());

async function enter() {
  await context.clock.setFixedTime(now); // the day is that of the browser
  await page.goto(`${origin}/app/`);
  await heading("Sign in");
  for (const size of [narrow, wide]) {
    await page.setViewportSize(size);
    await judge(`sign-in-${size.width}`);
  }
  await page.getByLabel("Email or phone").fill(email);
  await page.getByLabel("Password").fill("wrong password");
  listen(false); // the browser says that it was refused
  await page.keyboard.press("Enter");
  await page.getByRole("alert").waitFor();
  await judge("sign-in-refused");
  listen(true);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  const code = page.getByLabel("Code", { exact: true });
  await code.waitFor();
  await judge("code");
  const sent = await asked("code 1");
  await code.fill(sent === "000000" ? "000001" : "000000");
  listen(false);
  await page.getByRole("button", { name: "Continue" }).click();
  const wrong = await page.getByRole("alert").innerText();
  const told = await page.getByText(wrong, { exact: true }).count();
  if (told !== 1) fault(`a wrong code is told ${told} times`);
  await judge("code-wrong");
  listen(true);
  await code.fill(sent);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("navigation").waitFor();
}

async function lookAround() {
  await language("en");
  await heading("Today");
  await page.getByText("Live", { exact: true }).waitFor();
  await look("today", (spoken) => heading(spoken === "id" ? "Hari ini" : "Today"));
}

/** Has one menu by the person's name, which Escape and leaving close. */
async function menu() {
  await page.setViewportSize(narrow);
  const name = page.getByRole("button", { name: "Ratna Wijayanti" });
  const out = page.getByRole("button", { name: "Sign out" });
  await name.click();
  await out.waitFor();
  await judge("menu");
  const { x } = await out.boundingBox();
  if (x < 0) fault(`the menu begins at ${x}`);
  const high = await page.getByRole("banner").evaluate((e) => e.offsetHeight);
  if (high > 110) fault(`the header is ${high} px high`);
  await page.keyboard.press("Escape");
  await out.waitFor({ state: "hidden" });
  if (!(await name.evaluate((e) => e === document.activeElement))) fault("Escape does not return to the name");
  await name.press("Enter");
  await out.focus();
  await page.keyboard.press("Tab");
  await out.waitFor({ state: "hidden" });
  await name.click();
  await page.getByRole("button", { name: "Keys" }).click();
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  if (!(await name.evaluate((e) => e === document.activeElement))) fault("the focus is lost after the keys");
  await page.setViewportSize(wide);
}

/** Shows who comes, in the team and where they are: looking there is recorded. */
async function follow() {
  await page.getByRole("button", { name: "Draw where people clocked in" }).click();
  await page.getByRole("list", { name: "Sites" }).waitFor();
  const counts = {};
  for (const name of ["In", "Late", "Missing", "On leave", "Not due"]) counts[name] = await count(name);
  await asked(`counts ${JSON.stringify(counts)}`);
  await asked("clock in");
  const wanted = String(counts.In + 1);
  await page.getByRole("link", { name: `In ${wanted}`, exact: true }).waitFor();
  await page.getByRole("row", { name: "Budi Santoso In" }).waitFor();
  const sites = page.getByRole("list", { name: "Sites" });
  const kantor = sites.getByRole("img", { name: "Kantor Pusat: 3 within, 0 outside, 1 doubtful" });
  await kantor.waitFor();
  await sites.getByText(/^Budi Santoso, \d+ m away, accurate to 40 m, position made up$/).waitFor();
  await kantor.locator("path.doubtful").waitFor();
  const circle = await kantor.locator(".radius").boundingBox(); // of 100 m
  const widths = await kantor.locator(".accuracy").evaluateAll((all) => all.map((a) => a.getBoundingClientRect().width));
  if (!widths.some((w) => Math.abs(w / circle.width - 0.4) <= 0.02)) fault(`accuracies are drawn ${widths} wide beside ${circle.width}`);
  await judge("sites");
  const looked = await asked("looked");
  if (Number(looked) < 5) fault(`looking at the positions of five people is recorded ${looked} times`);
  await page.getByRole("button", { name: "Hide" }).click();
  await sites.waitFor({ state: "detached" });
}

async function filter() {
  const off = (await page.getByRole("row").count()) - 9; // without the head, 5 in, 1 on leave and 2 not due
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
  await page.emulateMedia({ media: "print" });
  await page.getByText("Status: Off", { exact: true }).waitFor();
  await page.emulateMedia({ media: null });
  await page.getByText("Status: Off", { exact: true }).waitFor({ state: "hidden" });
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as CSV" }).click();
  const file = (await saved).suggestedFilename();
  if (file !== `Today ${now.slice(0, 10)}.csv`) fault(`the table is saved as ${file}`);
  await page.goBack();
  await page.waitForURL("**/app/today");
  await page.getByRole("row", { name: "Budi Santoso" }).waitFor();
  await page.goForward();
  await holds("forward");
  await page.getByRole("link", { name: "In 5" }).click();
  await page.waitForURL("**/app/today?status=in");
  await page.getByRole("row", { name: "Budi Santoso" }).waitFor();
  await page.getByRole("combobox", { name: "Business" }).selectOption({ label: "\u2003\u2003Gudang" });
  await page.getByRole("row", { name: "Sumarni" }).waitFor();
  await page.getByRole("combobox", { name: "Status" }).selectOption("done");
  await page.getByText("Nothing here.").waitFor();
  await page.getByRole("combobox", { name: "Status" }).selectOption("not_due");
  await page.getByRole("row", { name: "Slamet Riyadi" }).waitFor();
  await page.getByRole("button", { name: "Person" }).click();
  await page.getByRole("columnheader", { name: "Person", sort: "ascending" }).waitFor();
  const chosen = page.url();
  await page.getByRole("link", { name: "Today" }).click();
  await page.waitForURL("**/app/today");
  await page.goBack();
  if (page.url() !== chosen) fault(`back leads to ${page.url()}, not to ${chosen}`);
  await page.getByRole("row", { name: "Slamet Riyadi" }).waitFor();
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
  await page.goto("about:blank"); // what the page before still loads does not count
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

/** Tells the page 10,000 times that something changed: what that leaves in memory stays small. */
async function replay() {
  const other = await context.newPage();
  await other.addInitScript(() => {
    globalThis.WebSocket = class extends WebSocket {
      send(message) {
        const { id, type, payload } = JSON.parse(message);
        if (type === "subscribe" && payload.operationName === "AttendanceChanged") {
          const data = JSON.stringify({ id, type: "next", payload: { data: { attendanceChanged: { id: "1" } } } });
          globalThis.tell = () => this.dispatchEvent(new MessageEvent("message", { data }));
        }
        super.send(message);
      }
    };
  });
  await other.goto(`${origin}/app/today`);
  await other.getByText("Live", { exact: true }).waitFor();
  const devtools = await context.newCDPSession(other);
  const used = async () => {
    await devtools.send("HeapProfiler.collectGarbage");
    return (await devtools.send("Runtime.getHeapUsage")).usedSize;
  };
  let reads = 0;
  const reading = (request) => (reads += request.postData()?.includes(`"operationName":"Today"`) ? 1 : 0);
  other.on("request", reading);
  const before = await used();
  const start = performance.now();
  for (let i = 0; i < 5; i++) {
    await other.evaluate(() => {
      for (let j = 0; j < 2_000; j++) globalThis.tell();
    });
    await other.waitForTimeout(500);
  }
  await other.waitForTimeout(2_500); // the last of them is read after two seconds
  const grown = (await used()) - before;
  if (grown > most.heap) fault(`10,000 events leave ${grown} bytes, want at most ${most.heap}`);
  const seconds = (performance.now() - start) / 1000;
  if (reads === 0 || reads > seconds / 2 + 1) fault(`10,000 events in ${seconds} s cause ${reads} readings`);
  console.log(`replayed: ${grown} bytes, ${reads} readings in ${seconds} s`);
  await other.close();
}

async function lose() {
  listen(false);
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
  listen(true);
}

async function signOut() {
  const other = await context.newPage();
  await other.goto(`${origin}/app/today`);
  await other.getByRole("list", { name: "Counts" }).waitFor();
  await language("id");
  await openMenu();
  await page.getByRole("button", { name: "Keluar" }).click();
  await heading("Sign in"); // in the language of the browser
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

await run([enter, lookAround, menu, follow, filter, measure, replay, lose, signOut, forget]);
