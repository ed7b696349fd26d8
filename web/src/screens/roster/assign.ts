import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import { Fault } from "../../api/fault.js";
import { question } from "../../parts/dialog.js";
import { Form, numberOf, textOf, type Values } from "../../parts/form.js";
import type { NodeOf } from "../../parts/nodes.js";
import { everyPage } from "../../parts/pages.js";
import { Part, Reading } from "../../parts/part.js";
import { loading, shown } from "../../parts/states.js";
import { texts } from "../../texts/texts.js";
import { tell } from "./outcome.js";
import { AssignRotation, AssignShift, AssignShifts, Rotations, type RotationsQuery } from "./roster.graphql.js";
import { rosterTexts } from "./texts.js";
import { type Pattern, type Person, weekdayNames } from "./week.js";

type Rotation = NodeOf<RotationsQuery["rotations"]>;

/** How many names are said of those who are selected. */
const few = 5;

/** The names of some people, in words. */
export function namesOf(people: readonly Person[]): string {
  const names = people.slice(0, few).map((p) => p.name);
  return rosterTexts().chosen(names, people.length - names.length);
}

/** When something holds, as a form has it. */
function period(values: Values) {
  return { startsOn: values.startsOn ?? "", endsOn: textOf(values.endsOn) };
}

function shiftPlan(values: Values) {
  return {
    ...period(values),
    shiftId: values.shiftId ?? "",
    weekdays: values.weekdays ? values.weekdays.split(" ").map(Number) : null,
    everyWeeks: numberOf(values.everyWeeks),
  };
}

function rotationPlan(values: Values) {
  return { ...period(values), rotationId: values.rotationId ?? "", firstDay: numberOf(values.firstDay) };
}

