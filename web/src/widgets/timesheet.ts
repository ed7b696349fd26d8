import { html, type TemplateResult } from "lit";
import { dateOf, duration, period } from "./format.js";
import type { Texts } from "./texts.js";
import { Widget } from "./widget.js";

interface Day {
  readonly date: string;
  readonly status: string;
  /** Seconds. */
  readonly workedSeconds: number;
}

interface Timesheet {
  readonly from: string;
  readonly to: string;
  /** Seconds. */
  readonly workedSeconds: number;
  readonly days: readonly Day[];
}

/** The working time of a person by day. */
export class TimesheetWidget extends Widget<Timesheet> {
  static override properties = { ...Widget.properties, userId: { attribute: "user-id", reflect: true } };
  declare userId: string | number | null;

  protected override readonly kind = "timesheet";
  protected override readonly parameters = ["from", "to", "userId"];

  protected override heading(texts: Texts): string {
    return texts.timesheet.title;
  }

  protected override rows(value: Timesheet): unknown {
    return value.days;
  }

  protected override period(value: Timesheet): string {
    return period(value.from, value.to, this.language);
  }

  protected override content(value: Timesheet): TemplateResult {
    const t = this.texts.timesheet;
    if (value.days.length === 0) return html`<p class="faint" part="empty">${t.empty}</p>`;
    return html`<table part="table">
      <caption>${t.title}, ${this.period(value)}</caption>
      <thead part="head">
        <tr>
          <th scope="col">${t.day}</th>
          <th scope="col" class="number">${t.worked}</th>
          <th scope="col">${t.status}</th>
        </tr>
      </thead>
      <tbody>${value.days.map((d) => this.#day(d))}</tbody>
      <tfoot>
        <tr part="total">
          <th scope="row">${t.total}</th>
          <td class="number" part="total-value">${duration(value.workedSeconds, this.language)}</td>
          <td></td>
        </tr>
      </tfoot>
    </table>`;
  }

  #day(day: Day): TemplateResult {
    const { date, status, workedSeconds } = day;
    const name = dateOf(date, this.language);
    const choose = () => this.select({ kind: "day", id: date, date, status, workedSeconds });
    return html`<tr part="day">
      <th scope="row"><button type="button" part="day-name" @click=${choose}>${name}</button></th>
      <td class="number" part="worked">${duration(workedSeconds, this.language)}</td>
      <td part="status">${this.texts.timesheet.statuses[status] ?? status}</td>
    </tr>`;
  }
}
