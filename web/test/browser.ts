import { vi } from "vitest";

// What the sources need of a browser besides what Node has.

const kept = new Map<string, string>();
vi.stubGlobal("localStorage", {
  getItem: (name: string) => kept.get(name) ?? null,
  setItem: (name: string, value: string) => kept.set(name, value),
});

const last = new Map<string, Promise<unknown>>();
/** Locks by name. */
async function request<Answer>(name: string, call: () => Promise<Answer>): Promise<Answer> {
  const mine = (last.get(name) ?? Promise.resolve()).then(call);
  last.set(
    name,
    mine.catch(() => {}),
  );
  return await mine;
}
vi.stubGlobal("navigator", { language: "en-GB", onLine: true, locks: { request } });

const target = new EventTarget();
for (const name of ["addEventListener", "removeEventListener", "dispatchEvent"] as const) {
  vi.stubGlobal(name, target[name].bind(target));
}

const address = new URL("https://wf.test/app/today");
const move = (_state: unknown, _title: string, to: string) => {
  address.href = new URL(to, address).href;
};
vi.stubGlobal("location", address);
vi.stubGlobal("history", { pushState: vi.fn(move), replaceState: vi.fn(move) });
