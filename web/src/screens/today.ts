import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { ask } from "../api/client.js";
import { serverNow } from "../api/clock.js";
import { said } from "../parts/facts.js";
import { Following } from "../parts/live.js";
import { nodes } from "../parts/nodes.js";
import { Part, Reading } from "../parts/part.js";
import { shown } from "../parts/states.js";
import { type Column, table } from "../parts/table.js";
import { addDays, clock, dateIn, dateOf, day, duration } from "../parts/time.js";
import { may, mayOthers, query, setQuery } from "../router.js";
import type { StartQuery } from "../shell.graphql.js";
import { texts } from "../texts/texts.js";
import { flagged } from "./clock-events.js";
import type { Day } from "./day.js";
import "./day.js";
import type { Sites } from "./sites.js";
import "./sites.js";
import { AttendanceChanged, Today as Document, Places, type TodayQuery } from "./today.graphql.js";

type Group = TodayQuery["team"]["groups"][number];
type GroupName = Group["name"];
type Person = Group["people"][number] & { readonly group: GroupName; readonly noticed: readonly string[] };

/** What can be filtered by, in the order of the counts and then of the day. */
const groups: readonly GroupName[] = [
  "in",
  "late",
  "missing",
  "on_leave",
  "not_due",
  "done",
  "absent",
  "work_from_home",
  "off",
];
/** Those whose number stands at the top. */
const counted = groups.slice(0, 5);
/** In the order in which somebody looks for them; those who came late stand after the first two. */
const urgency: readonly GroupName[] = [
  "missing",
  "absent",
  "late",
  "in",
  "not_due",
  "work_from_home",
  "done",
  "on_leave",
  "off",
];

/** How many people of a group are shown at first, how many more each time, and at most. */
const few = 50;
const most = 1000;

/** How many days back forgotten clock-outs are looked for. */
const forgottenDays = 31;

/** Where everybody is today; their own day alone for who sees no team. */
@customElement("wf-today")
export class Today extends Part {
  /** The company's zone, in which its times are. */
  @property() zone = "UTC";
  /** The id of who looks. */
  @property() me = "";
  /** Whether who looks sees others. */
  @property({ type: Boolean }) leads = false;
  /** Whether who looks sees where others clocked in. */
  @property({ type: Boolean }) locates = false;
  /** Whether who looks decides about attendances. */
  @property({ type: Boolean }) approves = false;
  /** Whether who looks reads corrections. */
  @property({ type: Boolean }) corrects = false;
  /** Whether who looks reads leave. */
  @property({ type: Boolean }) leaves = false;

  private readonly day = new Reading(
    this,
    async (signal) => {
      const read = await ask(Document, this.asked(this.today()), { signal });
      if (read.all.date === this.today()) return read;
      return await ask(Document, this.asked(read.all.date), { signal }); // this browser's clock is wrong
    },
    () => `today ${JSON.stringify(this.wanted())}`,
  );
  private readonly places = new Reading(
    this,
    (signal) => ask(Places, {}, { signal }),
    () => "places",
  );
  private readonly changes = new Following(this, AttendanceChanged, () => {
    void this.day.again();
    for (const shown of this.querySelectorAll<Day | Sites>("wf-day, wf-sites")) shown.again();
  });
  #asked = "";

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("wf-place", this.#place);
  }

