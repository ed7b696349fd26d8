import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { ask } from "./api/client.js";
import { FindPeople, Team, type TeamQuery } from "./palette.graphql.js";
import { closeDialog, dialog } from "./parts/dialog.js";
import { Part, Reading } from "./parts/part.js";
import { words } from "./parts/states.js";
import { go, type Screen } from "./router.js";
import { texts } from "./texts/texts.js";

/** How long somebody has to pause before the server is asked, in milliseconds. */
const pause = 150;
/** How many people are listed at most. */
const most = 8;

interface Found {
  readonly name: string;
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

/** Finds screens and people by a part of their name, and goes there. */
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
  private readonly found = new Reading(this, (signal) => this.find(signal));

  override disconnectedCallback(): void {
    clearTimeout(this.#timer);
    super.disconnectedCallback();
  }

  /** Those of everybody whose name or address has the text, or all of the team, which is read once. */
  private async find(signal: AbortSignal): Promise<Named[]> {
    const search = this.text.trim();
    if (this.people === "team") return this.found.value ?? teamOf(await ask(Team, {}, { signal }));
    if (search === "" || this.people === "") return [];
    return (await ask(FindPeople, { search }, { signal })).employees.nodes;
  }

  private list(): Found[] {
    const t = texts();
    const part = this.text.trim().toLocaleLowerCase();
    const has = (text: string): boolean => text.toLocaleLowerCase().includes(part);
    const screens = this.screens
      .map((s) => ({ name: t.screens[s.name], hint: t.palette.screen, path: `/app/${s.name}` }))
      .filter((s) => has(s.name));
    const people = (part === "" ? [] : (this.found.value ?? []))
      .filter((p) => has(p.name) || has(p.email ?? ""))
      .map((p) => ({
        name: p.name,
        hint: p.group ? t.today[p.group] : (p.email ?? ""),
        path: `/app/today?person=${p.id}`,
      }));
    return best([...screens, ...best(people, part).slice(0, most)], part);
  }

  protected override render(): TemplateResult {
    const t = texts().palette;
    const list = this.list();
    const at = Math.min(this.at, list.length - 1);
    const content = html`<input role="combobox" aria-expanded="true" aria-controls="found" aria-label=${t.search}
        aria-activedescendant=${at >= 0 ? `found-${at}` : nothing} autocomplete="off" autofocus
        placeholder=${this.people === "" ? t.screens : t.placeholder} @input=${this.#typed} @keydown=${this.#key}>
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
    if (this.people === "team" && this.found.error === undefined) return; // it is read already
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

/** Puts names that begin with a text, in small letters, first. */
export function best<Of extends { readonly name: string }>(list: readonly Of[], part: string): Of[] {
  const after = (f: Of): number => (f.name.toLocaleLowerCase().startsWith(part) ? 0 : 1);
  return [...list].sort((a, b) => after(a) - after(b));
}

/** Everybody of a team once, by name. */
function teamOf(read: TeamQuery): Named[] {
  const people = read.attendanceSummary.groups.flatMap((g) =>
    g.people.map((p) => [p.userId, { id: p.userId, name: p.name, group: g.name }] as const),
  );
  return [...new Map(people).values()].sort((a, b) => a.name.localeCompare(b.name));
}
