import { html, nothing, type TemplateResult } from "lit";
import { go, query, setQuery } from "../router.js";
import { workTexts } from "./work-texts.js";

const work = "/app/me/work";
let told = "";

/** The way back to the person's own work, where that led here: the member `from` of the address is me or work. */
export function wayBack(): TemplateResult | typeof nothing {
  if (!query().has("from")) return nothing;
  return html`<p class="no-print"><a href=${work}>‹ ${workTexts().back}</a></p>`;
}

/**
 * Leaves a dialog over a screen. Where the person's own work opened it, that is shown again, and tells what was
 * done; else the address changes.
 */
export function leave(change: Readonly<Record<string, string>>, done = ""): void {
  if (query().get("from") !== "work") {
    setQuery(change);
    return;
  }
  told = done;
  go(work, { replace: true });
}

/** What was done in the dialog that was left last; once. */
export function toldBefore(): string {
  const done = told;
  told = "";
  return done;
}
