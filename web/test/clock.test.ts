import { afterEach, expect, test, vi } from "vitest";
import { heard, serverNow } from "../src/api/clock.js";

afterEach(() => {
  heard(new Date().toUTCString());
  vi.useRealTimers();
});

test("the clock of the server counts where this one is far off", () => {
  vi.useFakeTimers({ now: Date.parse("2026-11-29T12:00:00Z") });
  heard("Tue, 10 Mar 2026 02:00:00 GMT");
  vi.advanceTimersByTime(5000);
  expect(new Date(serverNow()).toISOString()).toBe("2026-03-10T02:00:05.000Z");
  heard("nonsense");
  heard(null);
  expect(new Date(serverNow()).toISOString()).toBe("2026-03-10T02:00:05.000Z");
  heard("Sun, 29 Nov 2026 12:00:30 GMT");
  expect(serverNow()).toBe(Date.now());
});
