import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import { Act } from "../../parts/act.js";
import { dialog, question } from "../../parts/dialog.js";
import { Form, textOf, type Values } from "../../parts/form.js";
import { everyPage } from "../../parts/pages.js";
import { Part, Reading } from "../../parts/part.js";
import { shown } from "../../parts/states.js";
import { type Column, table } from "../../parts/table.js";
import { dateOf } from "../../parts/time.js";
import { texts } from "../../texts/texts.js";
import { type Outcome, tell } from "./outcome.js";
import {
  Assignments,
  DeleteAssignment,
  EndAssignment,
  EndRotation,
  RotationsOf,
  SplitAssignment,
} from "./roster.graphql.js";
import { rosterTexts } from "./texts.js";
import { type Person, weekdayNames } from "./week.js";

/** An assignment or a rotation of somebody. */
interface Usual {
  readonly id: string;
  readonly rotates: boolean;
  readonly name: string;
  readonly what: string;
  readonly startsOn: string;
  readonly endsOn: string;
  readonly when: string;
}

/** What is done to one. */
type How = "end" | "split" | "delete";

/** The assignments and rotations of the people that are selected, else of everybody, which end here; assignments are split and deleted too. */
@customElement("wf-usual")
export class UsualPlansOf extends Part {
  @property({ attribute: false }) chosen: readonly Person[] = [];
  /** What is asked about before it is done, and which. */
  @state() private asking: { readonly how: How; readonly usual: Usual } | undefined;
  readonly #act = new Act(this);
  private form: Form | undefined;
  private readonly plans = new Reading(this, (signal) => this.read(signal));
  #of = "";

