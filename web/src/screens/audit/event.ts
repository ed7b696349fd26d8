import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import { closing, dialog } from "../../parts/dialog.js";
import { factList, said } from "../../parts/facts.js";
import { Part, Reading } from "../../parts/part.js";
import { shown } from "../../parts/states.js";
import { dateAndTime } from "../../parts/time.js";
import { setQuery } from "../../router.js";
import { texts } from "../../texts/texts.js";
import { AuditEvent, type AuditEventQuery } from "./audit.graphql.js";
import { type Change, changes, nameIn, plain, same } from "./changes.js";
import { auditTexts } from "./texts.js";
import { worded } from "./words.js";

type Event = AuditEventQuery["auditEvent"];

/** One event of the audit, with what it changed side by side, as a dialog. */
@customElement("wf-audit-event")
export class AuditEventDialog extends Part {
  /** The id of the event. */
  @property() event = "";
  @property() zone = "UTC";
  private readonly read = new Reading(
    this,
    async (signal) => (await ask(AuditEvent, { id: this.event }, { signal })).auditEvent,
  );

  protected override render(): TemplateResult {
    const e = this.read.value;
    const content = html`${shown(this.read, (read) => this.content(read))}<div class="actions">
      ${e && e.subjectId !== "0" ? html`<button type="button" @click=${() => this.#all(e)}>${auditTexts().allOf}</button>` : nothing}${closing()}</div>`;
    const heading = e ? worded(e.action, e.subjectType) : texts().screens.audit;
    return dialog(heading, content, () => setQuery({ event: "" }));
  }

  /** Shows all events about the same thing. */
  #all(e: Event): void {
    setQuery({ event: "", who: "", what: "", from: "", to: "", entity: e.subjectType, of: e.subjectId });
  }

  private content(e: Event): TemplateResult {
    const t = auditTexts();
    const kind = t.entities[e.subjectType] ?? e.subjectType;
    const facts = said([
      [t.when, `${dateAndTime(e.at, this.zone)}, ${new Date(e.at).getUTCFullYear()}`],
      [t.who, e.actor?.name ?? t.server],
      [
        t.entity,
        [kind, e.subjectId === "0" ? "" : e.subjectId, nameIn(e.before, e.after)].filter((s) => s !== "").join(" · "),
      ],
      [t.address, e.address],
      [t.request, e.requestId],
    ]);
    const all = changes(e.before, e.after);
    return html`${factList(facts)}
      ${all.length === 0 ? html`<p class="hint">${t.noChanges}</p>` : this.table(all)}`;
  }

  private table(all: readonly Change[]): TemplateResult {
    const t = auditTexts();
    return html`<table role="table" class="changes" aria-label=${t.changes}><thead role="rowgroup"><tr role="row">
        ${[t.member, t.before, t.after].map((name) => html`<th role="columnheader" scope="col">${name}</th>`)}</tr></thead>
      <tbody role="rowgroup">${all.map(
        (
          c,
        ) => html`<tr role="row"><th role="rowheader" scope="row">${plain(c.name)}${same(c) ? html` <span class="hint">${t.unchanged}</span>` : nothing}</th>
          ${[
            [t.before, c.before],
            [t.after, c.after],
          ].map(
            ([label, value]) =>
              html`<td role="cell"><span class="label" aria-hidden="true">${label}</span>${this.said(value)}</td>`,
          )}</tr>`,
      )}</tbody></table>`;
  }

  private said(value: unknown): string {
    const t = texts().form;
    if (value === undefined) return "–";
    if (value === null || value === "") return t.none;
    if (typeof value === "boolean") return value ? t.yes : t.no;
    if (typeof value === "string" && /^\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:\d{2})$/.test(value)) {
      return `${dateAndTime(value, this.zone)}, ${value.slice(0, 4)}`;
    }
    if (Array.isArray(value)) return value.map((v) => this.said(v)).join(", ");
    return typeof value === "string" ? value : JSON.stringify(value);
  }
}
