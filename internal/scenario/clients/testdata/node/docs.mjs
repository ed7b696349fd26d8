// Looks at the introduction at /docs: writes a line for each look, and one for each fault.
import axe from "axe-core";
import { chromium } from "playwright-core";

const [executablePath, server, pictures] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const text = ".introduction-description";

for (const colorScheme of ["light", "dark"]) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme });
  let name = `1280-${colorScheme}`;
  const fault = (what) => console.log(`fault ${name}: ${what}`.replaceAll("\n", " ").slice(0, 1_000));
  page.on("console", (line) => ["error", "warning"].includes(line.type()) && fault(line.text()));
  page.on("request", (r) => r.url().startsWith(server) || /^(data|blob):/.test(r.url()) || fault(`asked ${r.url()}`));
  await page.goto(`${server}/docs`);
  const heading = page.locator(text).getByRole("heading", { name: "GraphQL" });
  await heading.waitFor();
  await page.evaluate(axe.source);
  for (const width of [1280, 360]) {
    name = `${width}-${colorScheme}`;
    await page.setViewportSize({ width, height: 800 });
    const { violations } = await page.evaluate(([of, runOnly]) => globalThis.axe.run(of, { runOnly }), [text, rules]);
    for (const v of violations)
      fault(`axe ${v.id}: ${v.nodes.map((n) => `${n.target} ${n.failureSummary}`).join(" | ")}`);
    const [content, shown] = await page.evaluate(() => [document.body.scrollWidth, document.body.clientWidth]);
    if (content > shown) fault(`${content} px wide in ${shown}`);
    if (pictures) await page.screenshot({ path: `${pictures}/docs-${name}.png` });
    console.log(name);
  }
  await page.locator(text).getByRole("link", { name: "GraphQL" }).first().click();
  const seen = heading.evaluate(
    (h) => new Promise((done) => new IntersectionObserver(([e]) => e.isIntersecting && done(true)).observe(h)),
  );
  const late = new Promise((done) => setTimeout(done, 10_000, false));
  if (!(await Promise.race([seen, late]))) fault("the link does not lead to its heading");
  await page.close();
}
await browser.close();
process.exit();
