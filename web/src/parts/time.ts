import { language, texts } from "../texts/texts.js";

const formats = new Map<string, Intl.DateTimeFormat>();

/** A format, made once: making one takes as long as a hundred uses. */
function format(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = locale + JSON.stringify(options);
  const made = formats.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formats.set(key, made);
  return made;
}

/** The format of dates in the language that is shown. */
function spoken(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return format(language() === "id" ? "id-ID" : "en-GB", { timeZone: "UTC", ...options });
}

/** A time of day in a zone, such as 08:05. */
export function clock(time: string, zone: string): string {
  return format("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: zone }).format(new Date(time));
}

/** A date such as 2026-03-10 in words. */
export function day(date: string): string {
  const options = { weekday: "long", day: "numeric", month: "long", year: "numeric" } as const;
  return spoken(options).format(new Date(`${date}T00:00:00Z`));
}

/** A date such as 2026-03-10, short: Tue 10 Mar. */
export function dateOf(date: string): string {
  const options = { weekday: "short", day: "numeric", month: "short" } as const;
  return spoken(options).format(new Date(`${date}T00:00:00Z`));
}

/** The dates from one to another, short. */
export function dates(from: string, to: string): string {
  return from === to ? dateOf(from) : `${dateOf(from)} – ${dateOf(to)}`;
}

/** Seconds in whole hours and minutes that have passed. */
export function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const t = texts().time;
  return minutes < 60 ? t.minutes(minutes) : t.hours(Math.floor(minutes / 60), minutes % 60);
}

/** The date in a zone at an instant, such as 2026-03-10. */
export function dateIn(zone: string, instant: Date): string {
  return format("sv-SE", { dateStyle: "short", timeZone: zone }).format(instant);
}

/** The date some days after another one. */
export function addDays(date: string, days: number): string {
  const at = new Date(`${date}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10);
}

/** A date such as 2026-03-10 and the time of day in a zone at an instant, short. */
export function dateAndTime(instant: string, zone: string): string {
  return `${dateOf(dateIn(zone, new Date(instant)))} ${clock(instant, zone)}`;
}

/** Seconds as whole hours and minutes that have passed, as a table has them: 8:05, -0:30. */
export function hours(seconds: number): string {
  const minutes = Math.floor(Math.abs(seconds) / 60);
  const text = `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;
  return seconds < 0 && minutes > 0 ? `-${text}` : text;
}

/** A month such as 2026-03 in words. */
export function monthOf(month: string): string {
  const options = { month: "long", year: "numeric" } as const;
  return spoken(options).format(new Date(`${month}-01T00:00:00Z`));
}

/** The month some months after another one. */
export function addMonths(month: string, months: number): string {
  const at = new Date(`${month}-01T00:00:00Z`);
  at.setUTCMonth(at.getUTCMonth() + months);
  return at.toISOString().slice(0, 7);
}

/** The first and the last date of a month. */
export function datesOf(month: string): { readonly from: string; readonly to: string } {
  return { from: `${month}-01`, to: addDays(`${addMonths(month, 1)}-01`, -1) };
}

/** The instant of a local date and time, such as 2026-03-10T08:00, in a zone; of one that is twice, the first. */
export function instantIn(zone: string, local: string): string {
  const wanted = Date.parse(`${local}Z`);
  const at = (instant: number): number => {
    const shown = format("sv-SE", { dateStyle: "short", timeStyle: "medium", timeZone: zone });
    return Date.parse(`${shown.format(instant).replace(" ", "T")}Z`);
  };
  const first = wanted - (at(wanted - 86_400_000) - (wanted - 86_400_000)); // by the offset of the day before
  const instant = at(first) === wanted ? first : wanted - (at(first) - first);
  return new Date(instant).toISOString();
}

/** The local date and time in a zone at an instant, as a field has it: 2026-03-10T08:00. */
export function localIn(zone: string, instant: string): string {
  return `${dateIn(zone, new Date(instant))}T${clock(instant, zone)}`;
}

/** Seconds as a clock that runs has them: 1:02:03. */
export function stopwatch(seconds: number): string {
  const whole = Math.floor(seconds);
  const two = (n: number): string => String(n).padStart(2, "0");
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}

/** How long a shift is at least that has no hours of its own, in milliseconds. */
const wholeDay = 23 * 3_600_000;

/** Whether a shift between two instants is flexible: one may work it at any hour of its day. */
export function isFlexible({ startAt, endAt }: { readonly startAt: string; readonly endAt: string }): boolean {
  return Date.parse(endAt) - Date.parse(startAt) >= wholeDay;
}

/** The hours of a shift in a zone, such as 08:00–17:00, or that they are flexible. */
export function hoursOf(shift: { readonly startAt: string; readonly endAt: string }, zone: string): string {
  return isFlexible(shift) ? texts().time.flexible : `${clock(shift.startAt, zone)}–${clock(shift.endAt, zone)}`;
}

/** A text of the server, whose dates and instants by ISO 8601 are as the page says dates. */
export function withDates(text: string): string {
  return text.replace(
    /\b(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})(?:[:.\d]*)(?:Z|[+-]\d{2}:\d{2})?)?/g,
    (all, date, time) => {
      if (Number.isNaN(Date.parse(date))) return all;
      const options = { day: "numeric", month: "short", year: "numeric" } as const;
      const spokenDate = spoken(options).format(new Date(`${date}T00:00:00Z`));
      return time ? `${spokenDate} ${time}` : spokenDate;
    },
  );
}