  override disconnectedCallback(): void {
    removeEventListener("wf-place", this.#place);
    super.disconnectedCallback();
  }

  /** Reads anew where the address asks for something else. */
  readonly #place = (): void => {
    this.requestUpdate(); // the table may be sorted otherwise
    if (JSON.stringify(this.wanted()) !== this.#asked) void this.day.again();
  };

  /** What the address asks for. */
  private wanted() {
    const q = query();
    const group = groups.find((g) => g === q.get("status"));
    const limit = Math.min(most, Math.max(few, Number.parseInt(q.get("shown") ?? "", 10) || few));
    return {
      limit,
      ...(group && { group }),
      ...(q.has("business") && { businessId: q.get("business") }),
      ...(q.has("site") && { addressId: q.get("site") }),
    };
  }

  /** Today in the company, as far as it is known. */
  private today(): string {
    return this.day.value?.all.date ?? dateIn(this.zone, new Date(serverNow()));
  }

  private asked(date: string) {
    const wanted = this.wanted();
    this.#asked = JSON.stringify(wanted);
    return { ...wanted, date, since: addDays(date, -forgottenDays) };
  }

  protected override render(): TemplateResult {
    const t = texts().today;
    const date = this.day.value?.all.date;
    return html`<div class="title">
        <h1 tabindex="-1">${t.heading}</h1>
        <p>${date === undefined || !this.leads ? "" : day(date)}${this.foreign()}</p>
        ${this.changes.mark()}
      </div>
      ${shown(this.day, (read) =>
        this.leads
          ? html`${this.counts(read)}${this.forgotten(read)}${this.everybody(read)}${this.drawn(read)}`
          : this.dayPart(this.me, true),
      )}
      ${this.leads ? this.person() : nothing}`;
  }

  private everybody(read: TodayQuery): TemplateResult {
    const t = texts().today;
    if (read.all.totalCount > 0 || query().has("site") || query().has("business"))
      return html`${this.team(read)}${read.all.totalCount === 1 ? html`<p class="hint">${t.emptyNext}</p>` : nothing}`;
    return html`<div class="state"><p>${t.empty}</p><p>${t.emptyNext}</p></div>`;
  }

  /** The day of the person whom the address names. */
  private person(): TemplateResult | typeof nothing {
    const person = query().get("person") ?? "";
    return /^[0-9]+$/.test(person) && this.day.value ? this.dayPart(person, false) : nothing;
  }

  /** A person's day, of the date that the address names. */
  private dayPart(person: string, inline: boolean): TemplateResult {
    const on = query().get("on") ?? "";
    const date = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(on) ? on : this.today();
    return html`<wf-day .person=${person} .date=${date} .zone=${this.zone} .confirms=${this.approves} .inline=${inline}
      .corrections=${this.corrects} .leaves=${this.leaves}
      @wf-changed=${this.day.again}></wf-day>`;
  }

  /** The sites with where people clocked in, once that is wanted. */
  private drawn(read: TodayQuery): TemplateResult | typeof nothing {
    if (!this.locates) return nothing;
    const t = texts().sites;
    const q = query();
    return html`<h2>${t.heading}</h2>
      ${
        q.has("sites")
          ? html`<wf-sites .date=${read.all.date} .site=${q.get("site") ?? ""}></wf-sites>`
          : html`<button type="button" class="no-print" @click=${() => setQuery({ sites: "1" })}>${t.draw}</button>`
      }`;
  }

  /** The clock-outs that somebody forgot, which a rule made in their place. */
  private forgotten(read: TodayQuery): TemplateResult | typeof nothing {
    const t = texts().today;
    const list = nodes(read.forgotten);
    if (list.length === 0) return nothing;
    return html`<h2>${t.forgotten} <span class="number">${list.length}</span></h2>
      <ul class="items" aria-label=${t.forgotten}>${list.map(
        (a) => html`<li aria-label=${a.user.name}><div><a href=${dayOf(a.user.id, a.workDate)}>${a.user.name}</a>
          ${dateOf(a.workDate)} · ${clock(a.clockedInAt, a.clockedInZone)}–${a.clockedOutAt ? clock(a.clockedOutAt, a.clockedInZone) : ""}</div></li>`,
      )}</ul>`;
  }

  /** Names the zone of the times where it is not this browser's. */
  private foreign(): string {
    return Intl.DateTimeFormat().resolvedOptions().timeZone === this.zone ? "" : ` · ${texts().time.zone(this.zone)}`;
  }

  private filters(): TemplateResult {
    const t = texts().today;
    const q = query();
    const businesses = this.places.value?.businessStructure ?? [];
    const sites = this.sites();
    const choose = (change: Record<string, string>): void => setQuery({ ...change, shown: "" }, { push: true });
    return html`<div class="filters no-print">
      ${select(t.status, q.get("status") ?? "", [["", t.allStatuses], ...groups.map((g) => [g, t[g]] as const)], (v) =>
        choose({ status: v }),
      )}
      ${
        businesses.length < 2
          ? nothing
          : select(
              t.business,
              q.get("business") ?? "",
              [["", t.allBusinesses], ...businesses.map((b) => [b.id, "\u2003".repeat(b.depth) + b.name] as const)],
              (v) => choose({ business: v }),
            )
      }
      ${
        sites.length < 2
          ? nothing
          : select(t.site, q.get("site") ?? "", [["", t.allSites], ...sites.map((s) => [s.id, s.name] as const)], (v) =>
              choose({ site: v }),
            )
      }
    </div>
    <p class="print">${this.filteredBy()}</p>`;
  }

  /** The filters that are set, in words. */
  private filteredBy(): string {
    const t = texts().today;
    const q = query();
    const group = groups.find((g) => g === q.get("status"));
    const business = this.places.value?.businessStructure.find((b) => b.id === q.get("business"));
    const site = this.sites().find((s) => s.id === q.get("site"));
    return said([
      [t.status, group && t[group]],
      [t.business, business?.name],
      [t.site, site?.name],
    ])
      .map((fact) => fact.join(": "))
      .join(", ");
  }

  private sites() {
    return this.places.value ? nodes(this.places.value.addresses) : [];
  }

  private counts(read: TodayQuery): TemplateResult {
    const t = texts().today;
    const status = query().get("status");
    return html`<ul class="counts" aria-label=${t.counts}>${counted.map((name) => {
      const to = new URLSearchParams(query());
      to.delete("shown");
      if (status === name) to.delete("status");
      else to.set("status", name);
      const count = read.all.groups.find((g) => g.name === name)?.count ?? 0;
      return html`<li><a class="count ${name}" href="/app/today?${to}" aria-current=${status === name ? "true" : nothing}>
        <span>${t[name]}</span> <strong>${count}</strong></a></li>`;
    })}</ul>`;
  }

  private team(read: TodayQuery): TemplateResult {
    const t = texts();
    const people = everybody(read);
    const names = new Map(this.sites().map((s) => [s.id, s.name]));
    const all = read.team.groups.reduce((sum, g) => (disjoint(g, read) ? sum + g.count : sum), 0);
    const { limit } = this.wanted();
    return html`<h2>${t.today.team}</h2>
      ${this.filters()}
      ${people.length === 0 ? html`<div class="state"><p>${t.table.none}</p></div>` : table(t.today.team, this.columns(names), people, `${t.today.heading} ${read.all.date}`)}
      ${
        people.length < all
          ? html`<p class="more no-print">${t.table.shown(people.length, all)}
            <button type="button" ?disabled=${limit >= most} @click=${() => setQuery({ shown: String(limit * 2) })}>
              ${t.table.more}</button></p>`
          : nothing
      }`;
  }

  private columns(sites: ReadonlyMap<string, string>): Column<Person>[] {
    const t = texts().today;
    const at = (time: string | null | undefined): string => (time ? clock(time, this.zone) : "");
    return [
      {
        name: "person",
        label: t.person,
        text: (p) => p.name,
        cell: (p) => html`<a href=${dayOf(p.userId, "")}>${p.name}</a>`,
      },
      {
        name: "status",
        label: t.status,
        text: (p) => t[p.group],
        cell: (p) => html`<span class="status ${p.group}">${t[p.group]}</span>`,
        order: (p) => groups.indexOf(p.group),
      },
      { name: "in", label: t.since, text: (p) => at(p.clockInAt), order: (p) => p.clockInAt ?? "~" },
      { name: "out", label: t.left, text: (p) => at(p.clockOutAt), order: (p) => p.clockOutAt ?? "~" },
      {
        name: "shift",
        label: t.shift,
        text: (p) => (p.startAt && p.endAt ? `${at(p.startAt)}–${at(p.endAt)}` : ""),
        order: (p) => p.startAt ?? "~",
      },
      { name: "site", label: t.site, text: (p) => sites.get(p.addressId ?? "") ?? "" },
      {
        name: "flags",
        label: t.flags,
        text: (p) =>
          [
            p.lateSeconds > 0 ? t.lateBy(duration(p.lateSeconds)) : "",
            p.earlySeconds > 0 ? t.earlyBy(duration(p.earlySeconds)) : "",
            flagged(p.noticed),
          ]
            .filter((flag) => flag !== "")
            .join(", "),
        order: (p) => -p.lateSeconds - p.earlySeconds,
      },
    ];
  }
}

/** Whether a group has nobody of another one: late has them where all groups were asked for. */
function disjoint(group: Group, read: TodayQuery): boolean {
  return group.name !== "late" || read.team.groups.length === 1;
}

/** Everybody of the groups that were asked for, once, the most urgent first, then by name. */
export function everybody(read: TodayQuery): Person[] {
  const noticed = new Map<string, Set<string>>();
  for (const a of nodes(read.noticed)) {
    const of = noticed.get(a.user.id) ?? new Set();
    for (const flag of [...a.clockedInFlags, ...a.clockedOutFlags]) of.add(flag);
    noticed.set(a.user.id, of);
  }
  const rank = (p: Person): number =>
    urgency.indexOf(p.lateSeconds > 0 && ["in", "done"].includes(p.group) ? "late" : p.group);
  return read.team.groups
    .filter((g) => disjoint(g, read))
    .flatMap((g) => g.people.map((p) => ({ ...p, group: g.name, noticed: [...(noticed.get(p.userId) ?? [])] })))
    .sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
}

/** The address that shows the day of a person; today without a date. */
function dayOf(person: string, date: string): string {
  const to = query();
  to.set("person", person);
  if (date === "") to.delete("on");
  else to.set("on", date);
  return `/app/today?${to}`;
}

function select(
  label: string,
  value: string,
  options: readonly (readonly [string, string])[],
  choose: (value: string) => void,
): TemplateResult {
  return html`<label>${label}
    <select @change=${(e: Event) => choose((e.target as HTMLSelectElement).value)}>
      ${options.map(([v, text]) => html`<option value=${v} .selected=${v === value}>${text}</option>`)}
    </select></label>`;
}

export function show(start: StartQuery): TemplateResult {
  return html`<wf-today .zone=${start.company.timezone} .me=${start.viewer.id}
    .leads=${mayOthers(start, "attendance.read")} .approves=${may(start, "attendance.approve")}
    .locates=${mayOthers(start, "coordinate.read")} .corrects=${may(start, "correction.read")}
    .leaves=${may(start, "leave.read")}></wf-today>`;
}
