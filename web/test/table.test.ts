import { expect, test } from "vitest";
import { type Column, csv, inOrder } from "../src/parts/table.js";

interface Row {
  readonly name: string;
  readonly late: number;
}

const columns: readonly Column<Row>[] = [
  { name: "name", label: "Name", text: (r) => r.name },
  { name: "late", label: "Late, minutes", text: (r) => `${r.late} min`, order: (r) => r.late },
];
const rows = [
  { name: "Siti", late: 9 },
  { name: "Budi", late: 10 },
];

test.each([
  ["", "Siti Budi"],
  ["name", "Budi Siti"],
  ["-name", "Siti Budi"],
  ["late", "Siti Budi"],
  ["-late", "Budi Siti"],
  ["other", "Siti Budi"],
])("sorted by %j: %s", (sort, names) => {
  expect(inOrder(columns, rows, sort).map((r) => r.name)).toEqual(names.split(" "));
});

test("a text with a quotation mark, a comma or a formula stays a text", () => {
  const saved = csv(columns, [
    { name: 'Siti "Ti", Ahmad', late: 1 },
    { name: "=1+1", late: 0 },
    { name: "'＠a", late: 0 },
  ]);
  expect(saved).toBe('Name,"Late, minutes"\r\n"Siti ""Ti"", Ahmad",1 min\r\n\'=1+1,0 min\r\n\'\'＠a,0 min\r\n');
});
