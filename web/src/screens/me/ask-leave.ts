import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import { Fault } from "../../api/fault.js";
import { Form, textOf, type Values } from "../../parts/form.js";
import { type NodeOf, nodes } from "../../parts/nodes.js";
import { Part, Reading } from "../../parts/part.js";
import { shown } from "../../parts/states.js";
import { addDays, dateOf, dates } from "../../parts/time.js";
import { texts } from "../../texts/texts.js";
import { AskLeave, LeaveAhead, type LeaveAheadQuery, LeaveChoices, type LeaveChoicesQuery } from "./days.graphql.js";
import { daysTexts } from "./days-texts.js";

type Type = NodeOf<LeaveChoicesQuery["leaveTypes"]>;

/** How many days at most are asked for who is away, less one. */
const longest = 61;
const isDate = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;

/** How much of each day a type of leave may take. */
function partsOf(type: Type | undefined): readonly ("whole" | "half" | "hours")[] {
  if (type?.unit === "hour") return ["whole", "half", "hours"];
  return !type || type.unit === "day" ? ["whole"] : ["whole", "half"];
}

/** Asks for leave from a date on, and says what it would take. `wf-asked` tells that it was asked for. */
@customElement("wf-ask-leave")
export class AskLeaveForm extends Part {
  @property() date = "";
  private readonly form = new Form(this, "ask leave", (values, key) => this.send(values, key), true);
  private readonly types = new Reading(this, (signal) => ask(LeaveChoices, {}, { signal }));
  private readonly ahead = new Reading(this, (signal) => this.#ahead(signal));
  #period = "";

  async #ahead(signal: AbortSignal): Promise<LeaveAheadQuery | undefined> {
    const { startsOn: from = "", endsOn: to = "" } = this.form.values;
    if (!isDate.test(from) || !isDate.test(to) || to < from || to > addDays(from, 365)) return undefined;
    const [last = to] = [to, addDays(from, longest)].sort();
    return await ask(LeaveAhead, { from, to, last, year: Number(from.slice(0, 4)) }, { signal });
  }

  protected override willUpdate(): void {
    const type = nodes(this.types.value?.leaveTypes ?? {})[0];
    this.form.begin({ typeId: type?.id ?? "", startsOn: this.date, endsOn: this.date, part: "whole" });
    const period = `${this.form.value("startsOn")} ${this.form.value("endsOn")}`;
    if (period === this.#period) return;
    this.#period = period;
    void this.ahead.again();
  }

  private async send(values: Values, key: string): Promise<string> {
    const t = daysTexts();
    if ((values.endsOn ?? "") < (values.startsOn ?? "")) {
      const errors = [{ field: "endsOn", code: "VALIDATION_FAILED", detail: t.backwards }];
      throw new Fault(texts().form.check, { code: "VALIDATION_FAILED", errors });
    }
    const type = nodes(this.types.value?.leaveTypes ?? {}).find((x) => x.id === values.typeId);
    const part = partsOf(type).find((p) => p === values.part) ?? "whole";
    const input = {
      typeId: values.typeId ?? "",
      startsOn: values.startsOn ?? "",
      endsOn: values.endsOn ?? "",
      reason: values.reason?.trim() ?? "",
      ...(part === "half" && { half: true }),
      ...(part === "hours" && { fromTime: textOf(values.fromTime), toTime: textOf(values.toTime) }),
    };
    await ask(AskLeave, { input }, { key });
    this.dispatchEvent(new Event("wf-asked"));
    return "";
  }

  protected override render(): TemplateResult {
    return shown(this.types, (read) => this.content(nodes(read.leaveTypes)));
  }

  private content(types: readonly Type[]): TemplateResult {
    const t = daysTexts();
    const { form } = this;
    const type = types.find((x) => x.id === form.value("typeId"));
    const parts = partsOf(type);
    return form.render(
      () => html`${form.choice(
        "typeId",
        t.type,
        types.map((x) => [x.id, x.name] as const),
      )}
        <div class="fields">${form.text("startsOn", t.from, { type: "date", required: true })}
          ${form.text("endsOn", t.to, { type: "date", required: true })}</div>
        ${
          parts.length > 1
            ? form.choice(
                "part",
                t.part,
                parts.map((p) => [p, t.parts[p]] as const),
              )
            : nothing
        }
        ${
          parts.some((p) => p === "hours") && form.value("part") === "hours"
            ? html`<div class="fields">${form.text("fromTime", t.fromTime, { type: "time", required: true })}
              ${form.text("toTime", t.toTime, { type: "time", required: true })}</div>`
            : nothing
        }
        ${this.taken(type)}
        ${form.area("reason", t.reason, { most: 250, required: true, hint: t.reasonHint })}`,
      t.asks.leave,
      texts().dialog.cancel,
    );
  }

  /** What the leave would take, what is left, and who else is away. */
  private taken(type: Type | undefined): TemplateResult {
    const t = daysTexts();
    const read = this.ahead.value;
    if (!read) return html`<div class="preview" role="status"></div>`;
    const { dates: on, skipped } = read.leavePreview;
    const balance = read.leaveBalances.find((b) => b.leaveType.id === type?.id);
    const left = skipped.slice(0, 10).map((s) => `${dateOf(s.date)} (${t.skipped[s.reason]})`);
    const away = read.away.map((a) => `${a.name} (${dates(a.from, a.to)})`);
    return html`<div class="preview" role="status">
      <p><strong>${on.length === 0 ? t.nothing : t.applies(on.length)}</strong> ${left.length > 0 ? t.except(left.join(", ")) : ""}</p>
      ${balance ? html`<p>${t.left(balance.remaining, balance.allowance)}</p>` : nothing}
      <p>${away.length > 0 ? t.awayThen(away.join(", ")) : t.nobodyAway}</p></div>`;
  }
}
