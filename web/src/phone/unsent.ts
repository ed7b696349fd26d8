import { lastHere } from "./kept.js";
import type { Recorded } from "./sending.js";
import { events } from "./store.js";

/** How many clock events wait for a sign-in of who was signed in last, without those that the server refused. */
export async function unsent(): Promise<number> {
  const whose = await lastHere();
  return whose === "" ? 0 : (await events<Recorded>(whose)).filter((row) => !row.value.refused).length;
}
