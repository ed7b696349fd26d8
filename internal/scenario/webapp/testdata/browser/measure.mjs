// Measures how long screens take to be shown by a processor that is slowed four times, and at how many
// frames a second long ones scroll by one that is not.
import { context, fault, heading, now, origin, page, run, signIn } from "./bench.mjs";

const rounds = 7;
/** Ten times what is wanted, in milliseconds. */
const most = 10_000;
/** A tenth of what is wanted. */
const fewest = 6;

const screens = {
  today: () => page.getByRole("list", { name: "Counts" }),
  inbox: () => page.getByRole("listitem").first(),
  roster: () => page.getByRole("grid").getByRole("button").first(),
  people: () => page.getByRole("table").getByRole("link").first(),
  timesheets: () => page.getByRole("table").getByRole("link").first(),
  tasks: () => page.getByRole("button", { name: "New task" }),
};
const long = ["roster", "people", "timesheets"];

const median = (times) => times.sort((a, b) => a - b)[Math.floor(times.length / 2)];

async function enter() {
  await context.clock.setFixedTime(now);
  await signIn("today");
  await heading("Today");
}

async function measure() {
  const devtools = await context.newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  for (const [name, there] of Object.entries(screens)) {
    const times = [];
    for (let i = 0; i < rounds; i++) {
      const start = performance.now();
      await page.goto(`${origin}/app/${name}`, { waitUntil: "commit" });
      await there().waitFor();
      times.push(performance.now() - start);
    }
    const middle = median(times);
    console.log(`${name}: shown after ${Math.round(middle)} ms at a quarter of the speed`);
    if (middle > most) fault(`${name} is shown after ${middle} ms, want at most ${most}`);
  }
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 1 });
}

/** Scrolls by 120 pixels a frame for 240 frames. */
async function scroll() {
  for (const name of long) {
    await page.goto(`${origin}/app/${name}`);
    await screens[name]().waitFor();
    const times = await page.evaluate(async () => {
      const found = [];
      let last = performance.now();
      for (let i = 0; i < 240; i++) {
        scrollBy(0, 120);
        await new Promise(requestAnimationFrame);
        found.push(performance.now() - last);
        last = performance.now();
      }
      return found;
    });
    const frames = 1000 / (times.reduce((sum, t) => sum + t) / times.length);
    const rows = await page.getByRole("row").count();
    console.log(`${name}: ${Math.round(frames)} frames a second, the longest ${Math.round(Math.max(...times))} ms, ${rows} rows in the page`);
    if (frames < fewest) fault(`${name} scrolls at ${frames} frames a second`);
  }
}

await run([enter, measure, scroll]);
