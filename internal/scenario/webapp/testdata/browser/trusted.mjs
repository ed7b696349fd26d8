// Uses the app where a server runs listed operations alone: each screen works; a tab of a version whose operations the
// server does not know loads itself anew once, and keeps what was written.
import { context, fault, listen, menu, now, origin, page, run, signIn } from "./bench.mjs";

const alerts = () => page.getByRole("alert").allInnerTexts();

/** Shows all screens of a manager, and follows what happens. */
async function screens() {
  await context.clock.install({ time: now });
  await signIn("today");
  const links = menu.getByRole("link");
  const count = await links.count();
  for (let i = 0; i < count; i++) {
    await links.nth(i).click();
    await page.waitForFunction(() => document.querySelector("h1") && !document.querySelector("main .loading:not(li *)"));
    for (const alert of await alerts()) fault(`${await links.nth(i).innerText()}: ${alert}`);
  }
  if (count < 8) fault(`${count} screens`);
  await page.goto(`${origin}/app/today`);
  await page.getByText("Live", { exact: true }).waitFor();
}

/** Has the server not know the operations of the page that is shown, until it was loaded `loads` times more. */
async function age(loads) {
  let loaded = 0;
  page.on("domcontentloaded", () => loaded++);
  await page.route("**/graphql", (route) => {
    const body = JSON.parse(route.request().postData());
    if (loaded < loads) body.extensions.persistedQuery.sha256Hash = "0".repeat(64);
    return route.continue({ postData: JSON.stringify(body) });
  });
  return () => loaded;
}

/** Writes a ticket in a tab of before: what was written is there after the page has loaded itself anew. */
async function upgrade() {
  listen(false); // a refused operation is a line of the console
  await page.goto(`${origin}/app/tickets`);
  await page.getByRole("button", { name: "New ticket" }).click();
  const subject = page.getByLabel("Subject");
  await subject.fill("The door is open");
  const loaded = await age(1);
  const save = page.getByRole("button", { name: "Save" });
  const again = page.waitForEvent("domcontentloaded");
  await save.click();
  await again;
  await subject.waitFor();
  if ((await subject.inputValue()) !== "The door is open") fault(`kept ${await subject.inputValue()}`);
  if (loaded() !== 1) fault(`loaded ${loaded()} times`);
  await save.click();
  await page.getByRole("status").filter({ hasText: "Added:" }).waitFor();
  if (loaded() !== 1) fault(`loaded ${loaded()} times in the end`);
  await page.unrouteAll();
}

/** Says so, and does not load the page a second time within a minute, where the server still does not know it. */
async function stay() {
  const loaded = await age(1_000);
  await page.goto(`${origin}/app/tickets`);
  await page.getByRole("alert").first().waitFor();
  if (loaded() !== 1) fault(`loaded ${loaded()} times`);
}

await run([screens, upgrade, stay]);
