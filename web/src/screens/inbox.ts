import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { repeat } from "lit/directives/repeat.js";
import { ask } from "../api/client.js";
import { serverNow } from "../api/clock.js";
import { closeDialog, closing, dialog } from "../parts/dialog.js";
import { draft, keepDraft } from "../parts/draft.js";
import { factList } from "../parts/facts.js";
import { Following } from "../parts/live.js";
import { Part, Reading } from "../parts/part.js";
import { dotAt, drawing, reach } from "../parts/site.js";
import { shown, words } from "../parts/states.js";
import { query, setQuery } from "../router.js";
import type { StartQuery } from "../shell.graphql.js";
import { texts } from "../texts/texts.js";
import {
  DecideCorrections,
  DecideDevices,
  DecideFaceResets,
  DecideLeaves,
  DecideOvertime,
  DecideShiftSwaps,
  DecideWeeks,
  Inbox as Document,
  InboxChanged,
  ReviewAttendances,
} from "./inbox.graphql.js";
import "./leave-context.js";
import { type Item, itemsOf, type Kind, keyOf, kinds } from "./inbox-items.js";

/** How many of each kind are shown at first, and at most. */
const few = 50;
const most = 200;
/** How many items of a kind one request decides about at most. */
const atOnce = 100;
/** How many items a question names. */
const mostNamed = 10;

/** How long rows that moved up are left alone by the pointer, in milliseconds: longer than a double click. */
const settling = 600;

/** What is to be decided of some items. */
interface Decision {
  readonly items: readonly Item[];
  readonly approve: boolean;
}

/** What became of one item: null where it was decided. */
interface Outcome {
  readonly item: Item;
  readonly code: string | null;
}

/** All that waits for the decision of who looks. */
@customElement("wf-inbox")
export class Inbox extends Part {
  @property() zone = "UTC";
  /** The id of who looks. */
  @property() me = "";

