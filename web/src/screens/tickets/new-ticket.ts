import type { TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import { leave } from "../../parts/back.js";
import { dialog } from "../../parts/dialog.js";
import { Form } from "../../parts/form.js";
import { Part } from "../../parts/part.js";
import { may, query } from "../../router.js";
import type { StartQuery } from "../../shell.graphql.js";
import { texts } from "../../texts/texts.js";
import { type Offer, ticketFields } from "./fields.js";
import { ticketsTexts } from "./texts.js";
import { SaveTicket } from "./tickets.graphql.js";
import { inputOf } from "./work.js";

/** The dialog in which a ticket is added. `wf-added` tells its id, number and subject. */
@customElement("wf-new-ticket")
export class NewTicket extends Part {
  @property({ attribute: false }) start!: StartQuery;
  @property({ attribute: false }) categories: Offer["categories"] = [];
  readonly #form = new Form(this, "new ticket", async (values, key) => {
    const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
    const { status: _, ...input } = { ...inputOf(given), subject: (values.subject ?? "").trim() };
    const { saveTicket } = await ask(SaveTicket, { input }, { key });
    this.dispatchEvent(new CustomEvent("wf-added", { detail: saveTicket }));
    return ticketsTexts().added;
  });

  override connectedCallback(): void {
    super.connectedCallback();
    this.#form.begin({ priority: "normal" });
  }

  protected override render(): TemplateResult {
    const t = texts();
    const offer = { categories: this.categories, assigns: may(this.start, ["ticket.write.team", "ticket.write.all"]) };
    const content = this.#form.render(() => ticketFields(this.#form, offer), t.form.save, t.dialog.cancel);
    return dialog(ticketsTexts().newTicket, content, () => query().get("ticket") === "new" && leave({ ticket: "" }));
  }
}
