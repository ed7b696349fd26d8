import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import { Act } from "../../parts/act.js";
import { question } from "../../parts/dialog.js";
import { Following } from "../../parts/live.js";
import { type NodeOf, nodes } from "../../parts/nodes.js";
import { Part, Reading } from "../../parts/part.js";
import { saveLink } from "../../parts/save.js";
import { shown } from "../../parts/states.js";
import { type Column, table } from "../../parts/table.js";
import { dateAndTime, dateIn, dateOf, monthOf } from "../../parts/time.js";
import { may, query, setQuery } from "../../router.js";
import type { StartQuery } from "../../shell.graphql.js";
import { texts } from "../../texts/texts.js";
import "./ask.js";
import { monthOfDates, range, sizeOf } from "./report.js";
import {
  CancelReport,
  ChangeSchedule,
  DeleteSchedule,
  Reports as Document,
  PeopleOfReports,
  ProjectsOfReports,
  ReportChanged,
  ReportLink,
  type ReportRowFragment,
  type ReportsQuery,
} from "./reports.graphql.js";
import { reportsTexts } from "./texts.js";

type Report = ReportRowFragment;
type Schedule = NodeOf<ReportsQuery["scheduled"]>;

/** How many reports are shown at first, how many more each time, and at most. */
const few = 50;
const most = 500;
/** How many names are asked for at once. */
const names = 100;

/** The reports that are made, were made, and are made again and again. */
@customElement("wf-reports")
export class Reports extends Part {
  @property({ attribute: false }) start!: StartQuery;
  /** The schedule about which it is asked whether it is deleted. */
  @state() private leaving: Schedule | undefined;
  @state() private told = "";
  readonly #act = new Act(this);
  /** The names of people and projects, by kind and id. */
  readonly #names = new Map<string, string>();
  readonly #read = new Reading(this, async (signal) => {
    const read = await ask(Document, { first: this.#first() }, { signal });
    await this.#name(read, signal);
    return read;
  });
  readonly #changes = new Following(this, ReportChanged, () => void this.#read.again());
  #shown = "";

