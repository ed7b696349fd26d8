import type { Language } from "./texts.js";

const locales = { en: "en-GB", id: "id-ID" };
const made = new Map<string, unknown>();

/** A format, made once. */
function kept<Format>(name: string, make: () => Format): Format {
  const format = (made.get(name) as Format | undefined) ?? make();
  made.set(name, format);
  return format;
}

/** A format of dates, in the zone of this browser unless the options have another one. */
function dates(language: Language, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const make = () => new Intl.DateTimeFormat(locales[language], options);
  return kept(language + JSON.stringify(options), make);
}

const short = { weekday: "short", day: "numeric", month: "short" } as const;
const timeZone = "UTC"; // of dates, which have none

/** A date such as 2026-03-10, short: Tue 10 Mar. */
export function dateOf(date: string, language: Language): string {
  return dates(language, { ...short, timeZone }).format(new Date(`${date}T00:00:00Z`));
}

/** The dates from one to another, with the year. */
export function period(from: string, to: string, language: Language): string {
  const format = dates(language, { day: "numeric", month: "short", year: "numeric", timeZone });
  return format.formatRange(new Date(`${from}T00:00:00Z`), new Date(`${to}T00:00:00Z`));
}

/** An instant as the clock of this browser shows it: Tue 10 Mar, 09:00. */
export function instant(time: string, language: Language): string {
  const options = { ...short, hour: "2-digit", minute: "2-digit" } as const;
  return dates(language, options).format(new Date(time));
}

/** Seconds in whole hours and minutes: 8 hrs 5 mins. */
export function duration(seconds: number, language: Language): string {
  const minutes = Math.floor(seconds / 60);
  const parts: string[] = [];
  if (minutes >= 60) parts.push(amount(Math.floor(minutes / 60), "hour", language));
  if (minutes % 60 > 0 || minutes < 60) parts.push(amount(minutes % 60, "minute", language));
  return parts.join(" ");
}

function amount(value: number, unit: "hour" | "minute", language: Language): string {
  const make = () => new Intl.NumberFormat(locales[language], { style: "unit", unit, unitDisplay: "short" });
  return kept(language + unit, make).format(value);
}

export function number(value: number, language: Language): string {
  return kept(language, () => new Intl.NumberFormat(locales[language])).format(value);
}
