// Uses the tasks as a manager does: gives somebody a new one from Today, changes it while somebody else
// does, with its checklist, comments and files, moves it on the board, books time, and deletes it.
import { asked, context, fault, heading, judge, look, now, origin, page, run, signIn } from "./bench.mjs";

const title = "Count the fire extinguishers";
const most = 4;

const dialog = (name) => page.getByRole("dialog", { name, exact: true });
const lane = (name) => page.getByRole("list", { name, exact: true });
const button = (name) => page.getByRole("button", { name, exact: true });
const holds = async (what, want) => {
  const got = await asked(what);
  if (got !== want) fault(`${what} is ${got}, want ${want}`);
};

async function enter() {
  await context.clock.setFixedTime(now);
  await signIn("tasks");
  await page.getByText("Live", { exact: true }).waitFor();
  await look("tasks", async (spoken) => {
    await heading(spoken === "id" ? "Tugas" : "Tasks");
    await page.getByRole("link", { name: "Rapat persiapan audit" }).waitFor();
  });
}

/** Gives somebody a new task in at most four clicks from Today. */
async function give() {
  await page.goto(`${origin}/app/today`);
  await page.getByRole("list", { name: "Counts" }).waitFor();
  let clicks = 0;
  const click = async (what) => {
    clicks++;
    await what.click();
  };
  await click(page.getByRole("navigation").getByRole("link", { name: "Tasks" }));
  await click(button("New task"));
  await dialog("New task").waitFor();
  await page.keyboard.type(title);
  await judge("new-task");
  await page.reload(); // what was entered survives
  await dialog("New task").getByLabel("Assign to").fill("budi"); // the field alone has this label
  await click(page.getByRole("option", { name: /^Budi Santoso/ }));
  await click(button("Save"));
  await page.getByRole("status").filter({ hasText: "Added:" }).getByRole("link", { name: title }).waitFor();
  if (clicks > most) fault(`a new task takes ${clicks} clicks, want at most ${most}`);
  await holds("given", "Budi Santoso");
  await lane("Open").getByRole("listitem", { name: title }).getByText("Budi Santoso").waitFor();
}

/** Changes the task while somebody else renames it, and has both sides shown. */
async function change() {
  await lane("Open").getByRole("link", { name: title }).click();
  const open = page.getByRole("dialog");
  await open.getByLabel("Priority").selectOption("high");
  const primary = await open.locator("button[type=submit].primary").allInnerTexts();
  if (primary.join() !== "Save") fault(`the forms of a task stand out by ${primary}`);
  await open.getByLabel("Title", { exact: true }).fill(`${title} twice`);
  await asked("rename");
  await open.getByRole("button", { name: "Save", exact: true }).click();
  const sides = open.getByRole("table", { name: "What changed meanwhile" });
  await sides.getByText("Renamed by another").waitFor();
  await judge("task-conflict");
  await open.getByRole("button", { name: "Save mine" }).click();
  await open.getByText("Saved.").waitFor();
  await holds("title", `${title} twice`);
}

async function parts() {
  const open = page.getByRole("dialog");
  await open.getByLabel("New step").fill("Ground floor");
  await page.keyboard.press("Enter");
  const step = open.getByRole("listitem", { name: "Ground floor" });
  await step.getByRole("checkbox").check();
  await open.getByText("1 of 1").waitFor();
  await open.getByRole("textbox", { name: "Comment" }).fill("Keys are at the desk.");
  await open.getByRole("button", { name: "Comment", exact: true }).click();
  await open.getByRole("listitem", { name: "Comment of Ratna Wijayanti" }).getByText("Keys are at the desk.").waitFor();
  await open.getByLabel("Add files").setInputFiles({ name: "plan.txt", mimeType: "text/plain", buffer: Buffer.from("Floors: 3") });
  await open.getByRole("link", { name: "plan.txt" }).waitFor();
  await judge("task");
  await holds("parts", "1 step done, 1 comment, 1 file");
  await open.getByRole("button", { name: "Delete plan.txt" }).click();
  await dialog("Delete “plan.txt”?").getByRole("button", { name: "Delete", exact: true }).click();
  await open.getByRole("link", { name: "plan.txt" }).waitFor({ state: "detached" });
  await open.getByRole("button", { name: "Close", exact: true }).click();
}

