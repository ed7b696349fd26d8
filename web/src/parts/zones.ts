import type { Option } from "./pick.js";

/** How many are offered at once. */
const most = 12;

/** Time zones by a part of their name, as a field offers them. */
export async function zones(text: string): Promise<readonly Option[]> {
  const wanted = text.toLowerCase().replaceAll(" ", "_");
  return Intl.supportedValuesOf("timeZone")
    .filter((zone) => zone.toLowerCase().includes(wanted))
    .slice(0, most)
    .map((zone) => ({ id: zone, name: zone }));
}
