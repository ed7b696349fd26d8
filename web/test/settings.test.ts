import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  fieldOf,
  groupNames,
  groups,
  inputOf,
  minuteOf,
  riskyOf,
  settingOf,
  standardOf,
  timeOf,
} from "../src/screens/settings/fields.js";
import { table } from "../src/screens/settings/table.js";
import { meanings as english } from "../src/screens/settings/texts-en.js";
import { meanings as indonesian } from "../src/screens/settings/texts-id.js";

const words = { faulty: "faulty", bad: { number: "no number", time: "no time" } };

/** The members of a type of the schema. */
function members(type: string): string[] {
  const schema = readFileSync(new URL("../../graph/setting.graphqls", import.meta.url), "utf8");
  const body = schema.split(new RegExp(`(?:type|input) ${type}\\b[^{]*{`))[1]?.split("\n}")[0] ?? "";
  return [...body.matchAll(/^ {2}(\w+):/gm)].map((m) => m[1] ?? "");
}

describe("settings", () => {
  const names = table.map((s) => s.name);

  it("has each of the schema in one group, with texts", () => {
    expect(members("CompanySettings").length).toBeGreaterThan(50);
    expect([...names].sort()).toEqual(members("CompanySettings").sort());
    expect([...names].sort()).toEqual(members("CompanySettingsInput").sort());
    expect(groupNames.flatMap((g) => groups[g]).sort()).toEqual([...names].sort());
    for (const texts of [english, indonesian])
      for (const name of names)
        expect(
          texts[name].every((text) => text.length > 2),
          name,
        ).toBe(true);
  });

  it("reads every setting that it shows", () => {
    const operations = readFileSync(new URL("../src/screens/settings/settings.graphql", import.meta.url), "utf8");
    const asked = (/settings {([^}]*)}/.exec(operations)?.[1] ?? "").trim().split(/\s+/);
    expect(asked.sort()).toEqual([...names].sort());
  });

  it("names every setting differently within its group", () => {
    for (const texts of [english, indonesian])
      for (const group of groupNames) {
        const labels = groups[group].map((name) => texts[name][0]);
        expect(new Set(labels).size).toBe(labels.length);
      }
  });

  it("sends what was changed, and null for a default", () => {
    const changed = {
      name: "New",
      [fieldOf("accuracyMeters")]: "50",
      [fieldOf("nightStartMinute")]: "23:30",
      [fieldOf("geofenceIn")]: standardOf(settingOf("geofenceIn")),
      [fieldOf("severalShifts")]: "",
      [fieldOf("weeklyOffs")]: "6 7",
      [fieldOf("slaWeekdays")]: "",
      [fieldOf("sessionDays")]: "",
      [fieldOf("attachmentTypes")]: "pdf zip",
    };
    expect(inputOf(changed, words)).toEqual({
      name: "New",
      settings: {
        accuracyMeters: 50,
        nightStartMinute: 1410,
        geofenceIn: null,
        severalShifts: false,
        weeklyOffs: [6, 7],
        slaWeekdays: [],
        sessionDays: null,
        attachmentTypes: ["pdf", "zip"],
      },
    });
    expect(inputOf({}, words)).toEqual({});
  });

  it("refuses what is no number or time at its field", () => {
    for (const [name, text, detail] of [
      ["accuracyMeters", "ten", "no number"],
      ["accuracyMeters", "1.5", "no number"],
      ["nightStartMinute", "25:00", "no time"],
    ] as const) {
      const field = fieldOf(name);
      expect(() => inputOf({ [field]: text }, words)).toThrow(
        expect.objectContaining({ fields: [{ field, code: "bad_format", detail }] }),
      );
    }
  });

  it("asks before something is deleted, locked or moved", () => {
    const before = { timezone: "Asia/Jakarta", [fieldOf("auditDays")]: "365", [fieldOf("messageDays")]: "365" };
    const changed = {
      [fieldOf("auditDays")]: "100",
      [fieldOf("messageDays")]: "400",
      [fieldOf("lockedFrom")]: "2026-01-01",
    };
    expect(riskyOf(before, changed)).toEqual([fieldOf("auditDays"), fieldOf("lockedFrom")]);
    expect(riskyOf(before, { timezone: "Asia/Makassar", [fieldOf("lockedFrom")]: "" })).toEqual(["timezone"]);
  });

  it("shows minutes of a day as times", () => {
    for (const [minute, time] of [
      [0, "00:00"],
      [1320, "22:00"],
      [1440, "24:00"],
    ] as const) {
      expect(timeOf(minute)).toBe(time);
      expect(minuteOf(time)).toBe(minute);
    }
    expect([minuteOf("24:01"), minuteOf("8"), minuteOf("8.05")]).toEqual([null, null, 485]);
  });
});
