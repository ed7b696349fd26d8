import type { Option } from "../../parts/pick.js";
import { language } from "../../texts/texts.js";

/** How many are offered at once. */
const most = 12;
/** Codes that have a name and are no country. */
const none = new Set(["EU", "EZ", "UN", "XA", "XB", "ZZ", "QO"]);
const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

/** What a country is called; the code itself for one without a name. */
export function countryName(code: string): string {
  try {
    return new Intl.DisplayNames([language()], { type: "region" }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** Countries by a part of their name or by their code, as a field offers them. */
export async function countries(text: string): Promise<readonly Option[]> {
  const names = new Intl.DisplayNames([language()], { type: "region", fallback: "none" });
  const wanted = text.toLowerCase();
  return letters
    .flatMap((a) => letters.map((b) => a + b))
    .flatMap((id) => {
      const name = none.has(id) ? undefined : names.of(id);
      return name && (name.toLowerCase().includes(wanted) || id.toLowerCase() === wanted)
        ? [{ id, name, hint: id }]
        : [];
    })
    .sort((a, b) => a.name.localeCompare(b.name))
    .slice(0, most);
}
