import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import { Act } from "../../parts/act.js";
import { closing, dialog } from "../../parts/dialog.js";
import { Form, type Values } from "../../parts/form.js";
import { Part } from "../../parts/part.js";
import { day } from "../../parts/time.js";
import { texts } from "../../texts/texts.js";
import { OrganizationCreateHoliday, OrganizationDeleteHoliday, OrganizationUpdateHoliday } from "./holidays.graphql.js";
import type { HolidayRow, Place } from "./holidays.js";
import { organizationTexts } from "./texts.js";

/** One holiday, as a dialog. */
@customElement("wf-holiday")
export class Holiday extends Part {
  /** Undefined for a new one. */
  @property({ attribute: false }) row: HolidayRow | undefined;
  @property({ attribute: false }) places: readonly Place[] = [];
  @state() private asking = false;
  private readonly act = new Act(this);
  private form!: Form;

  override connectedCallback(): void {
    super.connectedCallback();
    this.form = new Form(this, `holiday ${this.row?.id ?? "new"}`, (values, key) => this.send(values, key));
    this.form.begin({ name: this.row?.name ?? "", date: this.row?.date ?? "", half: this.row?.half ? "on" : "" });
  }

  private async send(values: Values, key: string): Promise<string> {
    const t = organizationTexts();
    const input = { name: values.name?.trim() ?? "", date: values.date ?? "", half: values.half === "on" };
    if (this.row) await ask(OrganizationUpdateHoliday, { id: this.row.id, input }, { key });
    else {
      const addressId = values.addressId || undefined;
      await ask(OrganizationCreateHoliday, { input: { ...input, ...(addressId && { addressId }) } }, { key });
    }
    return this.tell(this.row ? t.saved(input.name) : t.created(input.name));
  }

  /** Has the screen say what was done; the dialog says nothing, since it is closed. */
  private tell(done: string): string {
    this.dispatchEvent(new CustomEvent("wf-done", { detail: done }));
    return "";
  }

  protected override render(): TemplateResult {
    const t = organizationTexts();
    const name = this.row?.name ?? "";
    const heading = this.asking ? t.deleteOf(name) : name || t.newHoliday;
    return dialog(heading, this.asking ? this.sure() : this.content(), () =>
      this.dispatchEvent(new Event("wf-closed")),
    );
  }

  private content(): TemplateResult {
    const t = organizationTexts();
    const { form } = this;
    const everywhere = [["", t.everywhere], ...this.places.map((p) => [p.id, p.name] as const)] as const;
    return html`${form.render(
      () => html`${form.text("name", t.name, { most: 100, required: true })}
        ${form.text("date", t.date, { type: "date", required: true })}
        ${form.check("half", t.halfDay, { hint: t.halfHint })}
        ${this.row ? nothing : form.choice("addressId", t.where, everywhere)}`,
      t.save,
      texts().dialog.close,
    )}
    ${
      this.row
        ? html`<div class="actions more"><button type="button" @click=${() => {
            this.asking = true;
          }}>${texts().form.delete}</button></div>`
        : nothing
    }`;
  }

  private sure(): TemplateResult {
    const t = organizationTexts();
    const { row } = this;
    return html`<p>${row ? t.holidayGone(day(row.date), row.address?.name ?? t.everywhere) : ""}</p>
      ${this.act.told()}
      <div class="actions"><button type="button" class="primary" ?disabled=${this.act.busy} @click=${this.#remove}>${texts().form.delete}</button>
        ${closing(texts().dialog.cancel)}</div>`;
  }

  readonly #remove = (): void => {
    const { row } = this;
    if (!row) return;
    void this.act.run(async (key) => {
      await ask(OrganizationDeleteHoliday, { id: row.id }, { key });
      return this.tell(organizationTexts().deleted(row.name));
    }, "delete");
  };
}
