import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import { dialog } from "../../parts/dialog.js";
import { Form, textOf, type Values } from "../../parts/form.js";
import { everyPage } from "../../parts/pages.js";
import { Part, Reading } from "../../parts/part.js";
import { shown } from "../../parts/states.js";
import { type Column, table } from "../../parts/table.js";
import { dateOf } from "../../parts/time.js";
import { texts } from "../../texts/texts.js";
import { tell } from "./outcome.js";
import { Assignments, EndAssignment, EndRotation, RotationsOf } from "./roster.graphql.js";
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

/** The assignments and rotations of the people that are selected, else of everybody, which end here. */
@customElement("wf-usual")
export class UsualPlansOf extends Part {
  @property({ attribute: false }) chosen: readonly Person[] = [];
  @state() private ending: Usual | undefined;
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
    const users = ids.length > 0 ? [{ idIn: ids }] : null;
    const [shifts, rotations] = await Promise.all([
      everyPage(async (after) => (await ask(Assignments, { users, after }, { signal })).shiftAssignments),
      everyPage(async (after) => (await ask(RotationsOf, { users, after }, { signal })).rotationAssignments),
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
      ${this.ending ? this.asked(this.ending) : nothing}`;
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
        label: t.end,
        text: () => "",
        cell: (u) =>
          html`<button type="button" aria-label=${t.endOf(u.what, u.name)} @click=${() => this.ask(u)}>${t.end}</button>`,
      },
    ];
  }

  private ask(usual: Usual): void {
    this.form = new Form(this, `end ${usual.id}`, (values, key) => this.send(usual, values, key));
    this.form.begin({ endsOn: usual.endsOn });
    this.ending = usual;
  }

  private asked(usual: Usual): TemplateResult {
    const t = rosterTexts();
    const fields = (): TemplateResult => html`${this.form?.text("endsOn", t.until, { type: "date", required: true })}`;
    return dialog(
      t.endOf(usual.what, usual.name),
      html`${this.form?.render(fields, t.end, texts().dialog.cancel)}`,
      () => {
        this.form?.reset();
        this.ending = undefined;
      },
    );
  }

  private async send(usual: Usual, values: Values, key: string): Promise<string> {
    const on = values.endsOn ?? "";
    const leaves = usual.rotates
      ? (await ask(EndRotation, { id: usual.id, on }, { key })).endRotation.concernedLeaves
      : (await ask(EndAssignment, { id: usual.id, on: textOf(on) }, { key })).updateShiftAssignment.concernedLeaves;
    const text = rosterTexts().ended(usual.what, usual.name, dateOf(on));
    this.querySelector("dialog")?.close();
    tell(this, { text, leaves });
    void this.plans.again();
    return text;
  }
}

function row(a: { id: string; startsOn: string; endsOn?: string | null; user: { name: string } }, what: string) {
  return { id: a.id, name: a.user.name, what, startsOn: a.startsOn, endsOn: a.endsOn ?? "" };
}

/** When an assignment repeats, in words. */
function repeats(a: { weekdays: readonly number[]; everyWeeks: number }): string {
  const t = rosterTexts();
  const days = a.weekdays.length === 7 ? t.everyDay : a.weekdays.map((n) => weekdayNames()[n - 1]).join(", ");
  return a.everyWeeks > 1 ? `${days}, ${t.inWeeks(a.everyWeeks)}` : days;
}
