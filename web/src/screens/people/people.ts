import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";
import { ask } from "../../api/client.js";
import { draft } from "../../parts/draft.js";
import type { NodeOf } from "../../parts/nodes.js";
import { everyPage } from "../../parts/pages.js";
import { Part, Reading } from "../../parts/part.js";
import { saveText } from "../../parts/save.js";
import { shown } from "../../parts/states.js";
import { type Column, table } from "../../parts/table.js";
import { may, query, setQuery } from "../../router.js";
import type { StartQuery } from "../../shell.graphql.js";
import { texts } from "../../texts/texts.js";
import { peopleFile } from "./file.js";
import { whereOf } from "./find.js";
import { PeoplePage, type PeoplePageQuery, Structure } from "./people.graphql.js";
import { phone } from "./person-values.js";
import { peopleTexts } from "./texts.js";
import { subtree, treeOptions } from "./tree.js";
import "./businesses.js";
import "./person.js";
import "./person-form.js";
import "./import.js";

type Person = NodeOf<PeoplePageQuery["users"]>;

interface People {
  readonly rows: readonly Person[];
  /** How many there are, of whom all may not be read yet. */
  readonly all: number;
}

/** How many people are read at first, and then each time. */
const first = 100;
const next = 400;
/** How long somebody has to pause before the server is asked, in milliseconds. */
const pause = 200;
/** What of the address filters. */
const filters = ["q", "business", "designation", "role", "state"] as const;

/** The people of the company, whom one finds, adds and opens. */
@customElement("wf-people")
export class PeopleScreen extends Part {
  @property({ attribute: false }) start!: StartQuery;
  /** Those that were read so far, while the first reading of what the address asks for is not done. */
  @state() private sofar: People | undefined;
  @state() private done = "";
  #asked = "";
  #timer = 0;

  private readonly structure = new Reading(this, (signal) => ask(Structure, {}, { signal }));
  private readonly people = new Reading(this, (signal) => this.read(signal));

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("wf-place", this.#place);
  }

  override disconnectedCallback(): void {
    removeEventListener("wf-place", this.#place);
    clearTimeout(this.#timer);
    super.disconnectedCallback();
  }

  /** Reads anew where the address asks for others. */
  readonly #place = (): void => {
    this.requestUpdate();
    if (this.wanted() !== this.#asked) void this.people.again();
  };

  private wanted(): string {
    const q = query();
    return JSON.stringify(filters.map((f) => q.get(f) ?? ""));
  }

  /** Whether who looks sees who is inactive. */
  private get writes(): boolean {
    return may(this.start, "user.write");
  }

  private get writesAll(): boolean {
    return may(this.start, "user.write.all");
  }

  private async read(signal: AbortSignal): Promise<People> {
    const other = this.wanted() !== this.#asked;
    this.#asked = this.wanted();
    const q = query();
    const tree = q.has("business") || q.has("designation") ? await this.trees(signal) : undefined;
    const where = whereOf({
      words: (q.get("q") ?? "").trim(),
      businesses: tree && q.has("business") ? subtree(tree.businessStructure, q.get("business") ?? "") : [],
      designations: tree && q.has("designation") ? subtree(tree.designationStructure, q.get("designation") ?? "") : [],
      role: q.get("role") ?? "",
      state: this.writes ? (q.get("state") ?? "") : "all",
    });
    let all = 0;
    const page = async (after: string | null) => {
      const { users } = await ask(PeoplePage, { after, first: after === null ? first : next, where }, { signal });
      all = users.totalCount;
      return users;
    };
    const rows = await everyPage(page, (read) => {
      if (other || !this.people.value) this.sofar = { rows: read, all };
    });
    this.sofar = undefined;
    return { rows, all };
  }

  private async trees(signal: AbortSignal) {
    return this.structure.value ?? (await ask(Structure, {}, { signal }));
  }

  readonly #again = async (event?: CustomEvent<string>): Promise<void> => {
    this.done = event?.detail ?? "";
    await Promise.all([this.people.again(), this.structure.again()]);
  };

  protected override render(): TemplateResult {
    const list = this.sofar ?? this.people.value;
    return html`<div class="title"><h1 tabindex="-1">${texts().screens.people}</h1>
        <p role="status">${list ? peopleTexts().count(list.rows.length, list.all) : ""}</p></div>
      ${this.tools()}
      <p role="status" class="outcome">${this.done}</p>
      <div class="people">
        <wf-businesses class="no-print" .tree=${this.structure.value?.businessStructure ?? []}></wf-businesses>
        <div>${this.filters()}${list ? this.list(list) : shown(this.people, (read) => this.list(read))}
          ${list && this.people.error !== undefined ? shown(this.people, () => html``) : nothing}</div>
      </div>
      ${this.opened()}`;
  }

  private tools(): TemplateResult | typeof nothing {
    const t = peopleTexts();
    if (!this.writesAll) return nothing;
    const job = draft("import");
    return html`<div class="actions no-print">
      <button type="button" class="primary" @click=${() => setQuery({ new: "1" })}>${t.add}</button>
      <button type="button" @click=${() => setQuery({ import: job || "new" })}>${job === "" ? t.import : t.runningImport}</button>
      <button type="button" ?disabled=${!this.people.value || this.people.busy || !this.structure.value} @click=${this.#export}>${t.export}</button>
    </div>`;
  }

  readonly #export = (): void => {
    const trees = this.structure.value;
    if (!trees || !this.people.value) return;
    saveText("people.csv", peopleFile(this.people.value.rows, trees.businessStructure, trees.designationStructure));
  };

