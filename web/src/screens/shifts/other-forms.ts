import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import { Fault } from "../../api/fault.js";
import type { ConcernedFragment } from "../../parts/concerned.graphql.js";
import { Form, numberOf, type Values } from "../../parts/form.js";
import type { NodeOf } from "../../parts/nodes.js";
import { Part, Reading } from "../../parts/part.js";
import { people } from "../../parts/people.js";
import "../../parts/pick.js";
import type { Option, Pick } from "../../parts/pick.js";
import { shown } from "../../parts/states.js";
import { texts } from "../../texts/texts.js";
import { changedOf, daysOf, daysText } from "./fields.js";
import {
  CreateLeaveType,
  CreateRotation,
  Groups,
  type LeaveTypeListQuery,
  type RotationListQuery,
  SetFallbackShift,
  type ShiftListQuery,
  UpdateLeaveType,
  UpdateRotation,
} from "./shifts.graphql.js";
import { shiftsTexts } from "./texts.js";

export type Listed = NodeOf<ShiftListQuery["shifts"]>;
export type Rotation = NodeOf<RotationListQuery["rotations"]>;
export type LeaveType = NodeOf<LeaveTypeListQuery["leaveTypes"]>;

/** What was saved, in words, and the leave that it concerns. */
export interface Saved {
  readonly text: string;
  readonly leaves?: readonly ConcernedFragment[];
}

function saved(from: Element, detail: Saved): string {
  from.dispatchEvent(new CustomEvent<Saved>("wf-saved", { detail, bubbles: true }));
  return detail.text;
}

/** How many days a rotation may have. */
const mostDays = 56;

/** The form of a rotation. */
@customElement("wf-rotation")
export class RotationForm extends Part {
  /** Undefined makes one. */
  @property({ attribute: false }) rotation: Rotation | undefined;
  @property({ attribute: false }) shifts: readonly Listed[] = [];
  private form: Form | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.form = new Form(this, `rotation ${this.rotation?.id ?? "new"}`, (values, key) => this.send(values, key));
    this.form.begin({ name: this.rotation?.name ?? "", days: daysText(this.rotation?.days ?? [null]) });
  }

  private async send(values: Values, key: string): Promise<string> {
    const input = { name: values.name ?? "", days: daysOf(values.days ?? "") };
    const text = shiftsTexts().saved(input.name);
    if (!this.rotation) {
      await ask(CreateRotation, { input }, { key });
      return saved(this, { text });
    }
    const { updateRotation } = await ask(UpdateRotation, { id: this.rotation.id, input }, { key });
    return saved(this, { text, leaves: updateRotation.concernedLeaves });
  }

  protected override render(): TemplateResult {
    const { form } = this;
    if (!form) return html``;
    const fields = (): TemplateResult =>
      html`${form.text("name", shiftsTexts().name, { required: true, most: 100 })}${this.days(form)}`;
    return form.render(fields, texts().form.save, texts().dialog.cancel);
  }

  private days(form: Form): TemplateResult {
    const t = shiftsTexts().rotation;
    const days = form.value("days").split(" ").filter(Boolean);
    const keep = (next: readonly string[]): void => form.set("days", next.join(" "));
    const kept = new Set(days);
    const options = [["0", t.off], ...this.shifts.filter((s) => s.active || kept.has(s.id)).map((s) => [s.id, s.name])];
    return form.around(
      "days",
      t.sequence,
      html`<fieldset><legend>${t.sequence}</legend><div class="fields">${days.map(
        (day, n) => html`<label>${t.nth(n + 1)} <select @change=${(e: Event) =>
          keep(days.map((d, i) => (i === n ? (e.target as HTMLSelectElement).value : d)))}>
          ${options.map(([v, name]) => html`<option value=${v} .selected=${v === day}>${name}</option>`)}</select></label>`,
      )}</div>
        <p class="actions"><button type="button" ?disabled=${days.length >= mostDays} @click=${() => keep([...days, days.at(-1) ?? "0"])}>${t.add}</button>
        <button type="button" ?disabled=${days.length < 2} @click=${() => keep(days.slice(0, -1))}>${t.remove}</button></p></fieldset>`,
      { hint: t.sequenceHint },
    );
  }
}

