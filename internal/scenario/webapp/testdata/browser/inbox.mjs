// Uses the Inbox as a manager does: looks at what waits in both languages and themes, narrow and
// wide, and decides about one, about many, and by keys alone.
import { asked, context, fault, heading, judge, look, now, page, run, signIn } from "./bench.mjs";

const outcome = (text) => page.locator(".outcome").getByText(text).waitFor();
const row = (list, name) => page.getByRole("list", { name: list }).getByRole("listitem", { name });
const waiting = (count) => page.getByRole("link", { name: new RegExp(`^Inbox\\W+${count} waits? for you$`) }).waitFor();

async function enter() {
  await context.clock.setFixedTime(now); // what waits is asked for by the date of the browser
  await signIn("today");
  await heading("Today");
  await waiting(Number(await asked("total")));
  await page.getByRole("link", { name: /^Inbox/ }).click();
  await heading("Inbox");
  await page.getByText("Live", { exact: true }).waitFor();
}

/** Leads from what waits to the day that it is of, which says so, and back. */
async function day() {
  const event = row("Clock-ins and clock-outs", /./).first();
  const name = await event.getByRole("link").innerText();
  const dialog = page.getByRole("dialog", { name });
  const flags = await event.getByText("Flagged").locator("xpath=following-sibling::dd").innerText();
  await event.getByRole("link").click();
  await dialog.getByText(`Waits for a decision: ${flags}`).waitFor();
  await judge("day-waiting");
  await dialog.getByRole("link", { name: "Waits for a decision" }).first().click();
  await heading("Inbox");
  await row("Corrections", /./).first().getByRole("link").click();
  await page.getByRole("dialog").getByText("Waits for a decision: a correction").waitFor();
  await page.getByRole("dialog").getByText("Reason").waitFor();
  await page.goBack();
  await heading("Inbox");
}

const lookAround = () => look("inbox", (spoken) => heading(spoken === "id" ? "Kotak masuk" : "Inbox"));

/** Approves the leave that waits longest, by one click; another click there, to where the next one has moved, does nothing. */
async function approve() {
  const first = row("Leave", "Budi Santoso").first();
  await first.getByText("leave 0").waitFor();
  await first.scrollIntoViewIfNeeded(); // the rest is read once it is in sight
  await first.getByText(/ days are left if approved$/).waitFor();
  await first.getByText("nobody of the team").waitFor();
  const place = await first.getByRole("button", { name: "Approve" }).boundingBox();
  await first.getByRole("button", { name: "Approve" }).dblclick();
  await outcome("1 approved.");
  await page.getByText("leave 0").waitFor({ state: "hidden" });
  await page.mouse.click(place.x + 8, place.y + 8);
  const left = await asked("total");
  await page.waitForTimeout(1000);
  if ((await asked("total")) !== left) fault("a click on what had just moved decided something");
  await asked("state leave 0 approved");
}

/** Keeps what stands beside a leave with it when one above it goes, and the focus near. */
async function stay() {
  const other = row("Leave", "Kartika Sari");
  await other.getByText(/^11 of 12 days are left/).waitFor();
  const before = await other.innerText();
  await row("Leave", "Agus Setiawan").getByRole("button", { name: "Approve" }).click();
  await outcome("1 approved. Agus Setiawan");
  await row("Leave", "Agus Setiawan").waitFor({ state: "hidden" });
  await page.waitForFunction(() => document.activeElement.matches("li[data-key] input"));
  if ((await other.innerText()) !== before) fault(`${before} has become ${await other.innerText()}`);
}

/** Rejects two others with a note, after a question that can be left. */
async function reject() {
  for (const name of ["leave 1", "leave 2"]) await row("Leave", "Budi Santoso").filter({ hasText: name }).getByRole("checkbox").check();
  await page.getByText("2 selected").waitFor();
  await page.getByLabel("Note", { exact: true }).fill("too many at once");
  await page.getByRole("button", { name: "Reject", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Reject 2 requests?" });
  await dialog.waitFor();
  await judge("inbox-asked");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await page.getByText("2 selected").waitFor();
  await page.getByRole("button", { name: "Reject", exact: true }).click();
  await dialog.getByRole("button", { name: "Reject" }).click();
  await outcome("2 rejected.");
  await asked("state leave 1 refused");
  await asked("state leave 2 refused");
  if ((await page.getByLabel("Note", { exact: true }).inputValue()) !== "") fault("the note is kept");
}

/** Approves a face reset by keys alone. */
async function press() {
  await page.getByRole("heading", { level: 1 }).focus();
  const rows = await page.locator("li[data-key]").count();
  for (let i = 0; i < rows; i++) await page.keyboard.press("j");
  if (!(await row("Face resets", "Budi Santoso").getByRole("checkbox").evaluate((e) => e === document.activeElement))) fault("j does not lead to the last one");
  await page.keyboard.press("n");
  await page.keyboard.type("a jar");
  if ((await page.getByLabel("Note", { exact: true }).inputValue()) !== "a jar") fault("keys count while one types");
  await row("Face resets", "Budi Santoso").getByRole("checkbox").focus();
  await page.keyboard.press("a");
  await outcome("1 approved.");
  await row("Face resets", "Budi Santoso").waitFor({ state: "hidden" });
}

/** Shows what comes while one looks, and what somebody else has decided. */
async function follow() {
  await asked("leave 3");
  const late = row("Leave", "Budi Santoso").filter({ hasText: "leave 3" });
  await late.waitFor();
  await waiting(Number(await asked("total")));
  await page.route("**/graphql", async (route) => {
    if (route.request().postData().includes("DecideLeaves")) await asked("decide leave 3");
    await route.continue();
  });
  await late.getByRole("button", { name: "Approve" }).click();
  await outcome("Budi Santoso: decided already, or not possible any more");
  await late.waitFor({ state: "hidden" });
}

await run([enter, lookAround, day, approve, stay, reject, press, follow]);
