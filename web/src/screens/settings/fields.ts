import { Fault } from "../../api/fault.js";
import type { Values } from "../../parts/form.js";
import type { SettingsQuery } from "./settings.graphql.js";
import { type Setting, type SettingName, table } from "./table.js";

type Company = SettingsQuery["company"];

export type Group = "company" | "work" | "clock" | "devices" | "overtime" | "leave" | "tasks" | "tickets" | "files";

/** The settings of each group, in the order of the page. */
export const groups: Record<Group, readonly SettingName[]> = {
  company: ["country"],
  work: [
    "weeklyOffs",
    "firstWeekday",
    "severalShifts",
    "closeAtShiftEnd",
    "forgottenToleranceMinutes",
    "attendanceCapMinutes",
    "remindMinutes",
    "confirmDays",
  ],
  clock: [
    "geofenceIn",
    "geofenceOut",
    "nearestAddress",
    "accuracy",
    "accuracyMeters",
    "mock",
    "speed",
    "speedKmh",
    "offlineHours",
    "offlineApproval",
    "aheadSeconds",
    "repeatSeconds",
  ],
  devices: [
    "face",
    "faceMatch",
    "faceDoubtful",
    "faceReplay",
    "device",
    "deviceApproval",
    "singleDevice",
    "refreshIdleDays",
    "sessionDays",
    "singleSession",
  ],
  overtime: [
    "overtimeToleranceMinutes",
    "overtimeDailyMinutes",
    "overtimeWeeklyMinutes",
    "overtimeRestDays",
    "nightStartMinute",
    "nightEndMinute",
  ],
  leave: [
    "requestDays",
    "leaveDayMinutes",
    "leaveBlocksClockIn",
    "lockedFrom",
    "lockedUntil",
    "lockAfterDays",
    "lockGraceDays",
  ],
  tasks: ["runningTimers", "timerStops", "timerOnDuty", "timersAlone", "entryOverlap", "entryLimitMinutes"],
  tickets: [
    "slaLowResponseMinutes",
    "slaLowResolutionMinutes",
    "slaNormalResponseMinutes",
    "slaNormalResolutionMinutes",
    "slaHighResponseMinutes",
    "slaHighResolutionMinutes",
    "slaUrgentResponseMinutes",
    "slaUrgentResolutionMinutes",
    "slaWeekdays",
    "slaStartMinute",
    "slaEndMinute",
    "slaWarnMinutes",
  ],
  files: ["uploadMegabytes", "attachmentTypes", "attachmentDays", "auditDays", "messageDays", "coordinateDays"],
};

export const groupNames = Object.keys(groups) as Group[];

/** What a setting is counted in, by the end of its name. */
const units = [
  ["Minutes", "minutes"],
  ["Days", "days"],
  ["Hours", "hours"],
  ["Seconds", "seconds"],
  ["Meters", "metres"],
  ["Kmh", "kmh"],
  ["Megabytes", "megabytes"],
] as const;
export type Unit = (typeof units)[number][1] | "none";

export function unitOf(name: string): Unit {
  return units.find(([end]) => name.endsWith(end))?.[1] ?? "none";
}

/** The numbers that are minutes of a day, and are shown as times. */
export function isTime(name: string): boolean {
  return name.endsWith("Minute");
}

const byName = new Map<string, Setting>(table.map((s) => [s.name, s]));

export function settingOf(name: SettingName): Setting {
  return byName.get(name) as Setting;
}

/** The name of the field of a setting, which is that of its faults. */
export function fieldOf(name: string): string {
  return `settings.${name}`;
}

/** The default of a setting as its field has it. */
export function standardOf(setting: Setting): string {
  return isTime(setting.name) ? timeOf(Number(setting.standard)) : setting.standard;
}

/** A minute of a day as a time: 1320 is 22:00, 1440 is 24:00. */
export function timeOf(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
}

/** The minute of a day of a time; null where it is none. */
export function minuteOf(time: string): number | null {
  const of = /^([01]?[0-9]|2[0-4])[:.]([0-5][0-9])$/.exec(time.trim());
  const minute = of ? Number(of[1]) * 60 + Number(of[2]) : Number.NaN;
  return minute <= 1440 ? minute : null;
}

/** What a company has, as the fields of the form have it. */
export function valuesOf(company: Company): Values {
  const { name, timezone, locale, version } = company;
  const settings = company.settings as Record<string, unknown>;
  return {
    name,
    timezone,
    locale,
    version: String(version),
    ...Object.fromEntries(table.map((s) => [fieldOf(s.name), shownOf(s, settings[s.name])])),
  };
}

function shownOf(setting: Setting, value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "on" : "";
  if (Array.isArray(value)) return value.join(" ");
  return isTime(setting.name) ? timeOf(Number(value)) : String(value);
}

interface Refusal {
  readonly faulty: string;
  readonly bad: { readonly number: string; readonly time: string };
}

/**
 * What is sent for the fields that were changed: null for a setting that is emptied or as the default
 * is. Throws a Fault, in the given words, for what is no number or time.
 */
export function inputOf(changed: Values, words: Refusal) {
  const faults: { field: string; code: string; detail: string }[] = [];
  const settings: Record<string, unknown> = {};
  const rest: Record<string, string> = {};
  for (const [field, text] of Object.entries(changed)) {
    const setting = byName.get(field.replace(/^settings\./, ""));
    if (!setting || field !== fieldOf(setting.name)) {
      rest[field] = text;
      continue;
    }
    const value = sentOf(setting, text.trim());
    if (value === undefined)
      faults.push({ field, code: "bad_format", detail: isTime(setting.name) ? words.bad.time : words.bad.number });
    settings[setting.name] = value;
  }
  if (faults.length > 0) throw new Fault(words.faulty, { code: "VALIDATION_FAILED", errors: faults });
  return { ...rest, ...(Object.keys(settings).length > 0 && { settings }) };
}

/** What is sent for a setting; undefined for a text that has no value. */
function sentOf(setting: Setting, text: string): unknown {
  if (text === standardOf(setting) || (text === "" && ["number", "country", "date"].includes(setting.kind)))
    return null;
  const words = text.split(/\s+/).filter((w) => w !== "");
  switch (setting.kind) {
    case "switch":
      return text === "on";
    case "weekdays":
      return words.map(Number);
    case "names":
      return words;
    case "number":
      if (isTime(setting.name)) return minuteOf(text) ?? undefined;
      return /^-?[0-9]{1,9}$/.test(text) ? Number(text) : undefined;
    default:
      return text;
  }
}

/** The settings that say for how many days something is kept. */
export const kept: readonly SettingName[] = ["auditDays", "messageDays", "coordinateDays", "attachmentDays"];
/** The settings that lock what is past. */
export const locking: readonly SettingName[] = ["lockedFrom", "lockedUntil", "lockAfterDays"];

/** Those of the changed fields that are asked about before they are saved: they delete, lock or move what is there. */
export function riskyOf(before: Values, changed: Values): string[] {
  return Object.keys(changed).filter((field) => {
    const name = field.replace(/^settings\./, "") as SettingName;
    if (kept.includes(name)) return Number(changed[field] || settingOf(name).standard) < Number(before[field]);
    return field === "timezone" || (locking.includes(name) && changed[field] !== "");
  });
}

/** Whether the name or the meaning of a setting has a text. */
export function found(texts: readonly string[], search: string): boolean {
  const wanted = search.toLowerCase().split(/\s+/);
  const has = texts.join(" ").toLowerCase();
  return wanted.every((w) => has.includes(w));
}
