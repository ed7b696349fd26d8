import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import { question } from "../../parts/dialog.js";
import { Form, type Values } from "../../parts/form.js";
import { Part } from "../../parts/part.js";
import { addDays, day } from "../../parts/time.js";
import { tell } from "./outcome.js";
import { CopyWeek } from "./roster.graphql.js";
import { rosterTexts } from "./texts.js";
import type { Person } from "./week.js";

/** Plans a week as another one was. */
@customElement("wf-copy")
export class Copy extends Part {
  /** The first day of the week that is proposed. */
  @property() week = "";
  /** Those who are shown where not everybody is; none else. */
  @property({ attribute: false }) shown: readonly Person[] = [];
  @property({ attribute: false }) chosen: readonly Person[] = [];
  @state() private asking = false;
  private readonly form = new Form(this, "copy week", (values, key) => this.send(values, key));

  protected override willUpdate(): void {
    const whom = this.chosen.length > 0 ? "selected" : this.shown.length > 0 ? "shown" : "all";
    this.form.begin({ from: this.week, to: addDays(this.week, 7), whom });
  }

  /** Whose week is copied: those who are selected, or shown; everybody for undefined. */
  private whom(values: Values): readonly Person[] | undefined {
    if (values.whom === "selected" && this.chosen.length > 0) return this.chosen;
    return values.whom === "shown" && this.shown.length > 0 ? this.shown : undefined;
  }

  private async send(values: Values, key: string): Promise<string> {
    const people = this.whom(values);
    const input = {
      from: values.from ?? "",
      to: values.to ?? "",
      ...(people && { userIds: people.map((p) => p.userId) }),
    };
    const { copyWeek } = await ask(CopyWeek, { input }, { key });
    const text = rosterTexts().copied(copyWeek.copied);
    tell(this, { text, skipped: copyWeek.skipped, leaves: copyWeek.concernedLeaves, week: input.to });
    return text;
  }

  readonly #before = {
    capture: true,
    handleEvent: (event: Event): void => {
      event.preventDefault();
      event.stopPropagation();
      if (!this.form.busy) this.asking = true;
    },
  };

  protected override render(): TemplateResult {
    const t = rosterTexts();
    const { form } = this;
    const options = [
      ["all", t.copyWhom.all] as const,
      ...(this.shown.length > 0 ? [["shown", t.copyWhom.shown(this.shown.length)] as const] : []),
      ...(this.chosen.length > 0 ? [["selected", t.copyWhom.selected(this.chosen.length)] as const] : []),
    ];
    const whom = options.find(([value]) => value === form.value("whom"))?.[1] ?? t.copyWhom.all;
    const fields = (): TemplateResult => html`<div class="fields">
        ${form.text("from", t.copyFrom, { type: "date", required: true })}
        ${form.text("to", t.copyTo, { type: "date", required: true })}</div>
      ${form.choice("whom", t.whom, options)}`;
    return html`<div @submit=${this.#before}>${form.render(fields, t.copyVerb)}</div>
      ${this.asking ? this.question(whom) : nothing}`;
  }

  private question(whom: string): TemplateResult {
    const t = rosterTexts();
    const { from = "", to = "" } = this.form.values;
    const said = from && to ? html`<p>${t.copyWeek(day(from), day(to))}</p>` : html``;
    return question(t.copyAsk(whom), html`${said}<p class="hint">${t.assignHint}</p>`, t.copyVerb, (yes) => {
      this.asking = false;
      if (yes) void this.form.submit();
    });
  }
}
