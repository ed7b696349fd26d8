import { html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import { dialog } from "../../parts/dialog.js";
import { Form, textOf } from "../../parts/form.js";
import { Part } from "../../parts/part.js";
import { texts } from "../../texts/texts.js";
import { ticketsTexts } from "./texts.js";
import { HoldTicket } from "./tickets.graphql.js";

/** Asks what a ticket waits for. `wf-done` tells that it is on hold, `wf-left` that it is not. */
@customElement("wf-hold")
export class Hold extends Part {
  /** The id of the ticket. */
  @property() ticket = "";
  readonly #form = new Form(this, "hold", async ({ reason }, key) => {
    await ask(HoldTicket, { id: this.ticket, input: { reason: textOf(reason) } }, { key });
    this.dispatchEvent(new Event("wf-done"));
    return ticketsTexts().heldNow;
  });

  protected override render(): TemplateResult {
    const t = ticketsTexts();
    const fields = (): TemplateResult =>
      html`<p>${t.holdHint}</p>${this.#form.text("reason", t.reason, { most: 250 })}`;
    const content = this.#form.render(fields, t.hold, texts().dialog.cancel);
    return dialog(t.hold, content, () => {
      this.#form.reset();
      this.dispatchEvent(new Event("wf-left"));
    });
  }
}
