import { html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { Part } from "../../parts/part.js";
import type { StartQuery } from "../../shell.graphql.js";
import { texts } from "../../texts/texts.js";

@customElement("wf-me")
export class Me extends Part {
  @property({ attribute: false }) start!: StartQuery;

  protected override render(): TemplateResult {
    return html`<div class="title"><h1 tabindex="-1">${texts().screens.me}</h1></div>`;
  }
}

export function show(start: StartQuery): TemplateResult {
  return html`<wf-me .start=${start}></wf-me>`;
}