/** The form of a leave type. */
@customElement("wf-leave-type")
export class LeaveTypeForm extends Part {
  /** Undefined makes one. */
  @property({ attribute: false }) type: LeaveType | undefined;
  private form: Form | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    const { type } = this;
    this.form = new Form(this, `leave type ${type?.id ?? "new"}`, (values, key) => this.send(values, key));
    this.form.begin({
      name: type?.name ?? "",
      paid: (type?.paid ?? true) ? "on" : "",
      unit: type?.unit ?? "half_day",
      yearlyAllowance: type?.yearlyAllowance == null ? "" : String(type.yearlyAllowance),
      workFromHome: type?.workFromHome ? "on" : "",
      active: (type?.active ?? true) ? "on" : "",
    });
  }

  private async send(values: Values, key: string): Promise<string> {
    const input = {
      name: values.name ?? "",
      paid: values.paid === "on",
      unit: values.unit as LeaveType["unit"],
      yearlyAllowance: numberOf(values.yearlyAllowance),
      workFromHome: values.workFromHome === "on",
    };
    if (this.type) {
      const changed = changedOf({ ...input, active: values.active === "on" }, this.form?.changed ?? {});
      await ask(UpdateLeaveType, { id: this.type.id, input: changed }, { key });
    } else await ask(CreateLeaveType, { input }, { key });
    return saved(this, { text: shiftsTexts().saved(input.name) });
  }

  protected override render(): TemplateResult {
    const t = shiftsTexts().leaveType;
    const { form } = this;
    if (!form) return html``;
    const units = Object.entries(t.units);
    const fields = (): TemplateResult => html`${form.text("name", shiftsTexts().name, { required: true, most: 100 })}
      ${form.check("paid", t.paid, { hint: t.paidHint })}
      ${form.choice("unit", t.unit, units)}
      ${form.text("yearlyAllowance", t.allowance, { type: "number", hint: t.allowanceHint, inputmode: "decimal" })}
      ${form.check("workFromHome", t.home, { hint: t.homeHint })}
      ${this.type ? form.check("active", shiftsTexts().active, { hint: t.activeHint }) : nothing}`;
    return form.render(fields, texts().form.save, texts().dialog.cancel);
  }
}

/** Sets the fallback shift of a person, a designation or a business. */
@customElement("wf-fallback")
export class FallbackForm extends Part {
  @property({ attribute: false }) shifts: readonly Listed[] = [];
  /** Whether it may be set for more than a person. */
  @property({ type: Boolean }) all = false;
  @state() private chosen: readonly Option[] = [];
  private readonly form = new Form(this, "fallback shift", (values, key) => this.send(values, key));
  private readonly groups = new Reading(this, (signal) => ask(Groups, {}, { signal }));

  private async send(values: Values, key: string): Promise<string> {
    const t = shiftsTexts();
    const kind = values.kind || "userId";
    const whose = kind === "userId" ? this.chosen[0]?.id : values[kind];
    if (!whose || !values.shiftId)
      throw new Fault(t.fallback.choose, {
        code: "VALIDATION_FAILED",
        errors: [{ field: values.shiftId ? kind : "shiftId", code: "REQUIRED", detail: t.fallback.choose }],
      });
    const { setFallbackShift } = await ask(
      SetFallbackShift,
      { input: { shiftId: values.shiftId, [kind]: whose } },
      { key },
    );
    return saved(this, { text: t.saved(t.fallback.heading), leaves: setFallbackShift?.concernedLeaves ?? [] });
  }

  protected override render(): TemplateResult {
    return shown(this.groups, (groups) =>
      this.form.render(() => this.fields(groups), texts().form.save, texts().dialog.cancel),
    );
  }

  private fields(groups: NonNullable<typeof this.groups.value>): TemplateResult {
    const t = shiftsTexts().fallback;
    const { form } = this;
    const kind = form.value("kind") || "userId";
    const tree = (list: readonly { id: string; name: string; depth: number }[]) => [
      ["", ""] as const,
      ...list.map((g) => [g.id, "\u2003".repeat(g.depth) + g.name] as const),
    ];
    const shifts = this.shifts.filter((s) => s.active).map((s) => [s.id, s.name] as const);
    return html`<p class="hint">${t.hint}</p>
      ${
        this.all
          ? form.choice("kind", t.whose, [
              ["userId", t.user],
              ["designationId", t.designation],
              ["businessId", t.business],
            ])
          : nothing
      }
      ${kind === "userId" ? this.person() : nothing}
      ${kind === "designationId" ? form.choice("designationId", t.designation, tree(groups.designationStructure), { required: true }) : nothing}
      ${kind === "businessId" ? form.choice("businessId", t.business, tree(groups.businessStructure), { required: true }) : nothing}
      ${form.choice("shiftId", t.shift, [["", ""], ...shifts], { required: true })}`;
  }

  private person(): TemplateResult {
    const t = shiftsTexts().fallback;
    const { form } = this;
    const wrong = form.wrong("userId", t.user) !== "";
    return form.around(
      "userId",
      t.user,
      html`<wf-pick .field=${form.id("userId")} .label=${t.user} .find=${people} .chosen=${this.chosen} .wrong=${wrong}
        @wf-picked=${(e: Event) => {
          this.chosen = (e.currentTarget as Pick).chosen;
        }}></wf-pick>`,
    );
  }
}
