import { session } from "../api/session.js";
import { eraseSnapshots, putSnapshot, snapshot } from "./store.js";

/** Whose snapshots are nobody's: who was signed in last. */
const phone = "";
const lastPerson = "last";

/** Who was signed in last on this phone; "" where they signed out, or their session ended. */
async function last(): Promise<string> {
  return (await snapshot<string>(phone, lastPerson)) ?? "";
}

/** Who is signed in, or was last while that cannot be asked; "" for nobody. */
export async function person(): Promise<string> {
  return session.userId ?? (await last());
}

/** Keeps what this phone needs to start without a network, sealed, for who is signed in; for nobody it keeps nothing. */
export async function keep(name: string, value: unknown): Promise<void> {
  const whose = await person();
  if (whose !== "") await putSnapshot(whose, name, value);
}

/** What was kept under a name for who is signed in, or was last. */
export async function kept<Value>(name: string): Promise<Value | undefined> {
  const whose = await person();
  return whose === "" ? undefined : await snapshot<Value>(whose, name);
}

/** Remembers who is signed in. True where what is shown may be another person's, whose snapshots are erased. */
export async function remember(userId: string): Promise<boolean> {
  const before = await last();
  if (before === userId) return false;
  if (before !== "") await eraseSnapshots(before);
  await putSnapshot(phone, lastPerson, userId);
  return before !== "";
}

/** Erases what is kept of who was signed in last, whose session is over, but clock events that wait. */
export async function erase(): Promise<void> {
  const before = await last();
  if (before === "") return;
  await putSnapshot(phone, lastPerson, "");
  await eraseSnapshots(before);
}
