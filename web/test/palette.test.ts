import { expect, test } from "vitest";
import { best, plain } from "../src/palette.js";

const list = [
  { name: "Today" },
  { name: "Agus" },
  { name: "Inbox" },
  { name: "Santoso Dwi" },
  { name: "Dwi Santoso" },
  { name: "José", also: ["jose@demo.test"] },
  { name: "#80 Kursi", also: ["80", "Kursi"] },
  { name: "#8 Wi-Fi di lantai 3", also: ["8", "Wi-Fi di lantai 3"] },
];

test.each([
  ["", list.map((f) => f.name)],
  ["a", ["Agus", "Today", "Santoso Dwi", "Dwi Santoso", "#8 Wi-Fi di lantai 3"]],
  ["IN", ["Inbox"]],
  ["santoso", ["Santoso Dwi", "Dwi Santoso"]],
  ["santoso dwi", ["Santoso Dwi", "Dwi Santoso"]],
  ["dwi sant", ["Dwi Santoso", "Santoso Dwi"]],
  ["josé", ["José"]],
  ["jose@", ["José"]],
  ["8", ["#8 Wi-Fi di lantai 3", "#80 Kursi"]],
  ["#80", ["#80 Kursi"]],
  ["lantai wi", ["#8 Wi-Fi di lantai 3"]],
  ["nothing", []],
])("what is found by %j, the best first: %j", (part, names) => {
  expect(best(list, plain(part)).map((f) => f.name)).toEqual(names);
});
