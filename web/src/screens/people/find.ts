import type { UserWhereInput } from "../../api/schema.js";

/** What the address asks for. */
export interface Wanted {
  /** Words, each of which is a part of the name or the e-mail address. */
  readonly words: string;
  /** Businesses and designations of which people have one. */
  readonly businesses: readonly string[];
  readonly designations: readonly string[];
  readonly role: string;
  /** "" for those who are active, inactive, or all. */
  readonly state: string;
}

/** The filter that finds the people who are asked for; null for everybody. */
export function whereOf(wanted: Wanted): UserWhereInput | null {
  const and: UserWhereInput[] = wanted.words
    .split(/\s+/)
    .filter((w) => w !== "")
    .slice(0, 8)
    .map((w) => ({ or: [{ nameContainsFold: w }, { emailContainsFold: w }] }));
  if (wanted.businesses.length > 0) and.push({ hasBusinessWith: [{ idIn: [...wanted.businesses] }] });
  if (wanted.designations.length > 0) and.push({ hasDesignationsWith: [{ idIn: [...wanted.designations] }] });
  if (wanted.role !== "") and.push({ hasRolesWith: [{ id: wanted.role }] });
  if (wanted.state !== "all") and.push({ active: wanted.state !== "inactive" });
  return and.length > 0 ? { and } : null;
}