/** Gives the people that are selected a shift, or a rotation, from a date on. */
@customElement("wf-assign")
export class Assign extends Part {
  @property({ attribute: false }) chosen: readonly Person[] = [];
  @property({ attribute: false }) patterns: readonly Pattern[] | undefined;
  /** Whether it is a rotation. */
  @property({ type: Boolean }) rotates = false;
  /** The first date that is proposed. */
  @property() from = "";
  @state() private asking = false;
  private readonly rotations = new Reading(this, async (signal) =>
    this.rotates ? everyPage(async (after) => (await ask(Rotations, { after }, { signal })).rotations) : [],
  );
  private form: Form | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    const name = this.rotates ? "assign rotation" : "assign";
    this.form = new Form(this, name, (values, key) => this.send(values, key));
    this.form.begin({ startsOn: this.from, everyWeeks: "1", firstDay: "1" });
  }

  private what(values: Values): string {
    const list: readonly { id: string; name: string }[] = this.rotates
      ? (this.rotations.value ?? [])
      : (this.patterns ?? []);
    return list.find((p) => p.id === (this.rotates ? values.rotationId : values.shiftId))?.name ?? "";
  }

  private async send(values: Values, key: string): Promise<string> {
    const t = rosterTexts();
    const needed = this.rotates ? "rotationId" : "shiftId";
    const errors = [
      ...(this.chosen.length === 0 ? [{ field: "userIds", code: "REQUIRED", detail: t.whomNone }] : []),
      ...(values[needed] ? [] : [{ field: needed, code: "REQUIRED", detail: t.chooseOne }]),
    ];
    if (errors[0]) throw new Fault(errors[0].detail, { code: "VALIDATION_FAILED", errors });
    const text = t.assigned(this.what(values), 1);
    const [only] = this.chosen;
    if (only && this.chosen.length === 1 && !this.rotates) {
      const { assignShift } = await ask(AssignShift, { input: { userId: only.userId, ...shiftPlan(values) } }, { key });
      tell(this, { text, leaves: assignShift.concernedLeaves });
      return text;
    }
    const userIds = this.chosen.map((p) => p.userId);
    const { assigned } = this.rotates
      ? await ask(AssignRotation, { input: { userIds, ...rotationPlan(values) } }, { key })
      : await ask(AssignShifts, { input: { userIds, ...shiftPlan(values) } }, { key });
    const refused = assigned.filter((a) => a.code != null);
    const leaves = assigned.flatMap((a) => a.concernedLeaves);
    tell(this, { text: t.assigned(this.what(values), assigned.length - refused.length), leaves, refused });
    return text;
  }

  /** Asks first where it is for several. */
  readonly #before = {
    capture: true,
    handleEvent: (event: Event): void => {
      if (this.chosen.length < 2 || this.what(this.form?.values ?? {}) === "") return;
      event.preventDefault();
      event.stopPropagation();
      if (!this.form?.busy) this.asking = true;
    },
  };

  protected override render(): TemplateResult {
    const t = rosterTexts();
    const { form } = this;
    if (!form) return html``;
    const answered = (yes: boolean): void => {
      this.asking = false;
      if (yes) void form.submit();
    };
    return html`<div @submit=${this.#before}>${this.fields(form)}</div>
      ${
        this.asking
          ? question(
              t.assignMany(this.what(form.values), this.chosen.length),
              html`<p>${namesOf(this.chosen)}</p><p class="hint">${t.assignHint}</p>`,
              t.assignVerb,
              answered,
            )
          : nothing
      }`;
  }

  private fields(form: Form): TemplateResult {
    const t = rosterTexts();
    if (!this.rotates && !this.patterns) return loading();
    if (this.patterns?.length === 0) return html`<p>${t.noShifts} <a href="/app/shifts">${t.toShifts}</a></p>`;
    const whom = (): TemplateResult =>
      form.around(
        "userIds",
        t.whom,
        html`<p>${t.whom}: ${this.chosen.length === 0 ? t.whomNone : namesOf(this.chosen)}</p>`,
      );
    if (!this.rotates) return form.render(() => html`${whom()}${this.shift(form)}`, t.assignVerb);
    return shown(this.rotations, (list) =>
      list.length === 0
        ? html`<p>${t.noRotations} <a href="/app/shifts">${texts().screens.shifts}</a></p>`
        : form.render(() => html`${whom()}${this.rotation(form, list)}`, t.assignVerb),
    );
  }

  private days(form: Form): TemplateResult {
    const t = rosterTexts();
    return html`<div class="fields">${form.text("startsOn", t.from, { type: "date", required: true })}
      ${form.text("endsOn", t.until, { type: "date", hint: t.untilHint })}</div>`;
  }

  private shift(form: Form): TemplateResult {
    const t = rosterTexts();
    const options = (this.patterns ?? []).map((p) => [p.id, `${p.name} ${p.startTime}–${p.endTime}`] as const);
    const chosen = new Set(form.value("weekdays").split(" ").filter(Boolean));
    const toggle = (n: string, on: boolean): void => {
      if (on) chosen.add(n);
      else chosen.delete(n);
      form.set("weekdays", [...chosen].sort().join(" "));
    };
    return html`${form.choice("shiftId", t.shift, [["", ""], ...options], { required: true })}${this.days(form)}
      ${form.around(
        "weekdays",
        t.weekdays,
        html`<fieldset><legend>${t.weekdays}</legend><div class="chips">${weekdayNames().map(
          (name, i) => html`<label class="check"><input type="checkbox" .checked=${chosen.has(String(i + 1))}
            @change=${(e: Event) => toggle(String(i + 1), (e.target as HTMLInputElement).checked)}>${name}</label>`,
        )}</div></fieldset>`,
        { hint: t.weekdaysHint },
      )}
      ${form.text("everyWeeks", t.everyWeeks, { type: "number", hint: t.everyWeeksHint })}`;
  }

  private rotation(form: Form, list: readonly Rotation[]): TemplateResult {
    const t = rosterTexts();
    const days = list.find((r) => r.id === form.value("rotationId"))?.days ?? [];
    const nth = days.map((d, i) => [String(i + 1), t.nth(i + 1, d?.name ?? t.dayOff)] as const);
    return html`${form.choice("rotationId", t.rotation, [["", ""], ...list.map((r) => [r.id, r.name] as const)], { required: true })}
      ${this.days(form)}${nth.length > 0 ? form.choice("firstDay", t.firstDay, nth) : nothing}`;
  }
}
