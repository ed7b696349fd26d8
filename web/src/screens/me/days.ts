import { html, type TemplateResult } from "lit";
import type { StartQuery } from "../../shell.graphql.js";

export function show(_start: StartQuery): TemplateResult {
  return html``;
}
