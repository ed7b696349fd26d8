// Uses the roster as a manager does: plans somebody's day in four clicks, moves by keys, filters, gives
// many a shift and ends it, copies a week and swaps two shifts.
import { asked, context, fault, heading, judge, look, narrow, now, page, run, signIn, wide } from "./bench.mjs";

const grid = () => page.getByRole("grid", { name: /^Roster/ });
const row = (name) => grid().getByRole("row", { name, exact: true });
const cell = (name, date) => row(name).getByRole("button", { name: new RegExp(`^${name}, ${date}`) });
const outcome = (text) => page.locator(".outcome").filter({ hasText: text }).first().waitFor();
const dialog = (name) => page.getByRole("dialog", { name, exact: true });
const focused = (name) => page.waitForFunction((n) => document.activeElement?.getAttribute("aria-label")?.startsWith(n), name);

async function enter() {
  await context.clock.setFixedTime(now);
  await signIn("today");
  await heading("Today");
}

/** Plans a Thursday: navigation, cell, shift, Plan. */
async function plan() {
  await page.getByRole("navigation").getByRole("link", { name: "Roster" }).click();
  await heading("Roster");
  await cell("Agus Setiawan", "Thu 12 Mar").click();
  await dialog("Plan").getByRole("radio", { name: /^Malam/ }).click();
  await dialog("Plan").getByRole("button", { name: "Plan", exact: true }).click();
  await outcome("Agus Setiawan, Thu 12 Mar: Malam.");
  await cell("Agus Setiawan", "Thu 12 Mar: Malam 22:00–06:00").waitFor();
  await focused("Agus Setiawan, Thu 12 Mar");
  await asked("planned agus@demo.test 2026-03-12 Malam");
}

/** Says at its place what is missing, and keeps a choice over a reload. */
async function choose() {
  await cell("Agus Setiawan", "Fri 13 Mar").click();
  await dialog("Plan").getByRole("button", { name: "Plan", exact: true }).click();
  await dialog("Plan").getByText("Choose what is planned.").first().waitFor();
  await judge("plan-refused");
  await dialog("Plan").getByRole("radio", { name: "Day off" }).click();
  await page.reload();
  await dialog("Plan").getByRole("radio", { name: "Day off", checked: true }).waitFor();
  await page.setViewportSize(narrow);
  await judge("plan-narrow");
  await page.setViewportSize(wide);
  await dialog("Plan").getByRole("radio", { name: "Several shifts" }).click();
  await dialog("Plan").getByRole("checkbox", { name: /^Pagi/ }).check();
  await dialog("Plan").getByRole("checkbox", { name: /^Malam/ }).check();
  await dialog("Plan").getByRole("button", { name: "Plan", exact: true }).click();
  await outcome("Agus Setiawan, Fri 13 Mar: Pagi, Malam.");
  await asked("planned agus@demo.test 2026-03-13 Malam Pagi");
  await cell("Agus Setiawan", "Fri 13 Mar").click();
  await dialog("Plan").getByRole("radio", { name: /^Usual plan/ }).click();
  await dialog("Plan").getByRole("button", { name: "Plan", exact: true }).click();
  await outcome("Agus Setiawan, Fri 13 Mar: Usual plan.");
  await asked("usual agus@demo.test 2026-03-13");
}

const lookAround = () => look("roster", (spoken) => heading(spoken === "id" ? "Jadwal" : "Roster"));

/** Moves from day to day, and opens one, by keys. */
async function press() {
  await cell("Agus Setiawan", "Mon 9 Mar").focus();
  for (const key of ["ArrowRight", "ArrowRight", "ArrowDown", "End", "ArrowLeft"]) await page.keyboard.press(key);
  await focused("ayu Lestari, Sat 14 Mar");
  await page.keyboard.press("Enter");
  await dialog("Plan").getByText("Saturday, 14 March 2026").waitFor();
  await page.keyboard.press("Escape");
  await dialog("Plan").waitFor({ state: "hidden" });
  await focused("ayu Lestari, Sat 14 Mar");
}