  protected override willUpdate(): void {
    const of = this.chosen.map((p) => p.userId).join(" ");
    if (this.hasUpdated && of !== this.#of) void this.plans.again();
    this.#of = of;
  }

  private async read(signal: AbortSignal): Promise<readonly Usual[]> {
    const ids = this.chosen.map((p) => p.userId);
    const where = ids.length > 0 ? { hasUserWith: [{ idIn: ids }] } : null;
    const [shifts, rotations] = await Promise.all([
      everyPage(async (after) => (await ask(Assignments, { where, after }, { signal })).shiftAssignments),
      everyPage(async (after) => (await ask(RotationsOf, { where, after }, { signal })).rotationAssignments),
    ]);
    return [
      ...shifts.map((a) => ({ ...row(a, a.shift.name), rotates: false, when: repeats(a) })),
      ...rotations.map((a) => ({ ...row(a, a.rotation.name), rotates: true, when: "" })),
    ].sort((a, b) => a.name.localeCompare(b.name) || b.startsOn.localeCompare(a.startsOn));
  }

  protected override render(): TemplateResult {
    const t = rosterTexts();
    return html`<p class="hint">${this.chosen.length > 0 ? t.ofSelected : t.ofAll}</p>
      ${shown(this.plans, (list) => (list.length === 0 ? html`<p>${t.noPlans}</p>` : table(t.plans, this.columns(), list)))}
      ${this.#act.told()}
      ${this.asking ? this.asked(this.asking.how, this.asking.usual) : nothing}`;
  }

  private columns(): Column<Usual>[] {
    const t = rosterTexts();
    return [
      { name: "usual", label: t.person, text: (u) => u.name },
      { name: "what", label: t.what, text: (u) => u.what },
      { name: "from", label: t.from, text: (u) => u.startsOn },
      { name: "until", label: t.until, text: (u) => u.endsOn },
      { name: "when", label: t.repeats, text: (u) => u.when },
      {
        name: "end",
        label: t.change,
        text: () => "",
        cell: (u) => html`<span class="actions">
          ${this.verb(u, "end", t.end, t.endOf)}
          ${u.rotates ? nothing : this.verb(u, "split", t.split, t.splitOf)}
          ${u.rotates ? nothing : this.verb(u, "delete", texts().form.delete, t.deleteOf)}</span>`,
      },
    ];
  }

  private verb(usual: Usual, how: How, verb: string, named: (what: string, name: string) => string): TemplateResult {
    return html`<button type="button" aria-label=${named(usual.what, usual.name)} @click=${() => this.ask(usual, how)}>${verb}</button>`;
  }

  private ask(usual: Usual, how: How): void {
    this.#act.clear();
    this.asking = { how, usual };
    if (how === "delete") return;
    this.form = new Form(this, `${how} ${usual.id}`, (values, key) =>
      how === "end" ? this.end(usual, values, key) : this.split(usual, values, key),
    );
    if (how === "end") this.form.begin({ endsOn: usual.endsOn });
  }

  private asked(how: How, usual: Usual): TemplateResult {
    const t = rosterTexts();
    const of = [usual.what, usual.name] as const;
    if (how === "delete")
      return question(
        `${t.deleteOf(...of)}?`,
        html`<p>${span(usual)}</p><p>${t.deleteHint}</p>`,
        texts().form.delete,
        (yes) => this.erase(usual, yes),
      );
    const ends = how === "end";
    const look = { type: "date", required: true } as const;
    const fields = (): TemplateResult =>
      html`${ends ? this.form?.text("endsOn", t.until, look) : this.form?.text("date", t.splitFrom, { ...look, hint: t.splitHint })}`;
    return dialog(
      ends ? t.endOf(...of) : t.splitOf(...of),
      html`${this.form?.render(fields, ends ? t.end : t.split, texts().dialog.cancel)}`,
      () => {
        this.form?.reset();
        this.asking = undefined;
      },
    );
  }

  private async end(usual: Usual, values: Values, key: string): Promise<string> {
    const on = values.endsOn ?? "";
    const leaves = usual.rotates
      ? (await ask(EndRotation, { id: usual.id, on }, { key })).endRotation.concernedLeaves
      : (await ask(EndAssignment, { id: usual.id, on: textOf(on) }, { key })).updateShiftAssignment.concernedLeaves;
    return this.done(rosterTexts().ended(usual.what, usual.name, dateOf(on)), leaves);
  }

  private async split(usual: Usual, values: Values, key: string): Promise<string> {
    const date = values.date ?? "";
    const { splitShiftAssignment } = await ask(SplitAssignment, { id: usual.id, date }, { key });
    const text = rosterTexts().wasSplit(usual.what, usual.name, dateOf(date));
    return this.done(text, splitShiftAssignment.concernedLeaves);
  }

  private async erase(usual: Usual, yes: boolean): Promise<void> {
    this.asking = undefined;
    if (!yes) return;
    await this.#act.run(async (key) => {
      const { deleteShiftAssignment } = await ask(DeleteAssignment, { id: usual.id }, { key });
      this.done(rosterTexts().wasDeleted(usual.what, usual.name), deleteShiftAssignment.concernedLeaves);
      return ""; // the roster tells it
    }, `delete ${usual.id}`);
  }

  private done(text: string, leaves: Outcome["leaves"] = []): string {
    this.querySelector("dialog")?.close();
    tell(this, { text, leaves });
    void this.again();
    return text;
  }

  /** Reads them anew; the focus goes to the first where its own is there no more. */
  private async again(): Promise<void> {
    await this.plans.again();
    await this.updateComplete;
    if (document.activeElement === document.body) this.querySelector<HTMLElement>("td button")?.focus();
  }
}

function row(a: { id: string; startsOn: string; endsOn?: string | null; user: { name: string } }, what: string) {
  return { id: a.id, name: a.user.name, what, startsOn: a.startsOn, endsOn: a.endsOn ?? "" };
}

/** The first and the last day of one, in words. */
function span({ startsOn, endsOn }: Usual): string {
  const t = rosterTexts();
  const first = `${t.from}: ${dateOf(startsOn)}`;
  return endsOn === "" ? first : `${first} · ${t.until}: ${dateOf(endsOn)}`;
}

/** When an assignment repeats, in words. */
function repeats(a: { weekdays: readonly number[]; everyWeeks: number }): string {
  const t = rosterTexts();
  const days = a.weekdays.length === 7 ? t.everyDay : a.weekdays.map((n) => weekdayNames()[n - 1]).join(", ");
  return a.everyWeeks > 1 ? `${days}, ${t.inWeeks(a.everyWeeks)}` : days;
}
