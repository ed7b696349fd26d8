import type { CreateUserInput, UpdateUserInput } from "../../api/schema.js";
import { numberOf, textOf, type Values } from "../../parts/form.js";

/** Something with a name. */
export interface Filled {
  readonly id: string;
  readonly name: string;
}

/** The rules for clocking in that a person may have of their own. */
export const policies = ["geofenceIn", "geofenceOut", "face", "device", "accuracy", "mock", "speed"] as const;

interface Person {
  readonly name: string;
  readonly email: string;
  readonly mobileNumber?: { readonly countryCode?: number | null; readonly number?: string | null } | null;
  readonly locale?: string | null;
  readonly gender?: string | null;
  readonly messageChannel?: string | null;
  readonly joinedOn?: string | null;
  readonly leftOn?: string | null;
  readonly business?: Filled | null;
  readonly designations: readonly Filled[];
  readonly roles: readonly Filled[];
  readonly policies?: { readonly [Name in (typeof policies)[number]]?: string | null } | null;
}

/** A person as the fields of their form. */
export function valuesOf(person: Person): Values {
  const ids = (list: readonly Filled[]): string => list.map((o) => o.id).join(" ");
  return {
    name: person.name,
    email: person.email,
    countryCode: String(person.mobileNumber?.countryCode ?? ""),
    mobileNumber: person.mobileNumber?.number ?? "",
    locale: person.locale ?? "",
    gender: person.gender ?? "",
    messageChannel: person.messageChannel ?? "",
    joinedOn: person.joinedOn ?? "",
    leftOn: person.leftOn ?? "",
    businessId: person.business?.id ?? "",
    designationIds: ids(person.designations),
    roleIds: ids(person.roles),
    ...Object.fromEntries(policies.map((p) => [`policies.${p}`, person.policies?.[p] ?? ""])),
  };
}

const list = (text: string | undefined): string[] => (text ?? "").split(" ").filter((id) => id !== "");

function number(values: Values): { countryCode?: number; number: string } | null {
  const text = textOf(values.mobileNumber);
  if (text === null) return null;
  const code = numberOf(values.countryCode?.replace("+", ""));
  return code !== null && Number.isInteger(code) ? { countryCode: code, number: text } : { number: text };
}

/** A new person, with a password as it is sent; "" for one who is invited. */
export function newOf(values: Values, password = ""): CreateUserInput {
  const phone = number(values);
  const roles = list(values.roleIds);
  return {
    name: values.name?.trim() ?? "",
    email: values.email?.trim() ?? "",
    locale: textOf(values.locale),
    gender: textOf(values.gender),
    businessId: textOf(values.businessId),
    joinedOn: textOf(values.joinedOn),
    leftOn: textOf(values.leftOn),
    designationIds: list(values.designationIds),
    ...(phone && { mobileNumber: phone }),
    ...(roles.length > 0 && { roleIds: roles }),
    ...(password !== "" && { password }),
  };
}

/** What was changed of a person, and nothing else. */
export function changeOf(values: Values, changed: Values): UpdateUserInput {
  const has = (name: string): boolean => Object.hasOwn(changed, name);
  const rules = policies.filter((p) => has(`policies.${p}`));
  const texts = ["locale", "gender", "messageChannel", "joinedOn", "leftOn", "businessId"].filter(has);
  return {
    ...(has("name") && { name: values.name?.trim() ?? "" }),
    ...(has("email") && { email: values.email?.trim() ?? "" }),
    ...Object.fromEntries(texts.map((name) => [name, textOf(values[name])])),
    ...((has("mobileNumber") || has("countryCode")) && { mobileNumber: number(values) }),
    ...(has("designationIds") && { designationIds: list(values.designationIds) }),
    ...(has("roleIds") && { roleIds: list(values.roleIds) }),
    ...(rules.length > 0 && {
      policies: Object.fromEntries(rules.map((p) => [p, textOf(values[`policies.${p}`])])),
    }),
  };
}

/** A phone number as people write it. */
export function phone(of: { readonly countryCode?: number | null; readonly number?: string | null } | null): string {
  if (!of?.number) return "";
  return of.countryCode ? `+${of.countryCode} ${of.number.replace(/^0/, "")}` : of.number;
}