/** Keeps what is filtered by, and the week, in the address. */
async function filter() {
  await page.getByRole("searchbox", { name: "Search" }).fill("budi");
  await row("ayu Lestari").waitFor({ state: "hidden" });
  await page.getByRole("combobox", { name: "Day" }).selectOption({ label: "Wed 11 Mar" });
  await page.reload();
  await cell("Budi Santoso", "Wed 11 Mar").waitFor();
  if ((await grid().getByRole("gridcell").count()) !== 2) fault("one day of one person is not what is shown");
  await page.getByRole("combobox", { name: "Day" }).selectOption("");
  await page.getByRole("combobox", { name: "Weeks" }).selectOption("4");
  await cell("Budi Santoso", "Sun 5 Apr").waitFor();
  await judge("four-weeks");
  await page.getByRole("searchbox", { name: "Search" }).fill("nobody at all");
  await page.getByText("Nobody here has such a name.").waitFor();
  await page.getByRole("searchbox", { name: "Search" }).fill("");
  await page.getByRole("combobox", { name: "Weeks" }).selectOption("1");
  await page.getByRole("button", { name: "Next week" }).click();
  await cell("Budi Santoso", "Mon 16 Mar").waitFor();
  await page.getByRole("button", { name: "This week" }).click();
  await cell("Budi Santoso", "Mon 9 Mar").waitFor();
}

/** Gives two people a shift on Sundays, and ends that of one. */
async function assign() {
  await page.getByRole("button", { name: "Assign a shift" }).click();
  const panel = page.getByRole("region", { name: "Assign a shift" });
  await panel.getByRole("button", { name: "Assign", exact: true }).click();
  await panel.getByRole("alert").getByText("Select people in the list below.").first().waitFor();
  await judge("assign-refused");
  for (const name of ["Fitri Handayani", "Maya Puspita"]) await row(name).getByRole("checkbox").check();
  await panel.getByRole("combobox", { name: "Shift" }).selectOption({ label: "Pagi 08:00–17:00" });
  await panel.getByRole("checkbox", { name: "Sun" }).check();
  await panel.getByRole("button", { name: "Assign", exact: true }).click();
  const question = dialog("Assign Pagi to 2 people?");
  await question.getByText("Fitri Handayani, Maya Puspita").waitFor();
  await judge("assign-asked");
  await page.keyboard.press("Escape");
  await question.waitFor({ state: "hidden" });
  await panel.getByRole("button", { name: "Assign", exact: true }).click();
  await question.getByRole("button", { name: "Assign" }).click();
  await outcome("Pagi: assigned to 2 people.");
  await cell("Maya Puspita", "Sun 15 Mar: Pagi").waitFor();
  await row("Maya Puspita").getByRole("checkbox").check();
  await page.getByRole("button", { name: "Usual plans" }).click();
  await page.getByRole("row", { name: /Maya Puspita Pagi .*Sun/ }).getByRole("button", { name: "End Pagi of Maya Puspita" }).click();
  const end = dialog("End Pagi of Maya Puspita");
  await end.getByLabel("Last day").fill("2026-03-20");
  await judge("end");
  await end.getByRole("button", { name: "End" }).click();
  await outcome("Pagi of Maya Puspita ends on Fri 20 Mar.");
  await asked("ends maya@demo.test 2026-03-20");
  await row("Maya Puspita").getByRole("checkbox").uncheck();
}

