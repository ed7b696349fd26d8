import { html, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { language } from "../texts/texts.js";
import type { Form } from "./form.js";

/** A field of several values, each with a box. The form has those that are chosen in the order of the options. */
export function boxes(
  form: Form,
  name: string,
  label: string,
  options: readonly (readonly [string, string])[],
  hint = "",
): TemplateResult {
  const chosen = new Set(form.value(name).split(" "));
  const set = (value: string, on: boolean): void => {
    const next = options.map(([v]) => v).filter((v) => (v === value ? on : chosen.has(v)));
    form.set(name, next.join(" "));
  };
  return form.around(
    name,
    label,
    html`<fieldset class="boxes" aria-describedby="${form.id(name)}-hint ${form.id(name)}-fault"><legend>${label}</legend>
      ${options.map(
        ([value, text]) => html`<label class="check"><input type="checkbox" .checked=${live(chosen.has(value))}
          @change=${(e: Event) => set(value, (e.target as HTMLInputElement).checked)}> ${text}</label>`,
      )}</fieldset>`,
    { hint },
  );
}

/** The days of the week by ISO, "1" for Monday, with their names. */
export function weekdays(): (readonly [string, string])[] {
  const format = new Intl.DateTimeFormat(language() === "id" ? "id-ID" : "en-GB", { weekday: "long", timeZone: "UTC" });
  return [1, 2, 3, 4, 5, 6, 7].map((day) => [String(day), format.format(new Date(Date.UTC(2024, 0, day)))]); // 1 January 2024 was a Monday
}

/** Days of the week by ISO, in words. */
export function daysOfWeek(days: readonly number[]): string {
  const names = weekdays();
  return days.map((day) => names[day - 1]?.[1] ?? "").join(", ");
}
