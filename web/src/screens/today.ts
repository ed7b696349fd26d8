import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { ask } from "../api/client.js";
import { Following } from "../parts/live.js";
import { Part, Reading } from "../parts/part.js";
import { shown } from "../parts/states.js";
import { type Column, table } from "../parts/table.js";
import { clock, day, duration } from "../parts/time.js";
import { query, setQuery } from "../router.js";
import { texts } from "../texts/texts.js";
import { AttendanceChanged, Businesses, Today as Document, type TodayQuery } from "./today.graphql.js";

type Group = TodayQuery["team"]["groups"][number];
type GroupName = Group["name"];
type Person = Group["people"][number] & { readonly group: GroupName };

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

/** How many people of a group are shown at first, how many more each time, and at most. */
const few = 50;
const most = 1000;

/** Where everybody is today. */
@customElement("wf-today")
export class Today extends Part {
  /** The company's zone, in which its times are. */
  @property() zone = "UTC";

  private readonly day = new Reading(this, (signal) => ask(Document, this.asked(), { signal }));
  private readonly businesses = new Reading(this, (signal) => ask(Businesses, {}, { signal }));
  private readonly changes = new Following(this, AttendanceChanged, () => void this.day.again());
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
    return { limit, ...(group && { group }), ...(q.has("business") && { businessId: q.get("business") }) };
  }

  private asked() {
    const wanted = this.wanted();
    this.#asked = JSON.stringify(wanted);
    return wanted;
  }

  protected override render(): TemplateResult {
    const t = texts().today;
    const date = this.day.value?.all.date;
    return html`<div class="title">
        <h1 tabindex="-1">${t.heading}</h1>
        <p>${date === undefined ? "" : day(date)}${this.foreign()}</p>
        ${this.changes.mark()}
      </div>
      ${this.filters()}
      ${shown(this.day, (read) => html`${this.counts(read)}${read.all.totalCount === 0 ? empty() : this.team(read)}`)}`;
  }

  /** Names the zone of the times where it is not this browser's. */
  private foreign(): string {
    return Intl.DateTimeFormat().resolvedOptions().timeZone === this.zone ? "" : ` · ${texts().time.zone(this.zone)}`;
  }

  private filters(): TemplateResult {
    const t = texts().today;
    const q = query();
    const businesses = this.businesses.value?.businessStructure ?? [];
    return html`<div class="filters no-print">
      ${select(t.status, q.get("status") ?? "", [["", t.allStatuses], ...groups.map((g) => [g, t[g]] as const)], (v) =>
        setQuery({ status: v, shown: "" }),
      )}
      ${
        businesses.length < 2
          ? nothing
          : select(
              t.business,
              q.get("business") ?? "",
              [["", t.allBusinesses], ...businesses.map((b) => [b.id, "\u2003".repeat(b.depth) + b.name] as const)],
              (v) => setQuery({ business: v, shown: "" }),
            )
      }
    </div>`;
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
    const all = read.team.groups.reduce((sum, g) => (disjoint(g, read) ? sum + g.count : sum), 0);
    const { limit } = this.wanted();
    return html`<h2>${t.today.team}</h2>
      ${people.length === 0 ? html`<div class="state"><p>${t.table.none}</p></div>` : table(t.today.team, this.columns(), people)}
      ${
        people.length < all
          ? html`<p class="more no-print">${t.table.shown(people.length, all)}
            <button type="button" ?disabled=${limit >= most} @click=${() => setQuery({ shown: String(limit * 2) })}>
              ${t.table.more}</button></p>`
          : nothing
      }`;
  }

  private columns(): Column<Person>[] {
    const t = texts().today;
    const at = (time: string | null | undefined): string => (time ? clock(time, this.zone) : "");
    return [
      { name: "person", label: t.person, text: (p) => p.name },
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
      {
        name: "flags",
        label: t.flags,
        text: (p) =>
          [
            p.lateSeconds > 0 ? t.lateBy(duration(p.lateSeconds)) : "",
            p.earlySeconds > 0 ? t.earlyBy(duration(p.earlySeconds)) : "",
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

/** Everybody of the groups that were asked for, once, by name. */
function everybody(read: TodayQuery): Person[] {
  return read.team.groups
    .filter((g) => disjoint(g, read))
    .flatMap((g) => g.people.map((p) => ({ ...p, group: g.name })))
    .sort((a, b) => a.name.localeCompare(b.name));
}

function empty(): TemplateResult {
  const t = texts().today;
  return html`<div class="state"><p>${t.empty}</p><p>${t.emptyNext}</p></div>`;
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

export function show(start: { readonly company: { readonly timezone: string } }): TemplateResult {
  return html`<wf-today .zone=${start.company.timezone}></wf-today>`;
}
