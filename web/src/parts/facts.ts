import { html, type TemplateResult } from "lit";

/** A name and what is said under it. */
export type Fact = readonly [string, string];

/** Those of the facts that say something. */
export function said(facts: readonly (readonly [string, string | null | undefined])[]): Fact[] {
  return facts.flatMap(([name, text]) => (text ? [[name, text] as const] : []));
}

/** Facts as a list of names and texts. */
export function factList(facts: readonly Fact[]): TemplateResult {
  if (facts.length === 0) return html``;
  return html`<dl class="facts">${facts.map(([name, text]) => html`<div><dt>${name}</dt><dd>${text}</dd></div>`)}</dl>`;
}
