import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import { Fault } from "../../api/fault.js";
import { closing } from "../../parts/dialog.js";
import { Form, type Values } from "../../parts/form.js";
import { type NodeOf, nodes } from "../../parts/nodes.js";
import { Part, Reading } from "../../parts/part.js";
import { shown } from "../../parts/states.js";
import { clock, day, hoursOf, instantIn, isFlexible, localIn } from "../../parts/time.js";
import { texts } from "../../texts/texts.js";
import { AskCorrection, CorrectionBasis, type CorrectionBasisQuery } from "./days.graphql.js";
import { daysTexts } from "./days-texts.js";

type Occurrence = NodeOf<CorrectionBasisQuery["employeeShifts"]>;

/** The id of the site where the person was last, or of the only one where they may be; "" for none. */
export function usualSite({
  last,
  allowedLocations: sites,
}: Pick<CorrectionBasisQuery, "last" | "allowedLocations">): string {
  const before = nodes(last ?? {})[0]?.address.id;
  if (sites.some((s) => s.addressId === before)) return before ?? "";
  return sites.length === 1 ? (sites[0]?.addressId ?? "") : "";
}

/** Asks to change the times of a date, or to add those that are missing. `wf-asked` tells that it was asked for. */
@customElement("wf-ask-correction")
export class AskCorrectionForm extends Part {
  @property() me = "";
  @property() date = "";
  /** Whether who asks reads their attendance, whose last site is then proposed. */
  @property({ type: Boolean }) reads = false;
  private readonly form = new Form(this, "ask correction", (values, key) => this.send(values, key), true);
  private readonly basis = new Reading(this, (signal) =>
    ask(CorrectionBasis, { me: this.me, date: this.date, reads: this.reads }, { signal }),
  );
  #picture: File | undefined;

  /** The shift that is chosen, and which of its attendances; none for one that is missing. */
  private chosen(read: CorrectionBasisQuery): { readonly shift: Occurrence | undefined; readonly entry: string } {
    const list = nodes(read.employeeShifts);
    const shift = list.find((s) => s.id === this.form.value("employeeShiftId")) ?? list[0];
    const entry = this.form.changed.attendanceId ?? shift?.attendances[0]?.id ?? "";
    return { shift, entry: shift?.attendances.some((a) => a.id === entry) ? entry : "" };
  }

  private async send(values: Values, key: string): Promise<string> {
    const read = this.basis.value;
    const { shift, entry } = read ? this.chosen(read) : { shift: undefined, entry: "" };
    if (!shift) return "";
    const before = shift.attendances.find((a) => a.id === entry);
    const at = (name: "clockInAt" | "clockOutAt", was: string | null | undefined) => {
      const local = values[name] ?? "";
      if (local === "" || (was && local === localIn(shift.timezone, was))) return {};
      return { [name]: instantIn(shift.timezone, local) };
    };
    const times = { ...at("clockInAt", before?.clockedInAt), ...at("clockOutAt", before?.clockedOutAt) };
    if (Object.keys(times).length === 0) throw new Fault(daysTexts().unchanged, { code: "VALIDATION_FAILED" });
    const where = before ? { attendanceId: before.id } : { addressId: values.addressId ?? "" };
    const attachment = this.#picture && { attachment: this.#picture };
    const input = { employeeShiftId: shift.id, ...where, ...times, reason: values.reason?.trim() ?? "", ...attachment };
    await ask(AskCorrection, { input }, { key });
    this.dispatchEvent(new Event("wf-asked"));
    return "";
  }

  protected override render(): TemplateResult {
    return html`<p>${day(this.date)}</p>${shown(this.basis, (read) => this.content(read))}`;
  }

  private content(read: CorrectionBasisQuery): TemplateResult {
    const t = daysTexts();
    const { form } = this;
    const { shift, entry } = this.chosen(read);
    if (!shift) return html`<p>${t.noShift}</p><div class="actions">${closing()}</div>`;
    const before = shift.attendances.find((a) => a.id === entry);
    const local = (time: string | null | undefined): string => (time ? localIn(shift.timezone, time) : "");
    const planned = isFlexible(shift) ? undefined : shift;
    form.begin({
      employeeShiftId: shift.id,
      attendanceId: entry,
      clockInAt: local(before ? before.clockedInAt : planned?.startAt),
      clockOutAt: local(before ? before.clockedOutAt : planned?.endAt),
      addressId: usualSite(read),
    });
    return form.render(() => this.fields(read, shift, before !== undefined), t.asks.correction, texts().dialog.cancel);
  }

  private fields(read: CorrectionBasisQuery, shift: Occurrence, changes: boolean): TemplateResult {
    const t = daysTexts();
    const { form } = this;
    const shifts = nodes(read.employeeShifts);
    const span = (from: string, to: string | null | undefined): string =>
      `${clock(from, shift.timezone)}–${to ? clock(to, shift.timezone) : "…"}`;
    const sites = read.allowedLocations.map((l) => [l.addressId, l.name] as const);
    const hint = changes || !isFlexible(shift) ? {} : { hint: t.flexibleHint };
    const time = { type: "datetime-local", required: !changes } as const;
    const entries = [
      ...shift.attendances.map((a) => [a.id, `${span(a.clockedInAt, a.clockedOutAt)}, ${a.address.name}`] as const),
      ["", t.missing] as const,
    ];
    return html`${
      shifts.length > 1
        ? form.choice(
            "employeeShiftId",
            t.shift,
            shifts.map((s) => [s.id, `${s.name} ${hoursOf(s, s.timezone)}`] as const),
          )
        : nothing
    }
      ${shift.attendances.length > 0 ? form.choice("attendanceId", t.entry, entries) : nothing}
      <div class="fields">${form.text("clockInAt", t.in, { ...time, ...hint })}
        ${form.text("clockOutAt", t.out, time)}</div>
      ${
        changes
          ? nothing
          : form.choice("addressId", t.site, [...(usualSite(read) ? [] : [["", t.choose] as const]), ...sites], {
              required: true,
            })
      }
      ${form.area("reason", t.reason, { most: 250, required: true, hint: t.reasonHint })}
      <div class="field"><label for="correction-picture">${t.picture}</label>
        <input id="correction-picture" type="file" accept="image/*" aria-describedby="correction-picture-hint" @change=${this.#chosen}>
        <p id="correction-picture-hint" class="hint">${t.pictureHint}</p></div>`;
  }

  readonly #chosen = (event: Event): void => {
    this.#picture = (event.target as HTMLInputElement).files?.[0];
  };
}