  private filters(): TemplateResult {
    const t = peopleTexts();
    const q = query();
    const trees = this.structure.value;
    const any = filters.some((f) => q.has(f));
    return html`<search class="filters no-print">
      <label>${t.search}<input type="search" autocomplete="off" .value=${q.get("q") ?? ""} @input=${this.#typed}></label>
      ${trees && trees.designationStructure.length > 0 ? select(t.designation, "designation", [["", t.allDesignations], ...treeOptions(trees.designationStructure)]) : nothing}
      ${trees && trees.roleList.length > 0 ? select(t.role, "role", [["", t.allRoles], ...trees.roleList.map((r) => [r.id, r.name] as const)]) : nothing}
      ${this.writes ? select(t.state, "state", Object.entries(t.states)) : nothing}
      ${any ? html`<button type="button" class="link" @click=${() => setQuery(Object.fromEntries(filters.map((f) => [f, ""])))}>${t.reset}</button>` : nothing}
    </search>`;
  }

  readonly #typed = (event: Event): void => {
    const text = (event.target as HTMLInputElement).value;
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => setQuery({ q: text }), pause);
  };

  private list(read: People): TemplateResult {
    const t = peopleTexts();
    if (read.all > 0) return table(texts().screens.people, this.columns(), read.rows);
    if (filters.some((f) => query().has(f))) return html`<div class="state"><p>${t.nobody}</p></div>`;
    return html`<div class="state"><p>${t.empty}</p>${this.writesAll ? html`<p>${t.emptyNext}</p>` : nothing}</div>`;
  }

  private columns(): Column<Person>[] {
    const t = peopleTexts();
    const state = (p: Person): string => (p.active == null ? "" : p.active ? t.active : t.inactive);
    const columns: Column<Person>[] = [
      {
        name: "name",
        label: t.person,
        text: (p) => p.name,
        cell: (p) => html`<a href=${personOf(p.id)}>${p.name}</a>`,
      },
      { name: "business", label: t.business, text: (p) => p.business?.name ?? "" },
      { name: "designation", label: t.designation, text: (p) => p.designations.map((d) => d.name).join(", ") },
      { name: "email", label: t.email, text: (p) => p.email ?? "" },
      { name: "phone", label: t.phone, text: (p) => phone(p.mobileNumber), cell: (p) => whole(phone(p.mobileNumber)) },
      { name: "role", label: t.role, text: (p) => p.roles.map((r) => r.name).join(", ") },
      { name: "joined", label: t.joined, text: (p) => p.joinedOn ?? "", cell: (p) => whole(p.joinedOn ?? "") },
    ];
    if (this.writes && query().has("state")) columns.push({ name: "active", label: t.state, text: state });
    return columns;
  }

  /** What the address has open: a person, a new one, an import. */
  private opened(): TemplateResult | typeof nothing {
    const q = query();
    const trees = this.structure.value;
    const person = q.get("person") ?? "";
    if (/^[0-9]+$/.test(person)) {
      return html`${keyed(person, html`<wf-person .person=${person} .start=${this.start} .trees=${trees} @wf-changed=${this.#again}></wf-person>`)}`;
    }
    if (!this.writesAll) return nothing;
    if (q.has("new"))
      return html`<wf-person-form .start=${this.start} .trees=${trees} @wf-changed=${this.#again}></wf-person-form>`;
    if (q.has("import")) return html`<wf-import .job=${q.get("import") ?? ""} @wf-changed=${this.#again}></wf-import>`;
    return nothing;
  }
}

/** A text that stays on one line. */
function whole(text: string): TemplateResult {
  return html`<span class="whole">${text}</span>`;
}

function personOf(id: string): string {
  const to = query();
  to.set("person", id);
  return `/app/people?${to}`;
}

function select(label: string, name: string, options: readonly (readonly [string, string])[]): TemplateResult {
  const value = query().get(name) ?? "";
  return html`<label>${label}
    <select @change=${(e: Event) => setQuery({ [name]: (e.target as HTMLSelectElement).value })}>
      ${options.map(([v, text]) => html`<option value=${v} .selected=${v === value}>${text}</option>`)}
    </select></label>`;
}

export function show(start: StartQuery): TemplateResult {
  return html`<wf-people .start=${start}></wf-people>`;
}
