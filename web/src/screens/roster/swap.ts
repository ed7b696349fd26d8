import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import { serverNow } from "../../api/clock.js";
import { Fault } from "../../api/fault.js";
import { Form, textOf, type Values } from "../../parts/form.js";
import { Part } from "../../parts/part.js";
import "../../parts/pick.js";
import type { Option, Pick } from "../../parts/pick.js";
import { dateOf } from "../../parts/time.js";
import { texts } from "../../texts/texts.js";
import { tell } from "./outcome.js";
import { RequestShiftSwap, SwapShifts } from "./roster.graphql.js";
import { rosterTexts } from "./texts.js";
import { named, type Pattern, type Person, type Swappable, swappable, timesOf } from "./week.js";

/** How many shifts are offered at once. */
const offered = 20;

/** Swaps one of the shifts of somebody's date, or asks for that. */
@customElement("wf-swap")
export class Swap extends Part {
  /** The shifts of the date. */
  @property({ attribute: false }) mine: readonly Swappable[] = [];
  @property({ attribute: false }) others: readonly Person[] = [];
  @property({ attribute: false }) patterns: readonly Pattern[] = [];
  /** Whether it is asked for, and not done. */
  @property({ type: Boolean }) asks = false;
  @property({ attribute: false }) zoneOf: (shiftId: string) => string = () => "UTC";
  @state() private chosen: readonly Option[] = [];
  private form: Form | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.form = new Form(this, `swap ${this.mine[0]?.id ?? ""}`, (values, key) => this.send(values, key));
    this.form.begin({ employeeShiftId: this.mine[0]?.id ?? "" });
  }

  private async send(values: Values, key: string): Promise<string> {
    const t = rosterTexts();
    const employeeShiftId = values.employeeShiftId ?? "";
    const other = this.chosen[0];
    const shiftId = textOf(values.shiftId);
    if (!other && !shiftId)
      throw new Fault(t.chooseSwap, {
        code: "VALIDATION_FAILED",
        errors: [{ field: this.offers() ? "withEmployeeShiftId" : "shiftId", code: "REQUIRED", detail: t.chooseSwap }],
      });
    if (this.asks) {
      const wanted = other ? { withEmployeeShiftId: other.id } : { shiftId };
      await ask(RequestShiftSwap, { input: { employeeShiftId, ...wanted, note: textOf(values.note) } }, { key });
      return this.done(t.swapAsked, []);
    }
    const input = { employeeShiftId, withEmployeeShiftId: other?.id ?? "" };
    const { swapShifts } = await ask(SwapShifts, { input }, { key });
    return this.done(t.swapped(this.mine[0]?.name ?? "", other?.name ?? ""), swapShifts.concernedLeaves);
  }

  private done(text: string, leaves: Parameters<typeof tell>[1]["leaves"]): string {
    this.closest("dialog")?.close();
    tell(this, { text, leaves: leaves ?? [] });
    return text;
  }

  /** Shifts of others by a part of a name. */
  private readonly find = async (text: string): Promise<readonly Option[]> =>
    swappable(named(this.others, text), serverNow())
      .slice(0, offered)
      .map((s) => ({ id: s.id, name: s.name, hint: this.words(s) }));

  /** Whether others have shifts that can be swapped. */
  private offers(): boolean {
    return swappable(this.others, serverNow()).length > 0;
  }

  private words({ shift }: Swappable): string {
    return `${dateOf(shift.date)} ${shift.name} ${timesOf(shift, this.zoneOf(shift.shiftId))}`;
  }

  protected override render(): TemplateResult {
    const t = rosterTexts();
    const { form } = this;
    if (!form) return html``;
    return form.render(
      () => html`${
        this.mine.length > 1
          ? form.choice(
              "employeeShiftId",
              t.shift,
              this.mine.map((m) => [m.id, this.words(m)] as const),
            )
          : nothing
      }
        ${this.offers() ? this.colleague(form) : nothing}
        ${this.asks ? this.asking(form) : nothing}`,
      this.asks ? t.askSwap : t.swap,
      this.asks ? texts().dialog.cancel : undefined,
      this.asks ? "primary" : "plain",
    );
  }

  private colleague(form: Form): TemplateResult {
    const t = rosterTexts();
    const label = this.asks ? t.colleague : t.swapWith;
    return form.around(
      "withEmployeeShiftId",
      label,
      html`<wf-pick .field=${form.id("withEmployeeShiftId")} .label=${label} .find=${this.find} .chosen=${this.chosen}
        .wrong=${form.wrong("withEmployeeShiftId", label) !== ""}
        @wf-picked=${(e: Event) => {
          this.chosen = (e.currentTarget as Pick).chosen;
        }}></wf-pick>
        ${this.chosen.map((o) => html`<p class="hint">${o.name}: ${o.hint}</p>`)}`,
      { hint: t.swapHint },
    );
  }

  private asking(form: Form): TemplateResult {
    const t = rosterTexts();
    const taken = new Set(this.mine.map((m) => m.shift.shiftId));
    const free = this.patterns.filter((p) => !taken.has(p.id));
    const options = free.map((p) => [p.id, `${p.name} ${p.startTime}–${p.endTime}`] as const);
    const offers = this.offers();
    return html`${form.choice("shiftId", offers ? t.freeShift : t.freeShiftAlone, [["", t.noFree], ...options], {
      hint: offers || this.others.length > 0 ? "" : t.noColleague,
    })}
      ${form.text("note", t.note, { most: 250 })}`;
  }
}