  @state() private asking: Decision | undefined;
  @state() private busy = false;
  @state() private outcome: readonly string[] = [];
  @state() private error: unknown;
  /** Whether the question was answered by yes. */
  #sure = false;
  /** When rows last moved up, as the timeStamp of an event. */
  #moved = Number.NEGATIVE_INFINITY;
  #asked = few;
  private readonly waits = new Reading(
    this,
    (signal) => ask(Document, this.wanted(), { signal }),
    () => `inbox ${this.first()}`,
  );
  private readonly changes = new Following(this, InboxChanged, () => void this.waits.again());

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("keydown", this.#key);
    addEventListener("wf-place", this.#place);
  }

  override disconnectedCallback(): void {
    removeEventListener("keydown", this.#key);
    removeEventListener("wf-place", this.#place);
    super.disconnectedCallback();
  }

  readonly #place = (): void => {
    this.requestUpdate(); // something else may be selected
    if (this.first() !== this.#asked) void this.waits.again();
  };

  /** How many of each kind the address asks for. */
  private first(): number {
    return Math.min(most, Math.max(few, Number.parseInt(query().get("shown") ?? "", 10) || few));
  }

  private wanted() {
    const now = new Date(serverNow());
    this.#asked = this.first();
    return { me: this.me, now: now.toISOString(), first: this.first() };
  }

  protected override render(): TemplateResult {
    const t = texts().inbox;
    return html`<div class="title">
        <h1 tabindex="-1">${t.heading}</h1>
        ${this.changes.mark()}
      </div>
      ${shown(this.waits, () => this.list())}
      ${this.asking ? this.question(this.asking) : nothing}`;
  }

  private items(): Item[] {
    return this.waits.value ? itemsOf(this.waits.value, this.zone, new Date(serverNow()).toISOString()) : [];
  }

  private list(): TemplateResult {
    const t = texts().inbox;
    const items = this.items();
    if (items.length === 0) return html`${this.told()}<div class="state"><p>${t.empty}</p><p>${t.emptyNext}</p></div>`;
    const picked = this.picked();
    return html`${this.tools(items)}
      ${kinds.map((kind) => {
        const own = items.filter((i) => i.kind === kind);
        if (own.length === 0) return nothing;
        return html`<h2>${t.kinds[kind]} <span class="number">${this.number(kind, own.length)}</span></h2>
          <ul class="items" aria-label=${t.kinds[kind]}>${repeat(own, keyOf, (item) => this.row(item, picked))}</ul>`;
      })}
      ${this.more(items)}`;
  }

  /** How many of a kind there are, and of how many where more wait than are shown. */
  private number(kind: Kind, shownHere: number): string {
    const all = this.waits.value?.inboxCount[kind] ?? 0;
    return kind !== "clockEvents" && all > shownHere ? texts().table.shown(shownHere, all) : String(shownHere);
  }

  /** Shows more of each kind, where more wait than are shown. */
  private more(items: readonly Item[]): TemplateResult | typeof nothing {
    const first = this.first();
    const full = kinds.some((kind) => items.filter((i) => i.kind === kind).length >= first);
    if (!full || first >= most) return nothing;
    return html`<p class="more"><button type="button" @click=${() => setQuery({ shown: String(2 * first) })}>${texts().table.more}</button></p>`;
  }

  private tools(items: readonly Item[]): TemplateResult {
    const t = texts().inbox;
    const picked = this.chosen(items);
    return html`<div class="decide">
      <label class="check"><input type="checkbox" .checked=${live(picked.length === items.length)}
        .indeterminate=${picked.length > 0 && picked.length < items.length} @change=${this.#all}> ${t.all}</label>
      <label class="note">${t.note}
        <input id="note" maxlength="250" placeholder=${t.noteHint} aria-describedby="note-hint" .value=${live(draft("inbox"))}
          @input=${(e: Event) => keepDraft("inbox", (e.target as HTMLInputElement).value)}></label>
      <span id="note-hint" class="hidden">${t.noteHint}</span>
      <span class="selected">${t.selected(picked.length)}</span>
      <button type="button" class="primary" ?disabled=${this.busy || picked.length === 0}
        @click=${() => this.decide(picked, true)}>${t.approve}</button>
      <button type="button" ?disabled=${this.busy || picked.length === 0}
        @click=${() => this.decide(picked, false)}>${t.reject}</button>
      ${this.told()}
    </div>`;
  }

  /** What became of the last decision. */
  private told(): TemplateResult {
    return html`<div role="status" class="outcome">${this.outcome.map((line) => html`<p>${line}</p>`)}</div>
      ${this.error === undefined ? nothing : html`<p class="fault" role="alert">${words(this.error)}</p>`}`;
  }

  private row(item: Item, picked: ReadonlySet<string>): TemplateResult {
    const t = texts().inbox;
    const key = keyOf(item);
    const name = `${item.person}, ${item.what}`;
    return html`<li aria-label=${item.person} data-key=${key}>
      <input type="checkbox" aria-label=${t.select(name)} .checked=${live(picked.has(key))}
        @change=${(e: Event) => this.pick(key, (e.target as HTMLInputElement).checked)}>
      <div>
        <p><strong>${item.day ? html`<a href=${item.day}>${item.person}</a>` : item.person}</strong> ${item.what}</p>
        ${factList(item.facts)}
        ${item.away === undefined ? nothing : distance(item.away)}
        ${item.leave === undefined ? nothing : html`<wf-leave-context .leave=${item.leave}></wf-leave-context>`}
      </div>
      <div class="actions">
        <button type="button" aria-label=${`${t.approve} ${name}`} ?disabled=${this.busy}
          @click=${(e: MouseEvent) => this.decideOne(e, item, true)}>${t.approve}</button>
        <button type="button" aria-label=${`${t.reject} ${name}`} ?disabled=${this.busy}
          @click=${(e: MouseEvent) => this.decideOne(e, item, false)}>${t.reject}</button>
      </div>
    </li>`;
  }

  /** Asks once before many are decided at once. */
  private question(asked: Decision): TemplateResult {
    const t = texts();
    const verb = asked.approve ? t.inbox.approve : t.inbox.reject;
    const named = asked.items.slice(0, mostNamed).map((i) => html`<li>${i.person}, ${i.what}</li>`);
    const note = draft("inbox").trim();
    const content = html`<ul>${named}${asked.items.length > mostNamed ? html`<li>…</li>` : nothing}</ul>
      ${note === "" ? nothing : html`<p>${t.inbox.note}: ${note}</p>`}
      <p>${t.inbox.confirmHint}</p>
      <div class="actions">
        <button type="button" class="primary" @click=${this.#answer}>${verb}</button>
        ${closing(t.dialog.cancel)}
      </div>`;
    return dialog(t.inbox.confirm(verb, asked.items.length), content, () => {
      const sure = this.#sure;
      this.#sure = false;
      this.asking = undefined;
      if (sure) void this.send(asked.items, asked.approve);
    });
  }

  readonly #answer = (event: Event): void => {
    this.#sure = true;
    closeDialog(event);
  };

  /** The keys of the selected items, which the address has. */
  private picked(): ReadonlySet<string> {
    return new Set(query().get("selected")?.split(" "));
  }

  private chosen(items: readonly Item[]): Item[] {
    const picked = this.picked();
    return items.filter((i) => picked.has(keyOf(i)));
  }

  private pick(key: string, on: boolean): void {
    const next = new Set(this.picked());
    if (on) next.add(key);
    else next.delete(key);
    setQuery({ selected: [...next].join(" ") });
  }

  readonly #all = (event: Event): void => {
    const on = (event.target as HTMLInputElement).checked;
    setQuery({ selected: on ? this.items().map(keyOf).join(" ") : "" });
  };

  /** Decides about one, unless its button has just moved below the pointer, to where another one was. */
  private decideOne(event: MouseEvent, item: Item, approve: boolean): void {
    if (event.detail > 0 && event.timeStamp - this.#moved < settling) return;
    void this.decide([item], approve);
  }

  private async decide(items: readonly Item[], approve: boolean): Promise<void> {
    if (this.busy || items.length === 0) return;
    if (items.length > 1) this.asking = { items, approve };
    else await this.send(items, approve);
  }

  /** Decides, kind by kind, and says what became of each. */
  private async send(items: readonly Item[], approve: boolean): Promise<void> {
    const note = draft("inbox").trim() || null;
    const at = this.rows().findIndex((row) => row.contains(document.activeElement));
    this.busy = true;
    this.error = undefined;
    this.outcome = [];
    const outcomes: Outcome[] = [];
    try {
      for (const kind of kinds) {
        const own = items.filter((i) => i.kind === kind);
        for (let i = 0; i < own.length; i += atOnce)
          outcomes.push(...(await decideAll(kind, own.slice(i, i + atOnce), approve, note)));
      }
      keepDraft("inbox", "");
      setQuery({ selected: "" });
    } catch (error) {
      this.error = error;
    }
    this.outcome = outcomesInWords(outcomes, approve);
    await this.waits.again();
    this.busy = false;
    this.#moved = new Event("moved").timeStamp;
    await this.updateComplete;
    if (document.activeElement !== document.body) return;
    const rows = this.rows(); // the one that was decided is gone: go on at the next one
    (rows[Math.min(at, rows.length - 1)]?.querySelector("input") ?? this.querySelector("h1"))?.focus();
  }

  private rows(): HTMLElement[] {
    return [...this.querySelectorAll<HTMLElement>("li[data-key]")];
  }

  readonly #key = (event: KeyboardEvent): void => {
    const typing =
      event.target instanceof HTMLElement && event.target.matches("input:not([type=checkbox]), textarea, select");
    if (typing || event.ctrlKey || event.metaKey || event.altKey || this.asking) return;
    const rows = this.rows();
    const at = rows.findIndex((row) => row.contains(document.activeElement));
    const items = this.items();
    const here = items.filter((i) => keyOf(i) === rows[at]?.dataset.key);
    const picked = this.chosen(items);
    const keys: Record<string, () => void> = {
      j: () => rows[Math.min(at + 1, rows.length - 1)]?.querySelector("input")?.focus(),
      k: () => rows[Math.max(at - 1, 0)]?.querySelector("input")?.focus(),
      a: () => void this.decide(picked.length > 0 ? picked : here, true),
      r: () => void this.decide(picked.length > 0 ? picked : here, false),
      n: () => this.querySelector<HTMLElement>("#note")?.focus(),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
}

/** Decides items of one kind in one request. */
async function decideAll(
  kind: Kind,
  items: readonly Item[],
  approve: boolean,
  note: string | null,
): Promise<Outcome[]> {
  if (kind === "overtime") {
    const asked = items.map((i) => ({ userId: i.id, date: i.date ?? "" }));
    const { decided } = await ask(DecideOvertime, { items: asked, approve, note });
    return items.map((item) => ({
      item,
      code: decided.find((d) => d.userId === item.id && d.date === item.date)?.code ?? null,
    }));
  }
  const verbs = {
    clockEvents: ReviewAttendances,
    corrections: DecideCorrections,
    leaves: DecideLeaves,
    weeks: DecideWeeks,
    swaps: DecideShiftSwaps,
    devices: DecideDevices,
    faceResets: DecideFaceResets,
  };
  const { decided } = await ask(verbs[kind], { ids: items.map((i) => i.id), approve, note });
  return items.map((item) => ({ item, code: decided.find((d) => d.id === item.id)?.code ?? null }));
}

/** What became of items, in words: how many were decided, and each that was not. */
function outcomesInWords(outcomes: readonly Outcome[], approve: boolean): string[] {
  const t = texts().inbox;
  const done = outcomes.filter((o) => o.code === null).length;
  const only = outcomes.length === 1 ? outcomes[0]?.item : undefined;
  const why = (code: string): string => (t.why as Record<string, string>)[code] ?? code;
  return [
    ...(done > 0
      ? [`${approve ? t.approved(done) : t.rejected(done)}${only ? ` ${only.person}, ${only.what}` : ""}`]
      : []),
    ...outcomes.flatMap((o) => (o.code === null ? [] : [t.refused(o.item.person, why(o.code))])),
  ];
}

/** How far from a site somebody was; in which direction is not known. */
function distance(away: NonNullable<Item["away"]>): TemplateResult {
  const edge = reach(away.radius, [away.distance]);
  const label = texts().clockEvents.drawn(away.distance, away.radius);
  return drawing(label, away.radius, [dotAt({ x: away.distance, y: 0 }, away.radius, edge)], edge);
}

export function show(start: StartQuery): TemplateResult {
  return html`<wf-inbox .zone=${start.company.timezone} .me=${start.viewer.id}></wf-inbox>`;
}
