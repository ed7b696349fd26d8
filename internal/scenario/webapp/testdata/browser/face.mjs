// Uses the camera as somebody who clocks in does. The faces are drawn (faces.mjs); Chromium's own camera shows them.
import { writeFileSync } from "node:fs";
import { asked, context, fault, focused, heading, judge, language, listen, narrow, now, origin, page, press as activate, run, signIn, theme, told, wide as screen } from "./bench.mjs";
import { exposed, person, scene, video } from "./faces.mjs";

/** What the camera shows when it is opened next. */
function show(faces, lamp) {
  const seen = scene(640, 480, faces, lamp);
  writeFileSync(told.video, video([1, 2].map((seed) => exposed(seen, 2, seed))));
}

// Two heads that differ by more than most people do.
const long = { ...person(1), height: 1.6, eyeX: 0.37, noseY: 0.5, mouthY: 0.9, jaw: 0.4 };
const wide = { ...person(1), height: 1.15, eyeX: 0.48, noseY: 0.35, mouthY: 0.6, jaw: 0.15 };
const budi = { who: long, x: 0.5, y: 0.5, size: 0.144 };
const dialog = () => page.getByRole("dialog", { name: "Your face", exact: true });
const says = (words) => dialog().getByRole("status").getByText(words, { exact: true }).waitFor();
const press = (name, key) => activate(dialog().getByRole("button", { name, exact: true }), key);
const allow = () => context.grantPermissions(["camera"], { origin });

/** Opens the dialog, as the clock card does, from what has the focus. */
const open = () =>
  page.evaluate(async (chunk) => {
    document.querySelector("button.who, input")?.focus();
    globalThis.opener = document.activeElement;
    const { captureFace } = await import(chunk);
    const { prototype } = MediaDevices;
    globalThis.streams ??= [];
    globalThis.openCamera ??= prototype.getUserMedia;
    prototype.getUserMedia = async function (asked) {
      const stream = await globalThis.openCamera.call(this, asked);
      globalThis.streams.push(stream);
      return stream;
    };
    globalThis.taken = captureFace("Your clock-in carries points of your face.");
  }, `/app/${told.chunk}`);

/** The points that the dialog gave; null where it gave none. */
async function taken() {
  const points = await page.evaluate(async () => (await globalThis.taken) ?? null);
  const on = () => globalThis.streams.flatMap((s) => s.getTracks()).filter((t) => t.readyState !== "ended").length;
  if ((await page.evaluate(on)) > 0) fault("the camera stays on");
  if ((await page.locator("wf-face").count()) > 0) fault("the dialog stays");
  if (!(await page.evaluate(() => document.activeElement === globalThis.opener))) fault("the focus does not return");
  return points;
}

/** What the server answers to a clock event with a face: the code of its error, or "". */
const send = (field, faceLandmark) =>
  page.evaluate(
    async ([field, input]) => {
      const type = { "Content-Type": "application/json" };
      const session = await fetch("/app/session/refresh", { method: "POST", headers: type, body: "{}" });
      const { accessToken } = await session.json();
      const query = `mutation Clock($input: Clock${field}Input!) { clock${field}(input: $input) { __typename } }`;
      const headers = { ...type, Authorization: `Bearer ${accessToken}`, "Idempotency-Key": crypto.randomUUID() };
      const body = JSON.stringify({ query, variables: { input } });
      const { errors } = await (await fetch("/graphql", { method: "POST", headers, body })).json();
      return errors?.[0].extensions.code ?? "";
    },
    [field, { ...told.event, faceLandmark }],
  );

async function expectSent(field, points, want) {
  const got = await send(field, points);
  if (got !== want) fault(`clock${field}: ${got || "accepted"}, want ${want || "accepted"}`);
}

