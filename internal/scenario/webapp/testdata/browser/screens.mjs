// Goes to each screen of the navigation and holds what is true of each screen: narrow, dark and in Indonesian,
// and with WEB_FULL wide, light and in English too.
import { context, fault, judge, language, menu, narrow, now, page, run, signIn, theme, wide } from "./bench.mjs";

const links = () => menu.getByRole("link");

async function enter() {
  await context.clock.setFixedTime(now);
  await signIn("me");
}

/** Shows a screen by its link, until all of it is there; returns its heading. */
async function show(link) {
  await link.click();
  const shown = await page.waitForFunction((text) => {
    const heading = document.querySelector("h1")?.textContent.trim();
    return heading && text.startsWith(heading) && !document.querySelector("main .loading:not(li *)") && heading;
  }, await link.innerText());
  return shown.jsonValue();
}

const views = [["id", "dark", narrow], ...(process.env.WEB_FULL ? [["en", "light", wide]] : [])];

/** Where the links are in one line, the button before the search shows all of them within the page. */
async function unfold() {
  await page.getByRole("banner").getByRole("button", { name: /^(Screens|Layar)$/ }).click();
  for (const link of await links().all()) {
    const { left, right } = await link.evaluate((e) => e.getBoundingClientRect());
    if (left < 0 || right > narrow.width) fault(`${await link.innerText()} is at ${left} to ${right}, out of sight`);
  }
  await judge("screens");
}

async function visit() {
  for (const [spoken, chosen, size] of views) {
    await language(spoken);
    await theme(chosen);
    await page.setViewportSize(size);
    if (size === narrow) await unfold();
    const count = await links().count();
    for (let i = 0; i < count; i++) {
      const name = await show(links().nth(i));
      await judge(`${name}-${spoken}`);
      for (const alert of await page.getByRole("alert").allInnerTexts()) fault(`${name}: ${alert}`);
    }
    console.log(`${count} screens`);
  }
}

await run([enter, visit]);
