import { language, texts } from "../texts/texts.js";

/** A time of day in a zone, such as 08:05. */
export function clock(time: string, zone: string): string {
  return new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: zone }).format(
    new Date(time),
  );
}

/** A date such as 2026-03-10 in words. */
export function day(date: string): string {
  const options = { weekday: "long", day: "numeric", month: "long", year: "numeric", timeZone: "UTC" } as const;
  return new Intl.DateTimeFormat(language() === "id" ? "id-ID" : "en-GB", options).format(
    new Date(`${date}T00:00:00Z`),
  );
}

/** A date such as 2026-03-10, short: Tue 10 Mar. */
export function dateOf(date: string): string {
  const options = { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" } as const;
  return new Intl.DateTimeFormat(language() === "id" ? "id-ID" : "en-GB", options).format(
    new Date(`${date}T00:00:00Z`),
  );
}

/** The dates from one to another, short. */
export function dates(from: string, to: string): string {
  return from === to ? dateOf(from) : `${dateOf(from)} – ${dateOf(to)}`;
}

/** Seconds in hours and minutes; of less than a minute, one. */
export function duration(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60));
  const t = texts().time;
  return minutes < 60 ? t.minutes(minutes) : t.hours(Math.floor(minutes / 60), minutes % 60);
}

/** The date in a zone at an instant, such as 2026-03-10. */
export function dateIn(zone: string, instant: Date): string {
  return new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeZone: zone }).format(instant);
}

/** The date some days after another one. */
export function addDays(date: string, days: number): string {
  const at = new Date(`${date}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10);
}