let registered;
/** Takes a face by itself, which the first clock-in registers. */
async function register() {
  await signIn("tasks", 2);
  await allow();
  show([budi]);
  await open();
  registered = await taken();
  if (registered?.length !== 468) fault(`${registered?.length} points`);
  const six = (v) => Math.abs(v * 1e6 - Math.round(v * 1e6)) < 1e-6;
  if (!registered.every((p) => six(p.x) && six(p.y) && six(p.z))) fault("points of more than six digits");
  await expectSent("In", registered, "");
  await asked("registered");
}

/** Another face is a mismatch, what was sent before a replay, and the same face of later a match. */
async function compare() {
  show([{ ...budi, who: wide }]);
  await open();
  await expectSent("Out", await taken(), "FACE_MISMATCH");
  await expectSent("Out", registered, "FACE_REPLAYED");
  show([{ ...budi, x: 0.51, yaw: 0.08, pitch: 0.14, frown: 0.04, size: 0.14 }], { from: [0.5, -0.5, 1] });
  await open();
  await expectSent("Out", await taken(), "");
  await asked("matched");
}

/** Says what is wrong with what the camera sees, of which the first two are always tried, and takes nothing. */
async function advise() {
  const lamp = { from: [1, 0, 0.05], ambient: 0.08 };
  const cases = [
    ["No face", []],
    ["Two faces: be alone", [{ ...budi, x: 0.37, size: 0.1 }, { who: person(2), x: 0.63, y: 0.5, size: 0.1 }]],
    ["Closer", [{ ...budi, size: 0.09 }]],
    ["Further away", [{ ...budi, size: 0.28 }]],
    ["Bring your face into the oval", [{ ...budi, x: 0.61 }]],
    ["Look straight ahead", [{ ...budi, yaw: 0.6 }]],
    ["Turn to the light", [budi], lamp],
  ];
  for (const [words, faces, light] of process.env.WEB_FULL ? cases : cases.slice(0, 2)) {
    show(faces, light);
    await open();
    await says(words);
    if (words === "No face") {
      await judge("face");
      await press("Take it now"); // there is none
    }
    if (words === "Two faces: be alone") await press("Take it now");
    await says(words);
    if (words === "No face") await press("Cancel");
    else await page.keyboard.press("Escape");
    if ((await taken()) !== null) fault(`${words}: points were taken`);
  }
}

/** Takes a face that is not quite in the oval by the button; looks narrow, dark and in Indonesian. */
async function take() {
  show([{ ...budi, x: 0.59 }]);
  await language("id");
  await theme("dark");
  await page.setViewportSize(narrow);
  await open();
  const indonesian = page.getByRole("dialog", { name: "Wajah Anda", exact: true });
  await indonesian.getByText("Bawa wajah Anda ke dalam oval").waitFor();
  await judge("face-id-dark-narrow");
  await indonesian.getByRole("button", { name: "Ambil sekarang" }).click();
  if ((await taken())?.length !== 468) fault("the button took nothing");
  await language("en");
  await theme("light");
  await page.setViewportSize(screen);
}

/** Goes on without a face, in words, where the camera or what finds faces is not to be had. */
async function lack() {
  const without = async (words, name) => {
    await open();
    await dialog().getByRole("alert").getByText(words).waitFor();
    await judge(name);
    if (told.keyboard) await focused(dialog().getByRole("button", { name: "Try again", exact: true }));
    await press("Go on without a face", "Space");
    if ((await taken()) !== null) fault(`${name}: points were taken`);
  };
  await context.clearPermissions();
  await without("This browser does not give the camera to this page.", "camera-refused");
  await allow();
  listen(false);
  await page.evaluate(() => {
    navigator.mediaDevices.getUserMedia = async () => {
      throw new DOMException("Could not start video source", "NotReadableError");
    };
  });
  await without("The camera does not start.", "camera-busy");
  await page.evaluate(() => delete navigator.mediaDevices.getUserMedia);
  show([budi]);
  await page.route(/facemesh-.*\.bin$/, (route) => route.abort());
  await without("What finds faces did not start.", "no-finder");
  await page.unroute(/facemesh-.*\.bin$/);
  await page.route(/face-worker-.*\.js$/, (route) => route.abort());
  await context.setOffline(true);
  await without("there is no connection", "offline");
  await context.setOffline(false);
  await page.unroute(/face-worker-.*\.js$/);
  await open();
  if ((await taken())?.length !== 468) fault("nothing was taken once all was there");
  listen(true);
}