/** Parts an assignment of somebody in two, of those of everybody, and deletes the second part. */
async function split() {
  const plans = page.getByRole("region", { name: "Usual plans" });
  await plans.getByText("Of everybody.").waitFor();
  await plans.getByRole("row", { name: /Fitri Handayani Pagi .*Sun/ }).getByRole("button", { name: "Split Pagi of Fitri Handayani" }).click();
  const parts = dialog("Split Pagi of Fitri Handayani");
  await parts.getByRole("button", { name: "Split" }).click();
  await parts.getByRole("alert").first().waitFor(); // it needs a date
  await parts.getByLabel("First day of the second part").fill("2026-03-22");
  await judge("split");
  await parts.getByRole("button", { name: "Split" }).click();
  await outcome("Pagi of Fitri Handayani has a second part from Sun 22 Mar on.");
  await plans.getByRole("row", { name: /Fitri Handayani Pagi 2026-03-22 .*Sun/ }).getByRole("button", { name: "Delete Pagi of Fitri Handayani" }).click();
  const question = dialog("Delete Pagi of Fitri Handayani?");
  await question.getByText("First day: Sun 22 Mar").waitFor();
  await judge("delete-assignment");
  await question.getByRole("button", { name: "Delete" }).click();
  await outcome("Pagi of Fitri Handayani was deleted.");
  await plans.getByRole("row", { name: /Fitri Handayani Pagi 2026-03-22/ }).waitFor({ state: "detached" });
  await asked("ends fitri@demo.test 2026-03-21");
  await page.getByRole("button", { name: "Usual plans" }).click();
}

/** Plans the next week as this one is, after a question. */
async function copy() {
  await page.getByRole("button", { name: "Copy a week" }).click();
  await page.getByRole("region", { name: "Copy a week" }).getByRole("button", { name: "Copy", exact: true }).click();
  const question = dialog("Copy the week for everybody whose shifts you plan?");
  await question.waitFor();
  await judge("copy-asked");
  await question.getByRole("button", { name: "Copy" }).click();
  await outcome(/\d+ days? (was|were) copied\./);
  await judge("copied");
  await page.getByRole("button", { name: "Show that week" }).click();
  await cell("Agus Setiawan", "Thu 19 Mar: Malam").waitFor();
  await asked("planned agus@demo.test 2026-03-19 Malam");
  await page.getByRole("button", { name: "This week" }).click();
}

/** Swaps two shifts of a day. */
async function swap() {
  await cell("Agus Setiawan", "Wed 11 Mar").click();
  await dialog("Plan").getByText("Swap", { exact: true }).first().click();
  await dialog("Plan").getByRole("combobox", { name: "Swap with" }).click();
  await dialog("Plan").getByRole("combobox", { name: "Swap with" }).fill("dimas");
  await page.getByRole("option", { name: /Dimas Prasetyo Wed 11 Mar/ }).click();
  await judge("swap");
  await dialog("Plan").getByRole("button", { name: "Swap", exact: true }).click();
  await outcome("Agus Setiawan and Dimas Prasetyo have swapped.");
  await cell("Dimas Prasetyo", "Wed 11 Mar: Pagi").waitFor();
  await asked("planned dimas@demo.test 2026-03-11 Pagi");
}

/** Has few of a thousand people in the page, and leads to the last of them by a key. */
async function many() {
  const reads = (request) => request.postData()?.includes(`"operationName":"Roster"`);
  const read = page.waitForResponse((r) => reads(r.request()));
  await page.reload();
  const answer = await (await read).json();
  const { roster } = answer.data;
  roster.people = Array.from({ length: 1000 }, (_, i) => ({ ...roster.people[i % roster.people.length], userId: String(9000 + i), name: `Person ${i + 1}` }));
  roster.totalCount = 1000;
  await page.route("**/graphql", (route) => (reads(route.request()) ? route.fulfill({ json: answer }) : route.fallback()));
  await page.reload();
  await cell("Person 1", "Mon 9 Mar").waitFor();
  const rows = await grid().locator("tr[aria-rowindex]").count();
  if (rows > 200 || (await grid().getAttribute("aria-rowcount")) !== "1001") fault(`${rows} rows of 1000 people are in the page`);
  await cell("Person 1", "Mon 9 Mar").focus();
  await page.keyboard.press("Control+End");
  await focused("Person 1000, Sun 15 Mar");
  await judge("thousand");
  await page.unroute("**/graphql");
}

await run([enter, plan, choose, lookAround, press, filter, assign, split, copy, swap, many]);
