// Uses the tickets: as who handles them, answers one from Today, holds, assigns and merges; as an
// employee, asks for help, and never sees what those who handle it write to each other.
import { asked, context, fault, heading, judge, look, now, origin, page, run, signIn, told } from "./bench.mjs";

const most = 4;

const dialog = () => page.getByRole("dialog").first();
const verb = (name) => dialog().getByRole("button", { name, exact: true });
const holds = async (what, want) => {
  const got = await asked(what);
  if (got !== want) fault(`${what} is ${got}, want ${want}`);
};
const link = (text) => page.getByRole("link", { name: text });

async function enter() {
  await context.clock.setFixedTime(now);
  await signIn("tickets");
  await page.getByText("Live", { exact: true }).waitFor();
  if (told?.employee) return;
  await look("tickets", async (spoken) => {
    await heading(spoken === "id" ? "Tiket" : "Tickets");
    await link(/Akun surel baru/).waitFor();
  });
}

/** Answers a ticket in at most four clicks from Today. */
async function answer() {
  await page.goto(`${origin}/app/today`);
  await page.getByRole("list", { name: "Counts" }).waitFor();
  let clicks = 0;
  const click = async (what) => {
    clicks++;
    await what.click();
  };
  await click(page.getByRole("navigation").getByRole("link", { name: "Tickets" }));
  await click(link(/Akun surel baru/));
  await page.waitForFunction(() => document.activeElement?.matches("dialog wf-talk textarea"));
  await page.keyboard.type("It is there from tomorrow.");
  await click(verb("Reply"));
  await dialog().getByRole("listitem").getByText("It is there from tomorrow.").waitFor();
  if (clicks > most) fault(`an answer takes ${clicks} clicks, want at most ${most}`);
  await holds("comments", "It is there from tomorrow.");
  await judge("ticket");
}

async function handle() {
  await dialog().getByRole("textbox", { name: "Reply" }).fill("The licence costs 3.");
  await dialog().getByLabel("Internal note").check();
  await verb("Reply").click();
  await dialog().getByRole("listitem").getByText("The licence costs 3.").waitFor();
  await holds("comments", "It is there from tomorrow.|internal: The licence costs 3.");
  await verb("Assign to me").click();
  await dialog().getByText("The ticket is yours.").waitFor();
  await verb("Put on hold").click();
  const asks = page.getByRole("dialog", { name: "Put on hold" });
  await asks.getByLabel("What is waited for").fill("the start date");
  await judge("hold");
  await asks.getByRole("button", { name: "Put on hold" }).click();
  await dialog().getByText("On hold since").waitFor();
  await holds("state", "open, held for the start date, with Andini Kusumawardhani");
  await verb("Resume").click();
  await dialog().getByText("The clock runs again.").waitFor();
  await verb("Follow").click();
  await verb("Unfollow").waitFor();
  await dialog().getByLabel("Priority").selectOption("urgent");
  await verb("Save").click();
  await dialog().getByText("Saved.").waitFor();
  await verb("Resolve").click();
  await verb("Open again").waitFor();
  await holds("state", "resolved, with Andini Kusumawardhani");
  await verb("Back to tickets").click();
}

async function merge() {
  await link(/Lampu meja kerja redup/).click();
  await verb("Merge").click();
  const asks = page.getByRole("dialog", { name: "Merge as duplicate" });
  await asks.getByRole("combobox", { name: "Same as" }).fill("kursi");
  await page.getByRole("option", { name: /Kursi rusak/ }).click();
  await asks.getByRole("button", { name: "Merge" }).click();
  await dialog().getByText(/^#\d+ Kursi rusak$/).waitFor();
  await verb("Not a duplicate").waitFor();
  await holds("merged", "Kursi rusak");
  await verb("Back to tickets").click();
  await page.getByRole("list", { name: "Closed" }).getByRole("listitem", { name: /Lampu meja kerja redup/ }).waitFor();
}

async function filter() {
  await page.getByLabel("Status of #8 Wi-Fi lantai 3 mati").selectOption({ label: "In progress" });
  await page.getByRole("list", { name: "In progress" }).getByRole("link", { name: /Wi-Fi/ }).waitFor();
  await page.getByRole("combobox", { name: "Which" }).selectOption("mine");
  await page.waitForURL("**/app/tickets?concern=mine");
  await link(/VPN sering terputus/).waitFor({ state: "detached" });
  await page.reload();
  await link(/Akun surel baru/).waitFor();
  await page.getByRole("button", { name: "List" }).click();
  await page.getByRole("row", { name: /Akun surel baru/ }).waitFor();
  await judge("tickets-list");
}

/** Finds a ticket by its number and by its subject, and opens it. */
async function find() {
  await page.goto(`${origin}/app/tickets`);
  await link(/Akun surel baru/).waitFor();
  await page.keyboard.press("Control+k");
  const search = page.getByRole("combobox", { name: "Search" });
  await search.fill("lantai wi-fi");
  await page.getByRole("option", { name: "#8 Wi-Fi lantai 3 mati Ticket" }).waitFor();
  await search.fill("#8");
  await page.getByRole("option", { name: "#8 Wi-Fi lantai 3 mati Ticket", selected: true }).waitFor();
  await judge("found-ticket");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "#8 Wi-Fi lantai 3 mati" }).waitFor();
  if (new URL(page.url()).search.replace(/[0-9]+/, "ID") !== "?ticket=ID") fault(`a found ticket is at ${page.url()}`);
  await verb("Back to tickets").click();
}

