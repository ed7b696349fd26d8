import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import { serverNow } from "../../api/clock.js";
import { Fault } from "../../api/fault.js";
import { dialog } from "../../parts/dialog.js";
import { Form, type Values } from "../../parts/form.js";
import { nodes } from "../../parts/nodes.js";
import { Part } from "../../parts/part.js";
import { people } from "../../parts/people.js";
import "../../parts/pick.js";
import type { Option, Pick } from "../../parts/pick.js";
import { dateIn, dateOf } from "../../parts/time.js";
import { may, query, setQuery } from "../../router.js";
import type { StartQuery } from "../../shell.graphql.js";
import { texts } from "../../texts/texts.js";
import { formats, type Kind, kinds, periodOf, periods } from "./report.js";
import { GenerateReport, ProjectsToPick, ScheduleReport } from "./reports.graphql.js";
import { reportsTexts } from "./texts.js";

/** A dialog that has a report made, now or after each week or month; `wf-asked` tells in words that it was. */
@customElement("wf-ask-report")
export class AskReport extends Part {
  @property({ attribute: false }) start!: StartQuery;
  /** Whether it is made again and again. */
  @property({ type: Boolean }) again = false;
  readonly #now = new Form(this, "report", (values, key) => this.#generate(values, key));
  readonly #later = new Form(this, "schedule", (values, key) => this.#schedule(values, key));

  private form(): Form {
    return this.again ? this.#later : this.#now;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const q = query();
    const kind = this.allowed().find((k) => k === q.get("kind")) ?? this.allowed()[0] ?? "timesheet";
    const format = formats.find((f) => f === q.get("format")) ?? "xlsx";
    this.#now.begin({ kind, format, period: "lastMonth", byteOrderMark: "on" });
    this.#later.begin({ kind, format, every: q.get("every") === "week" ? "week" : "month" });
  }

  private allowed(): Kind[] {
    return (Object.keys(kinds) as Kind[]).filter((kind) => may(this.start, kinds[kind]));
  }

  protected override render(): TemplateResult {
    const t = reportsTexts();
    const form = this.form();
    return dialog(
      this.again ? t.scheduleHeading : t.generateHeading,
      form.render(
        () => (this.again ? this.fieldsOfLater(form) : this.fieldsOfNow(form)),
        this.again ? t.schedule : t.generate,
        texts().dialog.cancel,
      ),
      () => setQuery({ new: "", kind: "", every: "", format: "" }),
    );
  }

  private fieldsOfNow(form: Form): TemplateResult {
    const t = reportsTexts();
    return html`${this.what(form)}
      <div class="fields">${form.choice("period", t.period, options(periods, t.periods))}
        ${form.choice("format", t.format, options(formats, t.formats))}</div>
      ${
        form.value("period") === "dates"
          ? html`<div class="fields">${form.text("from", t.from, { type: "date", required: true })}
            ${form.text("to", t.to, { type: "date", required: true })}</div>`
          : nothing
      }
      ${this.about(form)}
      ${form.value("format") === "csv" ? form.check("byteOrderMark", t.mark, { hint: t.markHint }) : nothing}`;
  }

  private fieldsOfLater(form: Form): TemplateResult {
    const t = reportsTexts();
    const others = may(this.start, ["report.write.team", "report.write.all"]);
    return html`<p class="hint">${t.scheduleHint}</p>${this.what(form)}
      <div class="fields">${form.choice("every", t.every, options(["month", "week"], t.everies))}
        ${form.choice("format", t.format, options(formats, t.formats))}</div>
      ${this.about(form)}
      ${others ? this.pick(form, "recipientId", t.recipient, t.recipientHint, people) : nothing}`;
  }

  private what(form: Form): TemplateResult {
    const t = reportsTexts();
    const hint = t.kindHints[form.value("kind") as Kind] ?? "";
    return form.choice("kind", t.kind, options(this.allowed(), t.kinds), { hint });
  }

