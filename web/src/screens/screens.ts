import type { Screen } from "../router.js";

/** The screens, in the order of the navigation. */
export const screens: readonly Screen[] = [
  { name: "today", needs: "attendance.read", load: async () => (await import("./today.js")).show },
  // Who approves nothing is asked there to swap a shift.
  { name: "inbox", needs: "shift.read", load: async () => (await import("./inbox.js")).show },
];
