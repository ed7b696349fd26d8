import { type Column, csv } from "../../parts/table.js";
import { pathOf, type TreeNode } from "./tree.js";

/** A person as a table for import has them. */
export interface Line {
  readonly name: string;
  readonly email?: string | null;
  readonly employeeNumber?: string | null;
  readonly mobileNumber?: { readonly countryCode?: number | null; readonly number?: string | null } | null;
  readonly gender?: string | null;
  readonly locale?: string | null;
  readonly business?: { readonly id: string } | null;
  readonly designations?: readonly { readonly id: string }[] | null;
  readonly joinedOn?: string | null;
  readonly leftOn?: string | null;
}

/** The columns that an import takes, under the names that it knows. */
function columns(businesses: readonly TreeNode[], designations: readonly TreeNode[]): Column<Line>[] {
  const of: readonly (readonly [string, (line: Line) => string | number | null | undefined])[] = [
    ["name", (l) => l.name],
    ["email", (l) => l.email],
    ["employeeNumber", (l) => l.employeeNumber],
    ["countryCode", (l) => l.mobileNumber?.countryCode],
    ["mobileNumber", (l) => l.mobileNumber?.number],
    ["gender", (l) => l.gender],
    ["locale", (l) => l.locale],
    ["business", (l) => (l.business ? pathOf(businesses, l.business.id) : "")],
    ["designations", (l) => (l.designations ?? []).map((d) => pathOf(designations, d.id)).join(" | ")],
    ["joinedOn", (l) => l.joinedOn],
    ["leftOn", (l) => l.leftOn],
  ];
  return of.map(([name, read]) => ({ name, label: name, text: (line) => String(read(line) ?? "") }));
}

/** People as a CSV that an import reads again. */
export function peopleFile(
  people: readonly Line[],
  businesses: readonly TreeNode[],
  designations: readonly TreeNode[],
): string {
  return csv(columns(businesses, designations), people);
}

/** The header of a table for import, and one example. */
export function templateFile(): string {
  const example: Line = {
    name: "Budi Santoso",
    email: "budi@example.com",
    employeeNumber: "1001",
    mobileNumber: { countryCode: 62, number: "811123789" },
    gender: "male",
    locale: "id",
    joinedOn: "2026-01-05",
  };
  return peopleFile([example], [], []);
}
