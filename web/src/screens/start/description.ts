import { html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import { Act } from "../../parts/act.js";
import { Part } from "../../parts/part.js";
import { type Column, table } from "../../parts/table.js";
import { ApplyDescription, type ApplyDescriptionMutation } from "./start.graphql.js";
import { startTexts } from "./texts.js";

type Found = ApplyDescriptionMutation["applyDefinition"];
type Row = Found["faults"][number];

/** Takes a file that describes the company: tells what it changes, then applies it. `wf-done` says so. */
@customElement("wf-description")
export class Description extends Part {
  @state() private file: File | undefined;
  /** What a dry run found. */
  @state() private found: Found | undefined;
  private readonly act = new Act(this);

  async #send(file: File, dryRun: boolean): Promise<void> {
    const same = `${file.name} ${file.size} ${file.lastModified} ${dryRun}`;
    await this.act.run(async (key) => {
      const { applyDefinition } = await ask(ApplyDescription, { input: { file, dryRun } }, { key });
      this.found = applyDefinition;
      if (!applyDefinition.applied) return "";
      const said = startTexts().described(applyDefinition.changeCount);
      this.file = this.found = undefined;
      this.dispatchEvent(new CustomEvent("wf-done", { detail: said }));
      return said;
    }, same);
    await this.updateComplete;
    this.querySelector<HTMLElement>("#description-outcome")?.focus();
  }

  protected override render(): TemplateResult {
    const t = startTexts();
    const check = (event: Event): void => {
      event.preventDefault();
      if (this.file) void this.#send(this.file, true);
    };
    return html`<form class="form" @submit=${check}>
      <div class="field"><label for="description-file">${t.file}</label>
        <input id="description-file" type="file" accept=".yaml,.yml,.json" aria-describedby="description-hint" @change=${(
          e: Event,
        ) => {
          this.file = (e.target as HTMLInputElement).files?.[0];
          this.found = undefined;
        }}><p id="description-hint" class="hint">${t.fileHint}</p></div>
      <div class="actions"><button type="submit" class="primary" ?disabled=${!this.file || this.act.busy}>${t.checkFile}</button></div></form>
      ${this.found ? this.outcome(this.found) : nothing}
      ${this.act.told()}`;
  }

  /** What the file would change, or what is wrong with it. */
  private outcome(found: Found): TemplateResult {
    const t = startTexts();
    if (found.faultCount > 0) {
      const columns: Column<Row>[] = [
        { name: "line", label: t.line, text: (f) => String(f.line), order: (f) => f.line },
        { name: "what", label: t.what, text: (f) => [f.section, f.element, f.member].filter(Boolean).join(" · ") },
        { name: "fault", label: t.fault, text: (f) => f.message },
      ];
      return html`<p id="description-outcome" tabindex="-1" role="alert">${t.fileFaults(found.faultCount)}</p>
        <div class="findings" role="region" tabindex="0" aria-label=${t.faultTable}>${table(t.faultTable, columns, found.faults)}</div>`;
    }
    if (found.changeCount === 0)
      return html`<p id="description-outcome" tabindex="-1" role="status">${t.nothingChanges}</p>`;
    return html`<p id="description-outcome" tabindex="-1" role="status">${t.wouldChange(found.changeCount)}</p>
      <ul>${found.changes.slice(0, 50).map((c) => html`<li>${t.actions[c.action]} ${c.section} ${c.name}</li>`)}</ul>
      ${found.changeCount > 50 ? html`<p>${t.furtherChanges(found.changeCount - 50)}</p>` : nothing}
      <p><button type="button" class="primary" ?disabled=${this.act.busy} @click=${() => {
        if (this.file) void this.#send(this.file, false);
      }}>${t.applyFile}</button></p>`;
  }
}