/** Moves the task by its choice, and then by dragging it. */
async function move() {
  const name = `${title} twice`;
  await page.getByLabel(`Status of ${name}`).selectOption({ label: "In progress" });
  const card = lane("In progress").getByRole("listitem", { name });
  await card.waitFor();
  await holds("status", "in_progress");
  await card.dragTo(page.getByRole("heading", { name: /^Done / }));
  await lane("Done").getByRole("listitem", { name }).waitFor();
  await holds("status", "done");
}

async function filter() {
  await page.getByRole("searchbox", { name: "Search" }).fill("extinguishers");
  await page.waitForURL("**/app/tasks?search=extinguishers");
  await button("List").click();
  await page.getByRole("row", { name: `${title} twice` }).waitFor();
  await page.reload();
  await page.getByRole("row", { name: `${title} twice` }).waitFor();
  if ((await page.getByRole("row").count()) !== 2) fault("the search finds others");
  await judge("tasks-list");
  await page.goto(`${origin}/app/tasks?search=nothing-like-this`);
  await page.getByText("Nothing fits these filters.").waitFor();
  await page.goto(`${origin}/app/tasks?task=999999`);
  await page.getByRole("dialog").getByRole("alert").waitFor();
  await judge("no-task");
}

/** Finds a task by words of its title, by one request for all that is typed at once, and opens it. */
async function find() {
  await page.goto(`${origin}/app/tasks?search=nothing-like-this`);
  if ((await button("Categories").count()) > 0) fault("a manager is offered the categories");
  let requests = 0;
  page.on("request", (r) => {
    if (r.postData()?.includes(`"operationName":"Find"`)) requests++;
  });
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.keyboard.press("Control+k");
  const search = page.getByRole("combobox", { name: "Search" });
  await search.evaluate((field) => {
    for (const text of ["r", "ra", "audit rap"]) {
      field.value = text;
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
  });
  await page.getByRole("option", { name: "Rapat persiapan audit Task", selected: true }).waitFor();
  if (requests !== 1) fault(`${requests} requests for one text`);
  await judge("found-task");
  await page.keyboard.press("Enter");
  await dialog("Rapat persiapan audit").waitFor();
  if (new URL(page.url()).search.replace(/[0-9]+/, "ID") !== "?task=ID") fault(`a found task is at ${page.url()}`);
}

async function book() {
  await page.goto(`${origin}/app/tasks`);
  await page.getByRole("link", { name: "Rapat persiapan audit" }).click();
  const open = dialog("Rapat persiapan audit");
  await open.getByRole("button", { name: "Start timer" }).click();
  await open.getByRole("timer").waitFor();
  await judge("timer");
  await open.getByRole("button", { name: "Stop timer" }).click();
  await open.getByText("The timer stopped.").waitFor();
  await open.getByRole("button", { name: "Book time" }).click();
  await open.getByLabel("From", { exact: true }).fill(await asked("from"));
  await open.getByLabel("To", { exact: true }).fill(await asked("to"));
  await open.getByRole("button", { name: "Save", exact: true }).last().click();
  await open.getByText("The time was booked.").waitFor();
  await holds("entries", "2");
  await open.getByRole("button", { name: "Close", exact: true }).click();
}

async function remove() {
  const name = `${title} twice`;
  await page.getByRole("link", { name }).click();
  await button("Delete task").click();
  await judge("delete-task");
  await dialog(`Delete “${name}”?`).getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByText(`“${name}” was deleted.`).waitFor();
  await page.getByRole("link", { name }).waitFor({ state: "detached" });
  await holds("status", "gone");
}

await run([enter, give, change, parts, move, filter, find, book, remove]);