/** Adds, renames and deletes a category, and is told why one stays. */
async function sort() {
  await page.getByRole("button", { name: "Categories" }).click();
  const open = page.getByRole("dialog", { name: "Categories", exact: true });
  const sure = (name) => page.getByRole("dialog", { name: `Delete “${name}”?` }).getByRole("button", { name: "Delete", exact: true });
  await page.waitForFunction(() => document.activeElement?.matches("wf-categories form input"));
  await page.keyboard.type("Parkir");
  await page.keyboard.press("Enter");
  await open.getByText("“Parkir” was added.").waitFor();
  await open.getByRole("listitem", { name: "Parkir" }).waitFor();
  await page.keyboard.type("Parkir");
  await page.keyboard.press("Enter");
  await open.getByRole("alert").waitFor(); // there is one of this name
  await judge("categories");
  await open.getByRole("button", { name: "Change Parkir" }).click();
  await open.getByLabel("Name", { exact: true }).fill("Parkir motor");
  await page.keyboard.press("Enter");
  await open.getByRole("listitem", { name: "Parkir motor" }).waitFor();
  await holds("categories", "Jaringan, Parkir motor, Perangkat, Ruang kerja");
  await open.getByRole("button", { name: "Delete Jaringan" }).click();
  await sure("Jaringan").click();
  await open.getByRole("alert").first().waitFor(); // it has tickets
  await open.getByRole("button", { name: "Delete Parkir motor" }).click();
  await sure("Parkir motor").click();
  await open.getByRole("listitem", { name: "Parkir motor" }).waitFor({ state: "detached" });
  await holds("categories", "Jaringan, Perangkat, Ruang kerja");
  await open.getByRole("button", { name: "Close", exact: true }).click();
  await page.waitForURL("**/app/tickets");
}

/** Adds a category of tasks below another, by which the list is filtered. */
async function sortTasks() {
  await page.goto(`${origin}/app/tasks?categories=1`);
  const open = page.getByRole("dialog", { name: "Categories", exact: true });
  await open.getByLabel("New category").fill("Audit");
  await open.getByRole("combobox", { name: "Below" }).selectOption({ label: "Koordinasi" });
  await open.getByRole("button", { name: "Add", exact: true }).click();
  await open.getByRole("listitem", { name: "Koordinasi / Audit" }).waitFor();
  await judge("task-categories");
  await holds("sorted", "Audit below Koordinasi");
  await page.keyboard.press("Escape");
  await page.getByRole("combobox", { name: "Category" }).selectOption({ label: "Koordinasi / Audit" });
  await page.getByText("Nothing fits these filters.").waitFor();
}

/** What an employee does. */
async function ask() {
  await page.getByRole("button", { name: "New ticket" }).click();
  await page.getByLabel("Subject").fill("My badge does not open the gate");
  await judge("new-ticket");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("status").filter({ hasText: "Added:" }).getByRole("link", { name: /My badge/ }).click();
  await dialog().getByLabel("Add files").setInputFiles({ name: "gate.txt", mimeType: "text/plain", buffer: Buffer.from("Gate 2") });
  await dialog().getByRole("link", { name: "gate.txt" }).waitFor();
  await holds("asked", "My badge does not open the gate, 1 file");
  await verb("Back to tickets").click();
  await link(/Laptop tidak menyala/).click();
  await dialog().getByText("Sedang kami periksa.").waitFor();
  if ((await dialog().getByText("Suku cadang sudah dipesan.").count()) > 0) fault("an employee sees an internal note");
  if ((await dialog().getByLabel("Internal note").count()) > 0) fault("an employee is offered internal notes");
  await judge("own-ticket");
}

await run(told?.employee ? [enter, ask] : [enter, answer, handle, merge, filter, find, sort, sortTasks]);
