// Makes the pictures of the README: Today and the roster, as a manager sees them.
import { context, heading, now, origin, page, run, signIn, told } from "./bench.mjs";

async function draw() {
  await context.clock.setFixedTime(now);
  await signIn("today");
  for (const [screen, name] of [["today", "Today"], ["roster", "Roster"]]) {
    await page.goto(`${origin}/app/${screen}`);
    await heading(name);
    await page.getByRole("row").nth(5).waitFor();
    await page.screenshot({ path: `${told.folder}/${screen}.png` });
  }
}

await run([draw]);