  override connectedCallback(): void {
    super.connectedCallback();
    this.#shown = query().get("shown") ?? "";
    addEventListener("wf-place", this.#place);
  }

  override disconnectedCallback(): void {
    removeEventListener("wf-place", this.#place);
    super.disconnectedCallback();
  }

  readonly #place = (): void => {
    const asked = query().get("shown") ?? "";
    if (asked !== this.#shown) void this.#read.again();
    this.#shown = asked;
    this.requestUpdate();
  };

  #first(): number {
    return Math.min(most, Math.max(few, Number.parseInt(query().get("shown") ?? "", 10) || few));
  }

  /** Asks for the names that are not known yet. */
  async #name(read: ReportsQuery, signal: AbortSignal): Promise<void> {
    const all = [...nodes(read.making), ...nodes(read.made), ...nodes(read.scheduled)];
    const lack = (kind: string, ids: readonly (string | null | undefined)[]): string[] =>
      [...new Set(ids)]
        .filter((id) => id != null && !this.#names.has(`${kind} ${id}`))
        .map(String)
        .slice(0, names);
    const people = lack(
      "person",
      all.map((r) => r.subjectId),
    );
    const projects = lack(
      "project",
      all.map((r) => r.projectId),
    );
    if (people.length > 0) {
      const { users } = await ask(PeopleOfReports, { ids: people }, { signal });
      for (const id of people) this.#names.set(`person ${id}`, ""); // who is not seen has no name
      for (const p of nodes(users)) this.#names.set(`person ${p.id}`, p.name);
    }
    if (projects.length > 0) {
      const got = await ask(ProjectsOfReports, { ids: projects }, { signal });
      for (const id of projects) this.#names.set(`project ${id}`, "");
      for (const p of nodes(got.projects)) this.#names.set(`project ${p.id}`, p.name);
    }
  }

  protected override render(): TemplateResult {
    const t = reportsTexts();
    const writes = may(this.start, "report.write");
    const asked = query().get("new");
    return html`<div class="title"><h1 tabindex="-1">${texts().screens.reports}</h1>${this.#changes.mark()}</div>
      ${
        writes
          ? html`<div class="chores no-print"><div class="actions">
            <button type="button" class="primary" @click=${() => setQuery({ new: "generate" })}>${t.generate}</button>
            <button type="button" @click=${() => setQuery({ new: "schedule" })}>${t.schedule}</button></div></div>`
          : nothing
      }
      <p role="status" class="outcome">${this.told}</p>${this.#act.told()}
      ${shown(this.#read, (read) => html`${this.#making(read)}${this.#made(read)}${this.#scheduled(read)}`)}
      ${
        writes && (asked === "generate" || asked === "schedule")
          ? html`<wf-ask-report .start=${this.start} .again=${asked === "schedule"} @wf-asked=${this.#asked}></wf-ask-report>`
          : nothing
      }
      ${this.leaving ? this.#question(this.leaving) : nothing}`;
  }

  readonly #asked = (event: CustomEvent<string>): void => {
    this.#act.clear();
    this.told = event.detail;
    void this.#read.again();
  };

  /** Does something, and reads anew. */
  #do(what: (key: string) => Promise<string>, same: string): Promise<boolean> {
    this.told = "";
    return this.#act.run(async (key) => {
      const done = await what(key);
      await this.#read.again();
      return done;
    }, same);
  }

  #making(read: ReportsQuery): TemplateResult | typeof nothing {
    const t = reportsTexts();
    const list = nodes(read.making);
    if (list.length === 0) return nothing;
    return html`<h2>${t.making} <span class="number">${list.length}</span></h2>
      <ul class="items making" aria-label=${t.making}>${list.map(
        (
          r,
        ) => html`<li aria-label=${title(r)}><div><strong>${title(r)}</strong> <span class="hint">${this.#about(r)} · ${t.formats[r.format]} · ${r.user.name}</span>
          <div class="chore"><progress max="100" aria-label="${t.progress}: ${title(r)}" .value=${r.progress}></progress>
            <span>${r.status === "queued" ? t.waiting : t.percent(r.progress)}</span></div></div>
          ${this.#mine(r.user.id) ? html`<div class="actions"><button type="button" @click=${() => this.#cancel(r)}>${t.cancel}</button></div>` : nothing}</li>`,
      )}</ul>`;
  }

  #cancel(r: Report): Promise<boolean> {
    return this.#do(async (key) => {
      await ask(CancelReport, { id: r.id }, { key });
      return reportsTexts().cancelled(title(r));
    }, `cancel ${r.id}`);
  }

  #made(read: ReportsQuery): TemplateResult {
    const t = reportsTexts();
    const list = nodes(read.made);
    if (list.length === 0) {
      return html`<h2>${t.made}</h2><div class="state"><p>${t.empty}</p>${may(this.start, "report.write") ? html`<p>${t.emptyNext}</p>` : nothing}</div>`;
    }
    const all = read.made.totalCount;
    return html`<h2>${t.made} <span class="number">${all}</span></h2>
      ${table(t.made, this.#columns(), list)}
      ${
        list.length < all
          ? html`<p class="more no-print">${texts().table.shown(list.length, all)}
            <button type="button" ?disabled=${list.length >= most} @click=${() => setQuery({ shown: String(this.#first() * 2) })}>${texts().table.more}</button></p>`
          : nothing
      }`;
  }

  #columns(): Column<Report>[] {
    const t = reportsTexts();
    const zone = this.start.company.timezone;
    const wide = may(this.start, ["report.read.team", "report.read.all"]);
    const columns: (Column<Report> | false)[] = [
      { name: "report", label: t.report, text: title, order: (r) => `${t.kinds[r.kind]} ${r.from}` },
      { name: "about", label: t.about, text: (r) => this.#about(r) },
      { name: "format", label: t.format, text: (r) => t.formats[r.format] },
      { name: "state", label: t.state, text: (r) => t.states[r.status], cell: (r) => fate(r) },
      { name: "rows", label: t.rows, text: (r) => (r.rows == null ? "" : String(r.rows)), order: (r) => r.rows ?? -1 },
      { name: "size", label: t.size, text: (r) => (r.size == null ? "" : sizeOf(r.size)), order: (r) => r.size ?? -1 },
      wide && { name: "by", label: t.by, text: (r) => r.user.name },
      { name: "at", label: t.at, text: (r) => dateAndTime(r.createdAt, zone), order: (r) => r.createdAt },
      {
        name: "until",
        label: t.until,
        text: (r) => dateOf(dateIn(zone, new Date(r.expiresAt))),
        order: (r) => r.expiresAt,
      },
      { name: "file", label: t.file, text: (r) => (r.status === "done" ? r.fileName : ""), cell: (r) => this.#file(r) },
    ];
    return columns.filter((c) => c !== false);
  }

  #file(r: Report): TemplateResult | string {
    const t = reportsTexts();
    if (r.status !== "done") return "";
    if (r.user.id !== this.start.viewer.id) return html`<span class="hint">${t.others(r.user.name)}</span>`;
    return html`<button type="button" @click=${() => this.#download(r.id)}>${t.download}</button>`;
  }

  /** Saves a file by a link of now: they end after five minutes. */
  #download(id: string): Promise<boolean> {
    this.told = "";
    return this.#act.run(async () => {
      const { report } = await ask(ReportLink, { id });
      if (report.url) saveLink(report.url);
      return reportsTexts().saved(report.fileName);
    });
  }

  #scheduled(read: ReportsQuery): TemplateResult {
    const t = reportsTexts();
    const list = nodes(read.scheduled);
    if (list.length === 0) return html`<h2>${t.scheduled}</h2><p class="hint">${t.noneScheduled}</p>`;
    const zone = this.start.company.timezone;
    const columns: Column<Schedule>[] = [
      { name: "schedule", label: t.report, text: often },
      { name: "s-about", label: t.about, text: (s) => this.#about(s) },
      { name: "s-format", label: t.format, text: (s) => t.formats[s.format] },
      { name: "s-for", label: t.recipient, text: (s) => s.user.name },
      {
        name: "s-next",
        label: t.next,
        text: (s) => (s.active ? dateAndTime(s.dueAt, zone) : ""),
        order: (s) => s.dueAt,
      },
      {
        name: "s-last",
        label: t.last,
        text: (s) => (s.madeAt ? dateAndTime(s.madeAt, zone) : ""),
        order: (s) => s.madeAt ?? "",
      },
      {
        name: "s-state",
        label: t.state,
        text: (s) => (s.active ? t.active : t.paused),
        cell: (s) => html`${s.active ? t.active : t.paused} ${this.#mine(s.user.id) ? this.#changing(s) : nothing}`,
      },
    ];
    return html`<h2>${t.scheduled} <span class="number">${list.length}</span></h2>
      ${table(t.scheduled, columns, list)}`;
  }

  #changing(s: Schedule): TemplateResult {
    const t = reportsTexts();
    const turn = (): Promise<boolean> =>
      this.#do(
        async (key) => {
          await ask(ChangeSchedule, { id: s.id, active: !s.active }, { key });
          return s.active ? t.pausedNow(often(s)) : t.resumedNow(often(s));
        },
        `${s.active ? "pause" : "resume"} ${s.id}`,
      );
    const leave = (): void => {
      this.leaving = s;
    };
    return html`<div class="actions"><button type="button" @click=${turn}>${s.active ? t.pause : t.resume}</button>
      <button type="button" @click=${leave}>${t.delete}</button></div>`;
  }

  #question(s: Schedule): TemplateResult {
    const t = reportsTexts();
    return question(t.deleteAsk(often(s)), html`<p>${t.deleteMeans(s.user.name)}</p>`, t.delete, (yes) => {
      this.leaving = undefined;
      if (!yes) return;
      void this.#do(async (key) => {
        await ask(DeleteSchedule, { id: s.id }, { key });
        return t.deleted(often(s));
      }, `delete ${s.id}`);
    });
  }

  /** Whether who looks changes what is somebody's: their own, or that of others too. */
  #mine(owner: string): boolean {
    if (!may(this.start, "report.write")) return false;
    return owner === this.start.viewer.id || may(this.start, ["report.write.team", "report.write.all"]);
  }

  /** Of whom and of what something is. */
  #about(r: Pick<Report, "subjectId" | "projectId">): string {
    const t = reportsTexts();
    const person = r.subjectId == null ? "" : this.#names.get(`person ${r.subjectId}`) || t.somebody;
    const project = r.projectId == null ? "" : this.#names.get(`project ${r.projectId}`) || t.someProject;
    const all = may(this.start, ["report.read.team", "report.read.all"]) ? t.everybody : this.start.viewer.name;
    return [person, project].filter((name) => name !== "").join(", ") || all;
  }
}

/** What a report is called: its kind and its period. */
function title(r: Report): string {
  const month = monthOfDates(r.from, r.to);
  const period = month !== undefined ? monthOf(month) : range(r.from, r.to);
  return `${reportsTexts().kinds[r.kind]}, ${period}`;
}

/** What a schedule is called: its kind, and how often it is made. */
function often(s: Schedule): string {
  const t = reportsTexts();
  return `${t.kinds[s.kind]}, ${t.every.toLowerCase()} ${t.everies[s.every].toLowerCase()}`;
}

/** What became of a report; a failure with its code. */
function fate(r: Report): TemplateResult | string {
  const text = reportsTexts().states[r.status];
  if (r.status !== "failed") return text;
  return html`<span class="fault">${text}</span> <code>${r.failure}</code>`;
}

export function show(start: StartQuery): TemplateResult {
  return html`<wf-reports .start=${start}></wf-reports>`;
}
