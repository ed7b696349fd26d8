import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { ask } from "./api/client.js";
import { Find, type FindQuery, Team, type TeamQuery } from "./palette.graphql.js";
import { closeDialog, dialog } from "./parts/dialog.js";
import { Part, Reading } from "./parts/part.js";
import { words } from "./parts/states.js";
import { go, type Screen } from "./router.js";
import { texts } from "./texts/texts.js";

/** How long somebody has to pause before the server is asked, in milliseconds. */
const pause = 150;
/** How many are listed at most, of each kind. */
const most = { people: 8, tasks: 5, tickets: 5 };

interface Found {
  readonly name: string;
  /** What else it is found by. */
  readonly also?: readonly string[];
  readonly hint: string;
  readonly path: string;
}

/** Somebody whose day may be seen, with their address or, of the own team, where they are today. */
interface Named {
  readonly id: string;
  readonly name: string;
  readonly email?: string | null;
  readonly group?: TeamQuery["attendanceSummary"]["groups"][number]["name"];
}

/** What the server found, and the team, which is read once. */
interface Read extends FindQuery {
  readonly team?: readonly Named[];
}

/** Finds screens, people, tasks and tickets by a part of their name, and goes there. */
@customElement("wf-palette")
export class Palette extends Part {
  /** Those that the person may see. */
  @property({ attribute: false }) screens: readonly Screen[] = [];
  /** Whose days the person sees besides their own: people are found among these. */
  @property() people: "" | "team" | "all" = "";
  @state() private text = "";
  /** The place of what Enter goes to. */
  @state() private at = 0;
  #timer = 0;
  #team: Promise<readonly Named[]> | undefined;
  private readonly found = new Reading(this, (signal) => this.find(signal));