  /** Whom and which project it is about. */
  private about(form: Form): TemplateResult {
    const t = reportsTexts();
    const kind = form.value("kind") as Kind;
    const right = kinds[kind];
    const others = may(this.start, [`${right}.team`, `${right}.all`]);
    return html`${others ? this.pick(form, "userId", t.person, t.personHint, people) : nothing}
      ${kind === "task" ? this.pick(form, "projectId", t.project, t.projectHint, projects) : nothing}`;
  }

  /** A field that finds one; its name is kept beside its id. */
  private pick(
    form: Form,
    name: string,
    label: string,
    hint: string,
    find: (text: string, signal: AbortSignal) => Promise<readonly Option[]>,
  ): TemplateResult {
    const id = form.value(name);
    const chosen = id === "" ? [] : [{ id, name: form.value(`${name} name`) }];
    const picked = (event: Event): void => {
      const one = (event.target as Pick).chosen[0];
      form.set(`${name} name`, one?.name ?? "");
      form.set(name, one?.id ?? "");
    };
    return form.around(
      name,
      label,
      html`<wf-pick .field=${form.id(name)} .label=${label} .chosen=${chosen} .find=${find}
        .wrong=${form.wrong(name, label) !== ""} @wf-picked=${picked}></wf-pick>`,
      { hint },
    );
  }

  async #generate(values: Values, key: string): Promise<string> {
    const t = reportsTexts();
    const today = dateIn(this.start.company.timezone, new Date(serverNow()));
    const period = periodOf(values.period ?? "", today, { from: values.from ?? "", to: values.to ?? "" });
    if (values.period === "dates") complete(period);
    const format = formats.find((f) => f === values.format) ?? "xlsx";
    const input = {
      ...subject(values),
      ...period,
      format,
      byteOrderMark: format === "csv" && values.byteOrderMark === "on",
    };
    const { generateReport } = await ask(GenerateReport, { input }, { key });
    return this.#tell(generateReport.status === "done" ? t.there : t.asked);
  }

  async #schedule(values: Values, key: string): Promise<string> {
    const t = reportsTexts();
    const input = {
      ...subject(values),
      format: formats.find((f) => f === values.format) ?? ("xlsx" as const),
      every: values.every === "week" ? ("week" as const) : ("month" as const),
      ...(values.recipientId && { recipientId: values.recipientId }),
    };
    const { createReportSchedule } = await ask(ScheduleReport, { input }, { key });
    const zone = this.start.company.timezone;
    return this.#tell(t.scheduledFor(dateOf(dateIn(zone, new Date(createReportSchedule.dueAt)))));
  }

  /** Tells the screen what was done, and leaves. */
  #tell(text: string): string {
    this.dispatchEvent(new CustomEvent("wf-asked", { detail: text }));
    this.querySelector("dialog")?.close();
    return text;
  }
}

/** Refuses dates of which one is missing: the server would take this week. */
function complete(period: { readonly from?: string; readonly to?: string }): void {
  const detail = reportsTexts().required;
  const lack = (["from", "to"] as const).filter((field) => period[field] === undefined);
  if (lack.length === 0) return;
  const errors = lack.map((field) => ({ field, code: "REQUIRED", detail }));
  throw new Fault(detail, { code: "VALIDATION_FAILED", errors });
}

/** What a report shows: its kind, and of whom and of which project. */
function subject(values: Values) {
  const kind = values.kind as Kind;
  return {
    kind,
    ...(values.userId && { userId: values.userId }),
    ...(values.projectId && kind === "task" && { projectId: values.projectId }),
  };
}

function options<Value extends string>(
  values: readonly Value[],
  named: Readonly<Record<Value, string>>,
): (readonly [string, string])[] {
  return values.map((value) => [value, named[value]] as const);
}

/** Projects by a part of their name. */
async function projects(search: string, signal: AbortSignal): Promise<readonly Option[]> {
  return nodes((await ask(ProjectsToPick, { search }, { signal })).projects);
}
