import { afterEach, expect, test } from "vitest";
import { Fault } from "../src/api/fault.js";
import { forget, Reading } from "../src/parts/part.js";

const host = { addController() {}, removeController() {}, requestUpdate() {}, updateComplete: Promise.resolve(true) };

/** What an element shows that reads under a name. */
async function read(name: string, answer: () => Promise<string>): Promise<[string | undefined, boolean]> {
  const reading = new Reading(host, answer, () => name);
  await reading.again();
  return [reading.value, reading.error !== undefined];
}

const answers = async () => "a list";
const fails = (code: string) => async () => {
  throw new Fault("", { code });
};

afterEach(forget);

test("what was read last is shown where the server cannot be reached, with the fault", async () => {
  expect(await read("inbox", answers)).toEqual(["a list", false]);
  expect(await read("inbox", fails("UNREACHABLE"))).toEqual(["a list", true]);
  expect(await read("today", fails("UNREACHABLE"))).toEqual([undefined, true]);
  expect(await read("inbox", fails("FORBIDDEN"))).toEqual([undefined, true]);
});

test("what was read without a name, or by who is gone, is not kept", async () => {
  await read("", answers);
  expect(await read("", fails("UNREACHABLE"))).toEqual([undefined, true]);
  await read("inbox", answers);
  forget();
  expect(await read("inbox", fails("UNREACHABLE"))).toEqual([undefined, true]);
});

test("the tab keeps the latest twenty", async () => {
  for (let i = 0; i < 21; i++) await read(`day ${i}`, answers);
  expect(await read("day 0", fails("UNREACHABLE"))).toEqual([undefined, true]);
  expect(await read("day 20", fails("UNREACHABLE"))).toEqual(["a list", true]);
});

test("a reading that another took over is done when the other is", async () => {
  const answers: ((value: string) => void)[] = [];
  const reading = new Reading(host, () => new Promise<string>((resolve) => answers.push(resolve)));
  let done = false;
  const first = reading.again().then(() => {
    done = true;
  });
  const second = reading.again();
  answers[0]?.("old");
  await new Promise((resolve) => setTimeout(resolve));
  expect([done, reading.value]).toEqual([false, undefined]);
  answers[1]?.("new");
  await Promise.all([first, second]);
  expect([done, reading.value]).toEqual([true, "new"]);
});