  override disconnectedCallback(): void {
    clearTimeout(this.#timer);
    super.disconnectedCallback();
  }

  /** What has the text in its name, by one request; of those who see their team alone, that is read besides, once. */
  private async find(signal: AbortSignal): Promise<Read> {
    if (this.people === "team") this.#team ??= this.readTeam();
    const asked = { people: this.people === "all", tasks: this.has("tasks"), tickets: this.has("tickets") };
    const search = plain(this.text);
    const finds = search !== "" && (asked.people || asked.tasks || asked.tickets);
    const [found, team] = await Promise.all([finds ? ask(Find, { search, ...asked }, { signal }) : {}, this.#team]);
    return { ...found, ...(team && { team }) };
  }

  private async readTeam(): Promise<readonly Named[]> {
    try {
      return teamOf(await ask(Team, {}));
    } catch (error) {
      this.#team = undefined; // the next text asks again
      throw error;
    }
  }

  /** What can be found, in words. */
  private kinds(): string {
    const t = texts();
    const kinds = [
      this.people === "" ? "" : t.palette.people,
      ...(["tasks", "tickets"] as const).map((name) => (this.has(name) ? t.screens[name] : "")),
      t.palette.screens,
    ];
    return kinds.filter(Boolean).join(", ");
  }

  /** Whether the person sees a screen. */
  private has(name: Screen["name"]): boolean {
    return this.screens.some((s) => s.name === name);
  }

  private list(): Found[] {
    const t = texts();
    const part = plain(this.text);
    const screens = this.screens.map((s) => ({
      name: t.screens[s.name],
      also: [s.name],
      hint: t.palette.screen,
      path: `/app/${s.name}`,
    }));
    if (part === "") return screens;
    const { team, employees, taskList, ticketList } = this.found.value ?? {};
    const people = [...(team ?? []), ...(employees?.nodes ?? [])].map((p: Named) => ({
      name: p.name,
      also: [p.email ?? ""],
      hint: p.group ? t.today[p.group] : (p.email ?? ""),
      path: `/app/today?person=${p.id}`,
    }));
    const tasks = (taskList?.nodes ?? []).map((n) => ({
      name: n.title,
      hint: t.palette.task,
      path: `/app/tasks?task=${n.id}`,
    }));
    const tickets = (ticketList?.nodes ?? []).map((n) => ({
      name: `#${n.number} ${n.subject}`,
      also: [String(n.number), n.subject],
      hint: t.palette.ticket,
      path: `/app/tickets?ticket=${n.id}`,
    }));
    const some = [
      ...best<Found>(people, part).slice(0, most.people),
      ...best<Found>(tasks, part).slice(0, most.tasks),
      ...best<Found>(tickets, part).slice(0, most.tickets),
    ];
    return best<Found>([...screens, ...some], part);
  }

  protected override render(): TemplateResult {
    const t = texts().palette;
    const list = this.list();
    const at = Math.min(this.at, list.length - 1);
    const content = html`<input role="combobox" aria-expanded="true" aria-controls="found" aria-label=${t.search}
        aria-activedescendant=${at >= 0 ? `found-${at}` : nothing} autocomplete="off" autofocus maxlength="100"
        placeholder=${this.kinds()} @input=${this.#typed} @keydown=${this.#key}>
      <ul id="found" role="listbox" class="found" aria-label=${t.results}>${list.map(
        (f, i) => html`<li id="found-${i}" role="option" aria-selected=${i === at}
          @click=${(e: Event) => this.#go(e, f)}>${f.name} <span class="hint">${f.hint}</span></li>`,
      )}</ul>
      <p role="status" class="hint">${this.found.busy || list.length > 0 ? "" : t.none}</p>
      ${this.found.error === undefined ? nothing : html`<p class="fault" role="alert">${words(this.found.error)}</p>`}`;
    return dialog(t.search, content, () => this.dispatchEvent(new Event("wf-closed")));
  }

  readonly #typed = (event: Event): void => {
    this.text = (event.target as HTMLInputElement).value;
    this.at = 0;
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.found.again(), pause);
  };

  readonly #key = (event: KeyboardEvent): void => {
    const list = this.list();
    const at = Math.min(this.at, list.length - 1);
    const found = list[at];
    if (event.key === "ArrowDown") this.at = Math.min(at + 1, list.length - 1);
    else if (event.key === "ArrowUp") this.at = Math.max(at - 1, 0);
    else if (event.key === "Enter" && found && !event.isComposing) this.#go(event, found);
    else return;
    event.preventDefault();
  };

  readonly #go = (event: Event, found: Found): void => {
    closeDialog(event);
    go(found.path);
  };
}

/** A text by which something is found: without case, accents and the sign before a number. */
export function plain(text: string): string {
  const letters = text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();
  return letters.replace(/^#(?=[0-9])/, "");
}

/** How well a text has a part, both plain: 0 is the same, 3 has each of its words somewhere, 4 has them not. */
function rank(text: string, part: string): number {
  if (text === part) return 0;
  if (text.startsWith(part)) return 1;
  const wanted = part.split(/\s+/);
  const words = text.split(/\s+/);
  if (wanted.every((w) => words.some((word) => word.startsWith(w)))) return 2;
  return wanted.every((w) => text.includes(w)) ? 3 : 4;
}

/** Those that have a plain text in their name, the best first. */
export function best<Of extends Pick<Found, "name" | "also">>(list: readonly Of[], part: string): Of[] {
  const of = (f: Of): number => Math.min(...[f.name, ...(f.also ?? [])].map((text) => rank(plain(text), part)));
  return list
    .map((f) => [of(f), f] as const)
    .filter(([fits]) => fits < 4)
    .sort(([one], [other]) => one - other)
    .map(([, f]) => f);
}

/** Everybody of a team once, by name. */
function teamOf(read: TeamQuery): Named[] {
  const people = read.attendanceSummary.groups.flatMap((g) =>
    g.people.map((p) => [p.userId, { id: p.userId, name: p.name, group: g.name }] as const),
  );
  return [...new Map(people).values()].sort((a, b) => a.name.localeCompare(b.name));
}
