import { afterEach, expect, test, vi } from "vitest";
import type { Waiting } from "../src/phone/queue.js";
import type { ClockQuery } from "../src/screens/me/clock.graphql.js";
import { cameraOpens, noCamera, rememberNoCamera } from "../src/screens/me/no-camera.js";
import { answerOf, followed, type Last, outcome, sentOf } from "../src/screens/me/outcome.js";
import { setLanguage } from "../src/texts/texts.js";

const zone = "Asia/Jakarta";
const event = { kind: "out", shift: "Pagi", site: "Gudang", employeeShiftId: "10" } as const;
const waiting = (id: string, minute: string, change: Partial<Waiting> = {}): Waiting => ({
  id,
  recordedAt: `2026-03-10T10:${minute}:58Z`,
  event,
  ...change,
});
const refused = { code: "NO_SHIFT", message: "There is no shift." };
const last = (change: Partial<Last> = {}): Last => ({
  sent: sentOf(waiting("a", "02")),
  zone,
  state: "waits",
  ...change,
});

vi.stubGlobal("document", { documentElement: { lang: "" } });
const kept = new Map<string, string>();
vi.stubGlobal("sessionStorage", {
  getItem: (name: string) => kept.get(name) ?? null,
  setItem: (name: string, value: string) => kept.set(name, value),
  removeItem: (name: string) => kept.delete(name),
});

afterEach(() => setLanguage("en"));

test("sentOf: an event that waits, at no site where it has none", () => {
  expect(sentOf(waiting("a", "02"))).toEqual({
    id: "a",
    kind: "out",
    employeeShiftId: "10",
    addressId: "",
    at: "2026-03-10T10:02:58Z",
  });
});

test("followed: the last event waits, is refused until that was seen, or taken", () => {
  expect(followed(undefined, [], zone)).toBeUndefined();
  expect(followed(undefined, [waiting("a", "01", { refused })], zone)).toBeUndefined();
  expect(followed(undefined, [waiting("a", "01"), waiting("b", "02")], zone)).toMatchObject({
    sent: { id: "b" },
    zone,
  });
  expect(followed(last(), [waiting("a", "02")], zone)).toEqual(last());
  expect(followed(last(), [waiting("a", "02", { refused })], zone)?.state).toBe("refused");
  expect(followed(last({ state: "refused" }), [], zone)).toBeUndefined();
  expect(followed(last({ faceless: "missed" }), [], zone)).toEqual(last({ faceless: "missed", state: "taken" }));
});

test("followed: a later event of another tab takes its place, one before does not", () => {
  expect(followed(last({ state: "taken" }), [waiting("b", "03")], zone)).toMatchObject({
    sent: { id: "b" },
    state: "waits",
  });
  expect(followed(last(), [waiting("z", "01")], zone)).toMatchObject({ sent: { id: "a" }, state: "taken" });
});

const read = (node: object | undefined) =>
  ({ attendances: { edges: node ? [{ node }] : [] } }) as unknown as ClockQuery;

test("answerOf: the server's time and flags of the newest attendance, else the phone's time", () => {
  const node = {
    clockedInAt: "2026-03-10T01:00:00Z",
    clockedInFlags: [],
    clockedOutAt: "2026-03-10T10:03:01Z",
    clockedOutFlags: ["outside"],
  };
  expect(answerOf(read(node), last())).toEqual({ at: "2026-03-10T10:03:01Z", flags: ["outside"] });
  const into = last({ sent: { ...last().sent, kind: "in" } });
  expect(answerOf(read(node), into)).toEqual({ at: "2026-03-10T01:00:00Z", flags: [] });
  expect(answerOf(read(undefined), last())).toEqual({ at: "2026-03-10T10:02:58Z", flags: [] });
});

const answer = { at: "2026-03-10T10:03:01Z", flags: [] };
test.each<[string, Last, boolean, string]>([
  ["being sent", last(), true, "Clock-out recorded at 17:02. It is being sent…"],
  [
    "that waits, down to the minute",
    last(),
    false,
    "Clock-out recorded at 17:02. Not sent yet: it is sent by itself once the server can be reached.",
  ],
  ["refused, which the list tells", last({ state: "refused" }), false, ""],
  ["taken", last({ state: "taken" }), false, "Clocked out at 17:02, sent."],
  ["with the server's time", last({ state: "taken", answer }), false, "Clocked out at 17:03, sent."],
  [
    "flagged",
    last({ state: "taken", answer: { ...answer, flags: ["outside", "no_face"] }, faceless: "missed" }),
    false,
    "Clocked out at 17:03, sent. It has no face. Flagged: outside the site, no face. Your manager may look at it.",
  ],
  [
    "without a face that waits",
    last({ faceless: "missed" }),
    true,
    "Clock-out recorded at 17:02. It is being sent… It has no face: your manager may check it.",
  ],
  [
    "without a face that is not required",
    last({ state: "taken", answer, faceless: "fine" }),
    false,
    "Clocked out at 17:03, sent. It has no face, which is not required.",
  ],
])("outcome of an event %s", (_name, of, sending, want) => {
  expect(outcome(of, sending).join(" ")).toBe(want);
});

test("outcome of a clock-in, in Indonesian", () => {
  setLanguage("id");
  const into = last({ sent: { ...last().sent, kind: "in" } });
  expect(outcome(into, true)).toEqual(["Absen masuk dicatat pukul 17:02.", "Sedang dikirim…"]);
  expect(outcome({ ...into, state: "taken" }, false)).toEqual(["Absen masuk pukul 17:02, terkirim."]);
});

test("a camera that is not there is remembered until one opens", async () => {
  expect(noCamera()).toBe(false);
  rememberNoCamera(true);
  expect(noCamera()).toBe(true);
  expect(await cameraOpens()).toBe(false); // there are no cameras here
  rememberNoCamera(false);
  expect(noCamera()).toBe(false);
});
