import { keep, kept } from "../../phone/kept.js";

/** What a person said to what the clock card asks before it reads a position or a face; nothing where they were not asked. */
export interface Consents {
  readonly position?: boolean | undefined;
  readonly face?: boolean | undefined;
}

const name = "consents";

/** What the person said on this phone. */
export async function consents(): Promise<Consents> {
  return (await kept<Consents>(name)) ?? {};
}

/** What is dispatched on the window where the person says something. */
export const consentChanged = "wf-consents";

/** Keeps what the person says. */
export async function consent(change: Consents): Promise<Consents> {
  const now = { ...(await consents()), ...change };
  await keep(name, now);
  dispatchEvent(new Event(consentChanged));
  return now;
}
