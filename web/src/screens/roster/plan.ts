import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import { serverNow } from "../../api/clock.js";
import { Fault } from "../../api/fault.js";
import { closing, dialog } from "../../parts/dialog.js";
import { factList, said } from "../../parts/facts.js";
import { Form, type Values } from "../../parts/form.js";
import { nodes } from "../../parts/nodes.js";
import { Part, Reading } from "../../parts/part.js";
import { loading, shown } from "../../parts/states.js";
import { dateOf, day } from "../../parts/time.js";
import { setQuery } from "../../router.js";
import { texts } from "../../texts/texts.js";
import { tell } from "./outcome.js";
import { PlanDay, PlannedByHand } from "./roster.graphql.js";
import "./swap.js";
import { rosterTexts } from "./texts.js";
import {
  type Cell,
  cellsOf,
  holidayWords,
  leaveWords,
  type Pattern,
  type Person,
  swappable,
  timesOf,
  toneOf,
} from "./week.js";

/** The ids that a plan of one date stands for: none is a day off, null the usual plan; undefined where none was chosen. */
export function shiftsOf(values: Values): string[] | null | undefined {
  const { choice = "", several = "" } = values;
  if (choice === "usual") return null;
  if (choice === "off") return [];
  if (choice === "several") return several === "" ? undefined : several.split(" ");
  return choice === "" ? undefined : [choice];
}

/** A person's date, as a dialog: what is planned, and what shall be. */
@customElement("wf-plan")
export class Plan extends Part {
  @property({ attribute: false }) person!: Person;
  @property() date = "";
  @property({ attribute: false }) patterns: readonly Pattern[] | undefined;
  /** Everybody who is shown, with whom shifts can be swapped. */
  @property({ attribute: false }) people: readonly Person[] = [];
  /** Whether who looks plans; else they ask for a swap of their own. */
  @property({ type: Boolean }) plans = false;
  /** Whether it is the caller's own day. */
  @property({ type: Boolean }) own = false;
  /** Whether a date may have several shifts. */
  @property({ type: Boolean }) several = false;
  @property({ attribute: false }) zoneOf: (shiftId: string) => string = () => "UTC";
  /** What is planned for the date alone, as it was when the dialog was opened: ids of shifts; null is the usual plan. */
  private readonly byHand = new Reading(this, async (signal) => {
    const read = await ask(PlannedByHand, { user: this.person.userId, date: this.date }, { signal });
    return { shifts: nodes(read.plannedDays)[0]?.shifts.map((s) => s.id) ?? null };
  });
  private form: Form | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.form = new Form(this, `plan ${this.person.userId} ${this.date}`, (values, key) => this.send(values, key));
    this.form.says("shiftIds", (value) => this.named(value as string[] | null));
    this.addEventListener("wf-taken", this.#taken);
  }

  override disconnectedCallback(): void {
    this.removeEventListener("wf-taken", this.#taken);
    super.disconnectedCallback();
  }

  /** Somebody else's plan stays: it is shown. */
  readonly #taken = (): void => {
    void this.byHand.again();
    tell(this, { text: "" });
  };

  private cell(): Cell {
    return cellsOf(this.person, [this.date])[0] as Cell;
  }

  /** What a plan is called. */
  private named(ids: readonly string[] | null): string {
    const t = rosterTexts();
    if (ids === null) return t.usual;
    return ids.length === 0
      ? t.dayOff
      : ids.map((id) => this.patterns?.find((p) => p.id === id)?.name ?? id).join(", ");
  }

  private async send(values: Values, key: string): Promise<string> {
    const t = rosterTexts();
    const ids = shiftsOf(values);
    if (ids === undefined)
      throw new Fault(t.chooseOne, {
        code: "VALIDATION_FAILED",
        errors: [{ field: "shiftIds", code: "REQUIRED", detail: t.chooseOne }],
      });
    const expected = this.byHand.value?.shifts;
    const input = {
      userId: this.person.userId,
      date: this.date,
      shiftIds: ids,
      // Whoever saw what somebody else planned meanwhile, and saves theirs, expects nothing any more.
      ...(values.version === undefined && expected !== undefined && { expectedShiftIds: expected }),
    };
    const { planDay } = await ask(PlanDay, { input }, { key });
    const text = t.wasPlanned(this.person.name, dateOf(this.date), this.named(ids));
    this.querySelector("dialog")?.close();
    tell(this, { text, leaves: planDay?.concernedLeaves ?? [] });
    return text;
  }

