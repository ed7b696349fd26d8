import { html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import { serverNow } from "../../api/clock.js";
import { closing } from "../../parts/dialog.js";
import { Form, textOf, type Values } from "../../parts/form.js";
import { nodes } from "../../parts/nodes.js";
import { Part, Reading } from "../../parts/part.js";
import { shown } from "../../parts/states.js";
import { day, hoursOf } from "../../parts/time.js";
import { texts } from "../../texts/texts.js";
import { AskSwap, SwapBasis, type SwapBasisQuery } from "./days.graphql.js";
import { daysTexts } from "./days-texts.js";

/** Asks for another shift on a date. `wf-asked` tells that it was asked for. */
@customElement("wf-ask-swap")
export class AskSwapForm extends Part {
  @property() me = "";
  @property() date = "";
  private readonly form = new Form(this, "ask swap", (values, key) => this.send(values, key));
  private readonly basis = new Reading(this, (signal) => ask(SwapBasis, { me: this.me, date: this.date }, { signal }));

  private async send(values: Values, key: string): Promise<string> {
    const input = {
      employeeShiftId: values.employeeShiftId ?? "",
      shiftId: values.shiftId ?? "",
      note: textOf(values.note),
    };
    await ask(AskSwap, { input }, { key });
    this.dispatchEvent(new Event("wf-asked"));
    return "";
  }

  protected override render(): TemplateResult {
    return html`<p>${day(this.date)}</p>${shown(this.basis, (read) => this.content(read))}`;
  }

  private content(read: SwapBasisQuery): TemplateResult {
    const t = daysTexts();
    const { form } = this;
    const mine = nodes(read.employeeShifts).filter((s) => Date.parse(s.startAt) > serverNow());
    const [first] = mine;
    if (!first) return html`<p>${t.noSwap}</p><div class="actions">${closing()}</div>`;
    const shift = mine.find((s) => s.id === form.value("employeeShiftId")) ?? first;
    const others = nodes(read.shifts).filter((s) => s.id !== shift.shift.id);
    form.begin({ employeeShiftId: first.id, shiftId: others[0]?.id ?? "" });
    return form.render(
      () => html`${form.choice(
        "employeeShiftId",
        t.shift,
        mine.map((s) => [s.id, `${s.name} ${hoursOf(s, s.timezone)}`] as const),
      )}
        ${form.choice(
          "shiftId",
          t.wanted,
          others.map((s) => [s.id, `${s.name} ${wallHours(s)}`] as const),
          { hint: t.swapHint },
        )}
        ${form.text("note", t.note, { most: 250 })}`,
      t.asks.swap,
      texts().dialog.cancel,
    );
  }
}

/** The hours of a shift by its wall times, or that they are flexible. */
function wallHours({ startTime, endTime }: { readonly startTime: string; readonly endTime: string }): string {
  const next = endTime > startTime ? "2000-01-01" : "2000-01-02";
  return hoursOf({ startAt: `2000-01-01T${startTime}Z`, endAt: `${next}T${endTime}Z` }, "UTC");
}
