// Written from the table of internal/setting.

/** A setting of a company: what it may be, and its default as a field of a form has it. */
export interface Setting {
  readonly name: string;
  readonly kind: "number" | "switch" | "choice" | "country" | "weekdays" | "date" | "names";
  /** "on" or "" of a switch, with blanks between of a list; "" where there is none. */
  readonly standard: string;
  readonly min?: number;
  readonly max?: number;
  /** The names that a list may have, with blanks between. */
  readonly allow?: string;
}

export const table = [
  { name: "country", kind: "country", standard: "" },
  { name: "weeklyOffs", kind: "weekdays", standard: "" },
  { name: "firstWeekday", kind: "number", standard: "1", min: 1, max: 7 },
  { name: "severalShifts", kind: "switch", standard: "on" },
  { name: "geofenceIn", kind: "choice", standard: "block" },
  { name: "geofenceOut", kind: "choice", standard: "flag" },
  { name: "nearestAddress", kind: "switch", standard: "" },
  { name: "face", kind: "choice", standard: "flag" },
  { name: "device", kind: "choice", standard: "flag" },
  { name: "accuracy", kind: "choice", standard: "flag" },
  { name: "mock", kind: "choice", standard: "flag" },
  { name: "speed", kind: "choice", standard: "flag" },
  { name: "accuracyMeters", kind: "number", standard: "150", min: 10, max: 10000 },
  { name: "speedKmh", kind: "number", standard: "300", min: 50, max: 2000 },
  { name: "faceMatch", kind: "number", standard: "80", min: 1, max: 1000 },
  { name: "faceDoubtful", kind: "number", standard: "120", min: 1, max: 1000 },
  { name: "faceReplay", kind: "number", standard: "12", min: 0, max: 100 },
  { name: "offlineHours", kind: "number", standard: "72", min: 1, max: 720 },
  { name: "offlineApproval", kind: "switch", standard: "" },
  { name: "aheadSeconds", kind: "number", standard: "120", min: 0, max: 3600 },
  { name: "repeatSeconds", kind: "number", standard: "120", min: 10, max: 600 },
  { name: "overtimeToleranceMinutes", kind: "number", standard: "0", min: 0, max: 240 },
  { name: "overtimeDailyMinutes", kind: "number", standard: "0", min: 0, max: 1440 },
  { name: "overtimeWeeklyMinutes", kind: "number", standard: "0", min: 0, max: 10080 },
  { name: "overtimeRestDays", kind: "switch", standard: "on" },
  { name: "nightStartMinute", kind: "number", standard: "1320", min: 0, max: 1439 },
  { name: "nightEndMinute", kind: "number", standard: "360", min: 0, max: 1439 },
  { name: "closeAtShiftEnd", kind: "switch", standard: "" },
  { name: "forgottenToleranceMinutes", kind: "number", standard: "120", min: 0, max: 480 },
  { name: "attendanceCapMinutes", kind: "number", standard: "960", min: 60, max: 960 },
  { name: "remindMinutes", kind: "number", standard: "30", min: 0, max: 480 },
  { name: "confirmDays", kind: "number", standard: "7", min: 1, max: 90 },
  { name: "refreshIdleDays", kind: "number", standard: "", min: 1, max: 365 },
  { name: "sessionDays", kind: "number", standard: "", min: 1, max: 365 },
  { name: "singleSession", kind: "switch", standard: "" },
  { name: "uploadMegabytes", kind: "number", standard: "200", min: 10, max: 10000 },
  {
    name: "attachmentTypes",
    kind: "names",
    standard: "csv docx heic pdf txt xlsx zip",
    allow: "csv docx heic odp ods odt pdf pptx txt xlsx zip",
  },
  { name: "deviceApproval", kind: "switch", standard: "" },
  { name: "singleDevice", kind: "switch", standard: "" },
  { name: "auditDays", kind: "number", standard: "3650", min: 30, max: 3650 },
  { name: "messageDays", kind: "number", standard: "3650", min: 7, max: 3650 },
  { name: "coordinateDays", kind: "number", standard: "90", min: 30, max: 3650 },
  { name: "lockedFrom", kind: "date", standard: "" },
  { name: "lockedUntil", kind: "date", standard: "" },
  { name: "lockAfterDays", kind: "number", standard: "", min: 1, max: 366 },
  { name: "lockGraceDays", kind: "number", standard: "0", min: 0, max: 92 },
  { name: "requestDays", kind: "number", standard: "14", min: 1, max: 92 },
  { name: "leaveDayMinutes", kind: "number", standard: "480", min: 60, max: 1440 },
  { name: "leaveBlocksClockIn", kind: "switch", standard: "" },
  { name: "attachmentDays", kind: "number", standard: "365", min: 30, max: 3650 },
  { name: "runningTimers", kind: "number", standard: "1", min: 1, max: 10 },
  { name: "timerStops", kind: "switch", standard: "on" },
  { name: "timerOnDuty", kind: "switch", standard: "" },
  { name: "timersAlone", kind: "switch", standard: "" },
  { name: "entryOverlap", kind: "switch", standard: "on" },
  { name: "entryLimitMinutes", kind: "number", standard: "720", min: 0, max: 525600 },
  { name: "slaLowResponseMinutes", kind: "number", standard: "1440", min: 1, max: 43200 },
  { name: "slaLowResolutionMinutes", kind: "number", standard: "4320", min: 1, max: 43200 },
  { name: "slaNormalResponseMinutes", kind: "number", standard: "480", min: 1, max: 43200 },
  { name: "slaNormalResolutionMinutes", kind: "number", standard: "1440", min: 1, max: 43200 },
  { name: "slaHighResponseMinutes", kind: "number", standard: "60", min: 1, max: 43200 },
  { name: "slaHighResolutionMinutes", kind: "number", standard: "240", min: 1, max: 43200 },
  { name: "slaUrgentResponseMinutes", kind: "number", standard: "30", min: 1, max: 43200 },
  { name: "slaUrgentResolutionMinutes", kind: "number", standard: "120", min: 1, max: 43200 },
  { name: "slaWeekdays", kind: "weekdays", standard: "1 2 3 4 5" },
  { name: "slaStartMinute", kind: "number", standard: "600", min: 0, max: 1439 },
  { name: "slaEndMinute", kind: "number", standard: "1080", min: 1, max: 1440 },
  { name: "slaWarnMinutes", kind: "number", standard: "15", min: 0, max: 10080 },
] as const satisfies readonly Setting[];

export type SettingName = (typeof table)[number]["name"];