/**
 * Notes how long the first result takes, its files being there, at a processor slowed four times: all threads of the page
 * run a quarter of the time. Chromium's own slowing reaches the page's main thread alone, not the worker's.
 */
async function measure() {
  await page.goto(`${origin}/app/sign-in`);
  await heading("Sign in");
  await allow();
  show([budi]);
  await open();
  await taken();
  const { processInfo } = await (await context.browser().newBrowserCDPSession()).send("SystemInfo.getProcessInfo");
  const pages = processInfo.filter((p) => p.type === "renderer").map((p) => p.id);
  const all = (signal) => pages.forEach((id) => process.kill(id, signal));
  for (const slowed of [false, true]) {
    let rest;
    const turn = (on) => {
      all(on ? "SIGCONT" : "SIGSTOP");
      rest = setTimeout(turn, on ? 10 : 30, !on);
    };
    if (slowed) turn(true);
    const began = performance.now();
    await open();
    await dialog().getByRole("status").getByText("Hold still").waitFor();
    const took = performance.now() - began;
    clearTimeout(rest);
    all("SIGCONT");
    await taken();
    console.log(`the first result after ${Math.round(took)} ms${slowed ? ", slowed four times" : ""}`);
    if (took > 30_000) fault(`the first result takes ${took} ms`);
  }
}

/** Where there is no camera at all. */
async function noCamera() {
  await page.goto(`${origin}/app/sign-in`);
  await heading("Sign in");
  await allow();
  await open();
  await dialog().getByRole("alert").getByText("There is no camera here.").waitFor();
  await judge("no-camera");
  await press("Go on without a face");
  if ((await taken()) !== null) fault("points were taken without a camera");
}

/** The clock asks for a camera once a visit where there is none, and says that what it sends has no face. */
async function withoutCamera() {
  await page.setViewportSize(narrow);
  await signIn("me", 2);
  await context.grantPermissions(["camera", "geolocation"], { origin });
  const { latitude, longitude } = told.event;
  await context.setGeolocation({ latitude: Number(latitude), longitude: Number(longitude), accuracy: 12 });
  const clock = async (name, words) => {
    await context.clock.setFixedTime(await asked("later"));
    await page.waitForTimeout(1600); // a tap right after another one is a slip
    await activate(page.getByRole("button", { name, exact: true }));
    if (words) await page.getByRole("status").getByText(words).waitFor();
  };
  await activate(page.getByRole("button", { name: "Use my position" }));
  await page.getByText(/At .*, .* within its edge/).first().waitFor();
  await clock("Clock in");
  await activate(page.getByRole("dialog", { name: "Register your face?" }).getByRole("button", { name: "Register my face" }));
  await dialog().getByRole("alert").getByText("There is no camera here.").waitFor();
  await press("Go on without a face");
  await page.getByRole("status").getByText(/^Clocked in at .*, sent\. It has no face/).waitFor();
  await judge("me-faceless");
  await clock("Clock out", /^Clocked out at .*, sent\.$/);
  const known = page.getByText("The camera cannot be used on this device");
  await known.waitFor();
  await activate(page.getByRole("button", { name: "Try the camera again" }));
  await page.getByRole("button", { name: "Try the camera again", disabled: false }).waitFor();
  await known.waitFor();
  await judge("me-no-camera");
  await clock("Clock in", /^Clocked in at .*, sent\. It has no face/);
  if ((await page.getByRole("dialog").count()) > 0) fault("the camera is asked for again");
}

await context.clock.setFixedTime(now);
const rest = process.env.WEB_FULL ? [take] : [];
const uses = { face: [register, compare, advise, ...rest, lack], time: [measure], none: [noCamera, withoutCamera] };
await run(uses[told.use]);
