import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";
import { ask } from "../../api/client.js";
import type { AuditEventWhereInput } from "../../api/schema.js";
import { dateFilter, dateOfQuery, filter, idOfQuery } from "../../parts/filters.js";
import { type NodeOf, nodes } from "../../parts/nodes.js";
import { Part, Reading } from "../../parts/part.js";
import { shown } from "../../parts/states.js";
import { type Column, table } from "../../parts/table.js";
import { addDays, dateAndTime, instantIn } from "../../parts/time.js";
import { query, setQuery } from "../../router.js";
import type { StartQuery } from "../../shell.graphql.js";
import { texts } from "../../texts/texts.js";
import { AuditPage, type AuditPageQuery } from "./audit.graphql.js";
import { kinds, nameIn } from "./changes.js";
import "./event.js";
import { auditTexts } from "./texts.js";
import { worded } from "./words.js";

type Event = NodeOf<AuditPageQuery["auditEvents"]>;

/** How many events are shown at first, how many more each time, and at most. */
const few = 50;
const most = 1000;
/** What of the address filters. */
const filters = ["who", "what", "entity", "of", "from", "to"] as const;

/** What was done in the company, by whom, with what it changed. */
@customElement("wf-audit")
export class Audit extends Part {
  @property({ attribute: false }) start!: StartQuery;
  #asked = "";
  private readonly read = new Reading(this, (signal) => {
    const variables = this.wanted();
    this.#asked = JSON.stringify(variables);
    return ask(AuditPage, variables, { signal });
  });

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("wf-place", this.#place);
  }

  override disconnectedCallback(): void {
    removeEventListener("wf-place", this.#place);
    super.disconnectedCallback();
  }

  /** Reads anew where the address asks for other events. */
  readonly #place = (): void => {
    this.requestUpdate();
    if (JSON.stringify(this.wanted()) !== this.#asked) void this.read.again();
  };

  private wanted() {
    const q = query();
    const zone = this.start.company.timezone;
    const [who, of, from, to] = [idOfQuery("who"), idOfQuery("of"), dateOfQuery("from"), dateOfQuery("to")];
    const what = q.get("what") ?? "";
    const kind = Object.hasOwn(kinds, what) ? kinds[what] : undefined;
    const entity = q.get("entity") ?? "";
    const and: AuditEventWhereInput[] = [
      ...(who ? [{ hasActorWith: [{ id: who }] }] : []),
      ...(kind ? [kind] : []),
      ...(entity ? [{ subjectType: entity }] : []),
      ...(of ? [{ subjectId: of }] : []),
      ...(from ? [{ atGTE: instantIn(zone, `${from}T00:00`) }] : []),
      ...(to ? [{ atLT: instantIn(zone, `${addDays(to, 1)}T00:00`) }] : []),
    ];
    const first = Math.min(most, Math.max(few, Number.parseInt(q.get("shown") ?? "", 10) || few));
    return { first, where: and.length > 0 ? { and } : null };
  }

  protected override render(): TemplateResult {
    const id = idOfQuery("event");
    return html`<div class="title"><h1 tabindex="-1">${texts().screens.audit}</h1></div>
      ${this.filters()}
      ${shown(this.read, (read) => this.list(read))}
      ${id === "" ? nothing : html`${keyed(id, html`<wf-audit-event .event=${id} .zone=${this.start.company.timezone}></wf-audit-event>`)}`}`;
  }

  private filters(): TemplateResult {
    const t = auditTexts();
    const entities = Object.entries(t.entities).sort((a, b) => a[1].localeCompare(b[1]));
    const of = idOfQuery("of");
    return html`<search class="filters no-print">
      <wf-person-filter .label=${t.who} .name=${"who"}></wf-person-filter>
      ${filter("what", t.what, [["", t.any], ...Object.entries(t.kinds)])}
      ${filter("entity", t.entity, [["", t.anyEntity], ...entities])}
      ${dateFilter(t.from, "from")}${dateFilter(t.to, "to")}
      ${filters.some((f) => query().has(f)) ? html`<button type="button" class="link" @click=${this.#reset}>${t.reset}</button>` : nothing}
    </search>${of === "" ? nothing : html`<p class="hint">${t.about(of)}</p>`}`;
  }

  readonly #reset = (): void => setQuery(Object.fromEntries(filters.map((f) => [f, ""])));

  private list({ auditEvents }: AuditPageQuery): TemplateResult {
    const t = auditTexts();
    const rows = nodes(auditEvents);
    const { first } = this.wanted();
    if (rows.length === 0)
      return html`<div class="state"><p>${filters.some((f) => query().has(f)) ? t.nothing : t.empty}</p></div>`;
    return html`${table(texts().screens.audit, this.columns(), rows)}
      ${
        rows.length < auditEvents.totalCount
          ? html`<p class="more no-print">${texts().table.shown(rows.length, auditEvents.totalCount)}
            <button type="button" ?disabled=${first >= most || this.read.busy} @click=${() => setQuery({ shown: String(Math.min(most, first + few * 2)) })}>${texts().table.more}</button></p>`
          : nothing
      }`;
  }

  private columns(): Column<Event>[] {
    const t = auditTexts();
    const at = (e: Event): string => dateAndTime(e.at, this.start.company.timezone);
    const open = (e: Event): string => {
      const to = query();
      to.set("event", e.id);
      return `/app/audit?${to}`;
    };
    return [
      {
        name: "what",
        label: t.what,
        text: (e) => worded(e.action, e.subjectType),
        cell: (e) => html`<a href=${open(e)}>${worded(e.action, e.subjectType)}</a>`,
      },
      { name: "on", label: t.on, text: (e) => nameIn(e.before, e.after) },
      { name: "who", label: t.who, text: (e) => e.actor?.name ?? t.server },
      {
        name: "at",
        label: t.when,
        text: at,
        cell: (e) => html`<time datetime=${e.at}>${at(e)}</time>`,
        order: (e) => e.at,
      },
      { name: "address", label: t.address, text: (e) => e.address },
    ];
  }
}

export function show(start: StartQuery): TemplateResult {
  return html`<wf-audit .start=${start}></wf-audit>`;
}
