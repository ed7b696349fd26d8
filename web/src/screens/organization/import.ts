import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import { Fault } from "../../api/fault.js";
import { Act } from "../../parts/act.js";
import { closing, dialog } from "../../parts/dialog.js";
import { Part } from "../../parts/part.js";
import { words } from "../../parts/states.js";
import { type Column, table } from "../../parts/table.js";
import { dateOf } from "../../parts/time.js";
import { OrganizationImportHolidays } from "./holidays.graphql.js";
import type { Place } from "./holidays.js";
import { type ImportRow, refusedRows, rowsOf } from "./import-rows.js";
import { organizationTexts } from "./texts.js";

/** A calendar file that is looked through first, and then imported. */
@customElement("wf-holiday-import")
export class HolidayImport extends Part {
  @property({ attribute: false }) places: readonly Place[] = [];
  @state() private file: File | undefined;
  /** The one site where they hold; "" for the whole company. */
  @state() private at = "";
  /** Whether what cannot be read is left out; else it keeps all from being imported. */
  @state() private partial = true;
  /** What was found in the file; undefined until it was looked through. */
  @state() private rows: readonly ImportRow[] | undefined;
  @state() private imported = false;
  private readonly act = new Act(this);

  /** Something else is chosen: what was found holds no more. */
  private choose(change: () => void): void {
    change();
    this.rows = undefined;
    this.imported = false;
    this.act.clear();
  }

  private send(dryRun: boolean): void {
    const { file, at, partial } = this;
    if (!file) return;
    const same = [file.name, file.size, file.lastModified, at, partial, dryRun].join(" ");
    void this.act.run(async (key) => {
      const t = organizationTexts().import;
      const input = { file, dryRun, partial, ...(at !== "" && { addressId: at }) };
      try {
        const { importHolidays } = await ask(OrganizationImportHolidays, { input }, { key });
        this.rows = rowsOf(importHolidays);
      } catch (error) {
        const refused =
          error instanceof Fault
            ? refusedRows(
                error.meta,
                error.fields.map((f) => f.detail),
              )
            : [];
        if (refused.length > 0) this.rows = refused;
        throw error instanceof Fault && refused.length === 0 && error.of("file") !== ""
          ? new Fault(`${words(error)} ${error.of("file")}`, { code: error.code })
          : error;
      }
      this.imported = !dryRun;
      if (!dryRun) this.dispatchEvent(new CustomEvent("wf-done"));
      return dryRun
        ? t.looked(this.rows.length - this.count("leftOut"))
        : t.done(this.count("added"), this.count("changed"));
    }, same);
  }

  private count(fate: ImportRow["fate"]): number {
    return (this.rows ?? []).filter((r) => r.fate === fate).length;
  }

  protected override render(): TemplateResult {
    const t = organizationTexts();
    return dialog(t.import.button, this.content(), () => this.dispatchEvent(new Event("wf-closed")));
  }

  private content(): TemplateResult {
    const t = organizationTexts();
    const i = t.import;
    const writes = this.count("added") + this.count("changed");
    return html`<div class="form">
      <div class="field"><label for="calendar">${i.file}</label>
        <input id="calendar" type="file" accept=".ics,text/calendar" aria-describedby="calendar-hint"
          @change=${(e: Event) =>
            this.choose(() => {
              this.file = (e.target as HTMLInputElement).files?.[0];
            })}>
        <p id="calendar-hint" class="hint">${i.fileHint}</p></div>
      <div class="field"><label for="calendar-at">${t.where}</label>
        <select id="calendar-at" @change=${(e: Event) =>
          this.choose(() => {
            this.at = (e.target as HTMLSelectElement).value;
          })}><option value="">${t.everywhere}</option>${this.places.map((p) => html`<option value=${p.id}>${p.name}</option>`)}</select></div>
      <fieldset class="boxes"><legend>${i.faulty}</legend>${([true, false] as const).map(
        (partial) => html`<label class="check"><input type="radio" name="partial" .checked=${this.partial === partial}
          @change=${() =>
            this.choose(() => {
              this.partial = partial;
            })}> ${partial ? i.partial : i.whole}</label>`,
      )}</fieldset>
      ${this.act.told()}
      <div class="actions">
        <button type="button" class=${this.rows ? "" : "primary"} ?disabled=${!this.file || this.act.busy} @click=${() => this.send(true)}>${i.look}</button>
        ${
          this.rows && !this.imported && this.act.error === undefined
            ? html`<button type="button" class="primary" ?disabled=${writes === 0 || this.act.busy} @click=${() => this.send(false)}>${i.run(writes)}</button>`
            : nothing
        }
        ${closing()}
      </div></div>
      ${this.rows && this.rows.length > 0 ? this.found(this.rows) : nothing}`;
  }

  private found(rows: readonly ImportRow[]): TemplateResult {
    const i = organizationTexts().import;
    const fates = (["leftOut", "added", "changed", "unchanged"] as const).filter((f) => this.count(f) > 0);
    return html`<p class="outcome">${fates.map((f) => i.counts[f](this.count(f))).join(" · ")}</p>
      <div class="findings" role="region" tabindex="0" aria-label=${i.fate}>${table(i.found, columns(), rows)}</div>`;
  }
}

function columns(): Column<ImportRow>[] {
  const t = organizationTexts();
  const i = t.import;
  const tones = { leftOut: "missing", added: "in", changed: "late", unchanged: "" } as const;
  return [
    { name: "event", label: t.name, text: (r) => r.name || i.nameless },
    {
      name: "fate",
      label: i.fate,
      text: (r) => i.fates[r.fate],
      cell: (r) => html`<span class="status ${tones[r.fate]}">${i.fates[r.fate]}</span>`,
    },
    {
      name: "on",
      label: t.date,
      text: (r) => (r.date === "" ? "" : `${dateOf(r.date)} ${r.date.slice(0, 4)}`),
      order: (r) => r.date,
    },
    { name: "line", label: i.line, text: (r) => (r.line ? String(r.line) : ""), order: (r) => r.line ?? 0 },
    { name: "reason", label: i.reason, text: (r) => r.reason ?? "" },
  ];
}
