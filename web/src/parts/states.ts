import { html, nothing, type TemplateResult } from "lit";
import { Fault, isOfMembers, isPassing, unreachable } from "../api/fault.js";
import { texts } from "../texts/texts.js";
import type { Reading } from "./part.js";
import { withDates } from "./time.js";

/** Whether a fault tells that a file of the app could not be loaded: browsers say so in words alone, of a module. */
export function isMissing(error: unknown): boolean {
  return error instanceof TypeError && /\bmodule\b/i.test(error.message);
}

/** A fault in words: the server's own, in the language of the page, else one of ours. */
export function words(error: unknown): string {
  const t = texts().faults;
  if (isMissing(error)) return t.missing;
  if (!(error instanceof Fault)) return t.internal;
  if (isOfMembers(error)) return withDates([...new Set(error.fields.map((f) => f.detail))].join(" "));
  if (error.message !== "") return withDates(error.message);
  return error.code === unreachable ? t.unreachable : isPassing(error) ? t.unavailable : t.internal;
}

/** What a reading shows: its value, or that it is being read, failed or forbidden. */
export function shown<Value>(reading: Reading<Value>, render: (value: Value) => TemplateResult): TemplateResult {
  if (reading.value !== undefined) {
    return html`${reading.error === undefined ? nothing : failed(reading)}${render(reading.value)}`;
  }
  if (reading.error instanceof Fault && reading.error.code === "FORBIDDEN") return forbidden();
  if (reading.error instanceof Fault && reading.error.code === "NOT_FOUND") return gone(reading.error);
  return reading.error === undefined ? loading() : failed(reading);
}

export function loading(): TemplateResult {
  return html`<p class="loading" role="status">${texts().states.loading}</p>`;
}

export function forbidden(): TemplateResult {
  const t = texts().states;
  return html`<div class="state" role="alert"><p>${t.forbidden} <code>FORBIDDEN</code></p><p>${t.forbiddenHint}</p></div>`;
}

/** That the files of a page could not be loaded: the way to try again, and to what works without a network. */
export function missing(retry: () => void): TemplateResult {
  const t = texts().states;
  return html`<div class="state" role="alert">
    <p>${texts().faults.missing}</p>
    <button type="button" @click=${retry}>${t.retry}</button>
    <p><a href="/app/me">${t.toMe}</a></p>
  </div>`;
}

/** What an address asks for is not there, or not for who asks: reading it again would not help. */
function gone(error: Fault): TemplateResult {
  return html`<div class="state" role="alert">
    <p>${words(error)}</p>
    <p><a href=${location.pathname}>${texts().states.all}</a></p>
  </div>`;
}

function failed(reading: Reading<unknown>): TemplateResult {
  const t = texts().states;
  const id = reading.error instanceof Fault ? reading.error.requestId : "";
  return html`<div class="state" role="alert">
    <p>${t.failed} ${words(reading.error)}</p>
    ${id === "" ? nothing : html`<p>${t.requestId}: <code>${id}</code></p>`}
    <button type="button" ?disabled=${reading.busy} @click=${reading.again}>${t.retry}</button>
  </div>`;
}
