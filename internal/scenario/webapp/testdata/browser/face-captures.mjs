// Finds the points of drawn faces, several captures of each person, as the worker of the app does: a line each. Pose, place,
// light, brows and noise change from capture to capture; varied: as much as a person lets them, otherwise little.
import { asked, fault, origin, page, run, told } from "./bench.mjs";
import { exposed, person, random, scene } from "./faces.mjs";

const [width, height] = [480, 480];

/** One capture of a person, whose changes follow from its number. */
function capture(who, number) {
  const next = random(number);
  const about = (spread) => (2 * next() - 1) * spread;
  const turn = told.varied ? 0.21 : 0.07; // 12 or 4 degrees
  const face = {
    who,
    x: 0.5 + about(0.04),
    y: 0.48 + about(0.04),
    size: 0.18 + about(0.02),
    yaw: about(turn),
    pitch: about(turn),
    roll: about(turn),
    frown: about(told.varied ? 0.03 : 0.01),
  };
  const light = { from: [about(told.varied ? 1 : 0.3), -0.5, 1], ambient: 0.45 + about(told.varied ? 0.15 : 0.05) };
  return exposed(scene(width, height, [face], light), 3, number);
}

/** The app's worker in a page of no policy, which would let no test start it. */
async function begin() {
  const address = `${origin}/app/sign-in`;
  await page.route(address, (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html><title>.</title>" }));
  await page.goto(address);
  await page.evaluate(async (name) => {
    const worker = new Worker(`/app/${name}`);
    const answer = () => new Promise((resolve) => worker.addEventListener("message", resolve, { once: true }));
    const { data } = await answer();
    if (data.state !== "ready") throw new Error(data.reason);
    globalThis.find = async (base64, width, height) => {
      const rgb = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
      const pixels = new Uint8ClampedArray(width * height * 4);
      for (let i = 0; i < width * height; i++) pixels.set(rgb.subarray(3 * i, 3 * i + 3), 4 * i);
      const found = answer();
      worker.postMessage({ picture: { width, height, data: pixels } });
      const { points } = (await found).data;
      const six = (v) => Math.round(v * 1e6) / 1e6;
      const at = (i) => ({ x: six(points[i] / width), y: six(points[i + 1] / height), z: six(points[i + 2] / width) });
      return points && Array.from({ length: points.length / 3 }, (_, i) => at(3 * i));
    };
  }, told.worker);
}

async function find() {
  for (let n = 0; n < told.people * told.captures; n++) {
    const who = 1 + Math.floor(n / told.captures);
    const { data } = capture(person(who), 1000 + n);
    const [base64, find] = [Buffer.from(data).toString("base64"), ([b, w, h]) => globalThis.find(b, w, h)];
    const points = await page.evaluate(find, [base64, width, height]);
    if (!points) fault(`no face in capture ${n}`);
    else await asked(`capture ${JSON.stringify({ person: `person ${who}`, points })}`);
  }
}

await run([begin, find]);