  protected override render(): TemplateResult {
    const t = rosterTexts();
    const heading = this.plans ? t.plan : this.swaps().length > 0 ? t.swapHeading : t.dayHeading;
    return dialog(
      heading,
      html`<p><strong>${this.person.name}</strong> · ${day(this.date)}</p>
        ${this.now()}
        ${this.plans ? this.planning() : nothing}
        ${this.swapping()}
        ${this.plans || this.swaps().length > 0 ? nothing : html`<div class="actions">${closing()}</div>`}`,
      () => {
        this.form?.reset();
        setQuery({ person: "", on: "" });
      },
    );
  }

  /** What the date has now. */
  private now(): TemplateResult {
    const t = rosterTexts();
    const cell = this.cell();
    const shifts = cell.shifts.map((s) =>
      [
        `${s.name} ${timesOf(s, this.zoneOf(s.shiftId))}`,
        t.origins[s.origin],
        ...s.clashes.map((c) => t.clashes[c]),
      ].join(", "),
    );
    const hand = this.byHand.value?.shifts;
    return factList(
      said([
        [t.planned, shifts.join("; ") || (hand?.length === 0 ? t.dayOff : t.nothing)],
        [t.leave, cell.leaves.map(leaveWords).join("; ")],
        [t.holiday, cell.holiday ? holidayWords(cell.holiday) : ""],
      ]),
    );
  }

  private planning(): TemplateResult {
    const t = rosterTexts();
    const { form, patterns } = this;
    if (!form) return html``;
    if (!patterns) return loading();
    if (patterns.length === 0) return html`<p>${t.noShifts} <a href="/app/shifts">${t.toShifts}</a></p>`;
    return shown(this.byHand, () => form.render(() => this.choices(form, patterns), t.plan, texts().dialog.cancel));
  }

  private choices(form: Form, patterns: readonly Pattern[]): TemplateResult {
    const t = rosterTexts();
    const option = (
      value: string,
      label: string,
      hint = "",
      tone = "",
    ): TemplateResult => html`<label class="check option">
      <input type="radio" name=${form.id("choice")} value=${value} .checked=${form.value("choice") === value}
        @change=${() => form.set("choice", value)}>
      <span class="swatch" aria-hidden="true" .style=${tone && `--tone: ${tone}`}></span>
      <span>${label} <span class="hint">${hint}</span></span></label>`;
    return form.around(
      "shiftIds",
      t.shift,
      html`<fieldset aria-describedby="${form.id("shiftIds")}-fault"><legend>${t.shift}</legend>
        ${patterns.map((p) => option(p.id, p.name, `${p.startTime}–${p.endTime}`, toneOf(p)))}
        ${option("off", t.dayOff)}
        ${option("usual", t.usual, t.usualHint)}
        ${this.several && patterns.length > 1 ? option("several", t.several) : nothing}
        ${form.value("choice") === "several" ? this.many(form, patterns) : nothing}</fieldset>`,
    );
  }

  /** The shifts of a date with several. */
  private many(form: Form, patterns: readonly Pattern[]): TemplateResult {
    const chosen = form.value("several").split(" ").filter(Boolean);
    const toggle = (id: string, on: boolean): void =>
      form.set("several", (on ? [...chosen, id] : chosen.filter((c) => c !== id)).join(" "));
    return html`<div role="group" class="within" aria-label=${rosterTexts().several}>${patterns.map(
      (p) => html`<label class="check"><input type="checkbox" .checked=${chosen.includes(p.id)}
        @change=${(e: Event) => toggle(p.id, (e.target as HTMLInputElement).checked)}>
        <span>${p.name} <span class="hint">${p.startTime}–${p.endTime}</span></span></label>`,
    )}</div>`;
  }

  private swaps() {
    return this.plans || this.own ? swappable([{ ...this.person, shifts: this.cell().shifts }], serverNow()) : [];
  }

  private swapping(): TemplateResult | typeof nothing {
    const own = this.swaps();
    const later = this.own && this.cell().shifts.some((s) => !s.employeeShiftId && Date.parse(s.startAt) > serverNow());
    if (own.length === 0 && later) return html`<p class="hint">${rosterTexts().notYet}</p>`;
    if (own.length === 0 || !this.patterns) return nothing;
    const others = this.people.filter((p) => p.userId !== this.person.userId);
    const part = html`<wf-swap .mine=${own} .others=${others} .patterns=${this.patterns} .asks=${!this.plans}
      .zoneOf=${this.zoneOf}></wf-swap>`;
    return this.plans ? html`<details><summary>${rosterTexts().swapHeading}</summary>${part}</details>` : part;
  }
}
