import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { ask } from "../api/client.js";
import { type NodeOf, nodes } from "../parts/nodes.js";
import { Part, Reading } from "../parts/part.js";
import { dotAt, drawing, offset, reach } from "../parts/site.js";
import { shown } from "../parts/states.js";
import { setQuery } from "../router.js";
import { texts } from "../texts/texts.js";
import { doubtful, flagged } from "./clock-events.js";
import { Sites as Document, type SitesQuery } from "./sites.graphql.js";

type Event = NodeOf<SitesQuery["attendances"]>;

/** The sites of a day to scale, with where people clocked in. Each reading of positions is recorded. */
@customElement("wf-sites")
export class Sites extends Part {
  @property() date = "";
  /** The one site that is wanted; "" for all. */
  @property() site = "";
  private readonly read = new Reading(this, (signal) => ask(Document, { date: this.date }, { signal }));

  /** Reads anew. */
  again(): void {
    void this.read.again();
  }

  protected override render(): TemplateResult {
    const t = texts().sites;
    return html`<p class="hint">${t.hint}</p>
      ${shown(this.read, (read) => this.sites(read))}
      <div class="actions no-print">
        <button type="button" ?disabled=${this.read.busy} @click=${this.read.again}>${t.again}</button>
        <button type="button" @click=${() => setQuery({ sites: "" })}>${t.hide}</button>
      </div>`;
  }

  private sites(read: SitesQuery): TemplateResult {
    const groups = bySite(nodes(read.attendances), this.site);
    if (groups.length === 0) return html`<div class="state"><p>${texts().sites.nobody}</p></div>`;
    return html`<ul class="sites" aria-label=${texts().sites.heading}>${groups.map((events) => one(events))}</ul>`;
  }
}

/** Events with a position by site, by the name of the site. */
export function bySite(events: readonly Event[], only: string): Event[][] {
  const groups = new Map<string, Event[]>();
  for (const e of events) {
    if (!e.clockedInPosition || (only !== "" && e.address.id !== only)) continue;
    groups.set(e.address.id, [...(groups.get(e.address.id) ?? []), e]);
  }
  return [...groups.values()].sort((a, b) => (a[0]?.address.name ?? "").localeCompare(b[0]?.address.name ?? ""));
}

function one(events: readonly Event[]): TemplateResult | typeof nothing {
  const t = texts().sites;
  const site = events[0]?.address;
  if (!site) return nothing;
  const radius = site.radius ?? null;
  const positions = events.flatMap((e) => (e.clockedInPosition ? [e.clockedInPosition] : []));
  const at = positions.map((p) => offset(site, p));
  const far = at.map((o) => Math.hypot(o.x, o.y));
  const edge = reach(radius, far);
  const doubts = events.map((e) => doubtful(e.clockedInFlags));
  const dots = at.map((o, i) => ({
    ...dotAt(o, radius, edge),
    accuracy: positions[i]?.accuracy ?? null,
    doubtful: doubts[i]?.length !== 0,
  }));
  const sure = dots.filter((d) => !d.doubtful);
  const outside = sure.filter((d) => d.outside).length;
  const doubted = dots.length - sure.length;
  const counts = [
    t.within(sure.length - outside),
    t.outside(outside),
    ...(doubted > 0 ? [t.doubtful(doubted)] : []),
  ].join(", ");
  return html`<li>
    <p><strong>${site.name}</strong> <span class="hint">${radius === null ? t.unlimited : t.radius(radius)}</span></p>
    ${drawing(`${site.name}: ${counts}`, radius, dots, edge)}
    <p>${counts}</p>
    <ul>${events.map((e, i) => html`<li>${said(e.user.name, far[i] ?? 0, dots[i]?.accuracy ?? null, doubts[i] ?? [])}</li>`)}</ul>
  </li>`;
}

/** Where somebody was, how far off that may be, and why it is doubtful. */
function said(name: string, far: number, accuracy: number | null, doubts: readonly string[]): string {
  const t = texts().sites;
  return [
    t.at(name, Math.round(far)),
    ...(accuracy === null ? [] : [t.accuracy(Math.round(accuracy))]),
    ...(doubts.length === 0 ? [] : [flagged(doubts)]),
  ].join(", ");
}
