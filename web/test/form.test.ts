import { beforeEach, expect, test, vi } from "vitest";
import "./browser.js";
import { Fault } from "../src/api/fault.js";
import { Form, type Values } from "../src/parts/form.js";
import type { Part } from "../src/parts/part.js";

const kept = new Map<string, string>();
vi.stubGlobal("sessionStorage", {
  getItem: (name: string) => kept.get(name) ?? null,
  setItem: (name: string, value: string) => kept.set(name, value),
  removeItem: (name: string) => kept.delete(name),
});

const focus = vi.fn();
const host = {
  addController: vi.fn(),
  requestUpdate: vi.fn(),
  updateComplete: Promise.resolve(true),
  querySelector: () => ({ focus }),
} as unknown as Part;

beforeEach(() => kept.clear());

/** A form of two fields, of which the first is required, as it is rendered. */
function made(send: (values: Values) => Promise<string>): { form: Form; show: () => void } {
  const form = new Form(host, "test", send, true);
  const fields = () => {
    form.text("name", "Name", { required: true });
    return form.text("note", "Note");
  };
  return { form, show: () => form.render(fields, "Save") };
}

const wrong = (form: Form) => [form.wrong("name", "Name"), form.wrong("note", "Note")];

test("what is required is asked for before anything is sent, at its field", async () => {
  const send = vi.fn(async () => "Saved.");
  const { form, show } = made(send);
  show();
  form.set("name", "  ");
  await form.submit();
  expect(send).not.toHaveBeenCalled();
  expect(wrong(form)).toEqual(["This is required.", ""]);
  expect(focus).toHaveBeenCalledOnce();
  form.set("name", "Budi");
  expect(wrong(form)).toEqual(["", ""]);
  expect(form.error).toBeUndefined();
  await form.submit();
  expect(send).toHaveBeenCalledOnce();
});

test("a fault goes once what it is about is changed, with dates as the page says them", async () => {
  const errors = [
    { field: "name", code: "VALIDATION_FAILED", detail: "This must lie between 2026-03-01 and 2026-03-31." },
    { field: "note", code: "VALIDATION_FAILED", detail: "Too long." },
  ];
  const { form, show } = made(async () => {
    throw new Fault("Some of what was sent is missing or wrong; see errors.", { code: "VALIDATION_FAILED", errors });
  });
  show();
  form.set("name", "Budi");
  await form.submit();
  expect(wrong(form)).toEqual(["This must lie between 1 Mar 2026 and 31 Mar 2026.", "Too long."]);
  form.set("note", "x");
  expect(wrong(form)).toEqual(["This must lie between 1 Mar 2026 and 31 Mar 2026.", ""]);
  form.set("name", "Agus");
  expect(form.error).toBeUndefined();
  await form.submit();
  expect(wrong(form)[1]).toBe("Too long.");
});

test("a fault of no field goes with any change", async () => {
  const { form, show } = made(async () => {
    throw new Fault("The balance is used up.", { code: "CONFLICT" });
  });
  show();
  form.set("name", "Budi");
  await form.submit();
  expect(form.error).toBeInstanceOf(Fault);
  form.set("note", "x");
  expect(form.error).toBeUndefined();
});
