import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import { Form, type Values } from "../../parts/form.js";
import { Part, Reading } from "../../parts/part.js";
import { shown } from "../../parts/states.js";
import { texts } from "../../texts/texts.js";
import {
  type Break,
  breaksOf,
  breaksText,
  changedOf,
  dayOf,
  newShift,
  type Shift,
  shiftInput,
  shiftValues,
} from "./fields.js";
import { CreateShift, ShiftWhole, UpdateShift } from "./shifts.graphql.js";
import { shiftsTexts } from "./texts.js";

/** How many breaks a shift may have. */
const mostBreaks = 10;

/** The form of a shift, and its versions: `wf-saved` says what was saved. */
@customElement("wf-shift")
export class ShiftForm extends Part {
  /** The id of the shift; "new" makes one. */
  @property() shift = "";
  @property() today = "";
  private readonly read = new Reading(this, async (signal) => {
    if (this.shift === "new") return null;
    const { shift } = await ask(ShiftWhole, { id: this.shift }, { signal });
    this.form?.begin(shiftValues(shift, this.today));
    return shift;
  });
  private form: Form | undefined;

  override connectedCallback(): void {
    this.form = new Form(this, `shift ${this.shift}`, (values, key) => this.send(values, key));
    if (this.shift === "new") this.form.begin(newShift);
    super.connectedCallback();
  }

  private async send(values: Values, key: string): Promise<string> {
    const input = shiftInput(values);
    if (this.shift === "new") await ask(CreateShift, { input }, { key });
    else {
      const changed = {
        ...changedOf({ ...input, active: values.active === "on" }, this.form?.changed ?? {}),
        from: values.from || null,
      };
      await ask(UpdateShift, { id: this.shift, input: changed }, { key });
    }
    const text = shiftsTexts().saved(input.name);
    this.dispatchEvent(new CustomEvent("wf-saved", { detail: { text }, bubbles: true }));
    return text;
  }

  protected override render(): TemplateResult {
    const { form } = this;
    if (!form) return html``;
    return shown(
      this.read,
      (shift) => html`${form.render(() => this.fields(form), texts().form.save, texts().dialog.cancel)}
        ${shift ? versions(shift) : nothing}`,
    );
  }

  private fields(form: Form): TemplateResult {
    const t = shiftsTexts().shift;
    const number = (name: string, label: string, hint: string): TemplateResult =>
      form.text(name, label, { type: "number", hint, inputmode: "numeric" });
    return html`${form.text("name", shiftsTexts().name, { required: true, most: 100 })}
      ${this.shift === "new" ? nothing : form.text("from", t.from, { type: "date", hint: t.fromHint })}
      <div class="fields">${form.text("startTime", t.start, { type: "time", required: true })}
        ${form.text("endTime", t.end, { type: "time", required: true, hint: t.endHint })}</div>
      ${this.breaks(form)}
      <div class="fields">${number("breakMinutes", t.breakMinutes, t.breakMinutesHint)}
        ${number("breakAfterMinutes", t.breakAfter, t.breakAfterHint)}</div>
      <h3>${t.clocking}</h3>
      <div class="fields">${number("opensBeforeMinutes", t.opens, t.opensHint)}
        ${number("closesAfterMinutes", t.closes, t.closesHint)}</div>
      <h3>${t.judged}</h3>
      <div class="fields">${number("lateGraceMinutes", t.late, t.lateHint)}
        ${number("earlyGraceMinutes", t.early, t.earlyHint)}</div>
      <h3>${t.short}</h3>
      <div class="fields">${number("halfDayBelowMinutes", t.half, t.halfHint)}
        ${number("absentBelowMinutes", t.absent, t.absentHint)}</div>
      ${form.choice("workingHours", t.hours, [
        ["first_last", t.first_last],
        ["every_valid_pair", t.every_valid_pair],
      ])}
      ${form.text("timezone", t.timezone, { hint: t.timezoneHint })}
      <h3>${t.look}</h3>
      ${this.colour(form)}
      ${this.shift === "new" ? nothing : form.check("active", t.active, { hint: t.activeHint })}`;
  }

  private colour(form: Form): TemplateResult {
    const t = shiftsTexts().shift;
    const own = form.value("colour");
    const listed = Object.entries(t.colours);
    const options = Object.hasOwn(t.colours, own) ? listed : [...listed, [own, t.ownColour(own)] as const];
    return form.choice("colour", t.colour, options);
  }

  private breaks(form: Form): TemplateResult {
    const t = shiftsTexts().shift;
    const breaks = breaksOf(form.value("breaks"));
    const keep = (next: readonly Break[]): void => form.set("breaks", breaksText(next));
    const time = (n: number, side: 0 | 1, label: string): TemplateResult => html`<label>${label}
      <input type="time" .value=${breaks[n]?.[side] ?? ""} @change=${(e: Event) => {
        const { value } = e.target as HTMLInputElement;
        keep(breaks.map((b, i): Break => (i === n ? (side === 0 ? [value, b[1]] : [b[0], value]) : b)));
      }}></label>`;
    return form.around(
      "breaks",
      t.breaks,
      html`<fieldset><legend>${t.breaks}</legend>
        ${breaks.map(
          (_, n) => html`<div class="pair">${time(n, 0, t.breakStart(n + 1))}${time(n, 1, t.breakEnd(n + 1))}
            <button type="button" aria-label=${t.removeBreak(n + 1)} @click=${() => keep(breaks.filter((_b, i) => i !== n))}>×</button></div>`,
        )}
        <button type="button" ?disabled=${breaks.length >= mostBreaks} @click=${() => keep([...breaks, ["", ""]])}>${t.addBreak}</button>
      </fieldset>`,
    );
  }
}

/** The versions of a shift, the latest first. */
function versions(shift: Shift): TemplateResult {
  const t = shiftsTexts().shift;
  return html`<h3 id="versions">${t.versions}</h3><ul aria-labelledby="versions">${[shift, ...shift.formerVersions].map(
    (v) => {
      const breaks = v.breaks.map((b) => `${b.start}–${b.end}`).join(", ");
      const times = `${v.startTime}–${v.endTime}${breaks === "" ? "" : `, ${t.versionBreaks(breaks)}`}`;
      return html`<li>${t.version(dayOf(v.appliesFrom) || t.always, times)}</li>`;
    },
  )}</ul>`;
}
