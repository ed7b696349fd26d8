import { html, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import { dialog } from "../../parts/dialog.js";
import { Form } from "../../parts/form.js";
import { Part } from "../../parts/part.js";
import type { Option, Pick } from "../../parts/pick.js";
import "../../parts/pick.js";
import { texts } from "../../texts/texts.js";
import { ticketsTexts } from "./texts.js";
import { FindTickets, UpdateTicket } from "./tickets.graphql.js";
import { type Ticket, versionOf } from "./work.js";

/** How many tickets are offered. */
const offered = 8;

/** Asks which ticket another one is a duplicate of. `wf-done` tells that they are merged, `wf-left` that not. */
@customElement("wf-merge")
export class Merge extends Part {
  @property({ attribute: false }) ticket!: Ticket;
  @state() private chosen: readonly Option[] = [];
  readonly #form = new Form(this, "merge", async (_, key) => {
    const input = { duplicateOfId: this.chosen[0]?.id ?? "", ...versionOf(this.ticket) };
    await ask(UpdateTicket, { id: this.ticket.id, input }, { key });
    this.dispatchEvent(new Event("wf-done"));
    return ticketsTexts().merged;
  });

  private readonly find = async (search: string, signal: AbortSignal): Promise<readonly Option[]> => {
    const { ticketList } = await ask(FindTickets, { search, limit: offered }, { signal });
    return ticketList.nodes
      .filter((n) => n.id !== this.ticket.id)
      .map((n) => ({ id: n.id, name: `#${n.number} ${n.subject}` }));
  };

  protected override render(): TemplateResult {
    const t = ticketsTexts();
    const picked = (event: Event): void => {
      this.chosen = (event.target as Pick).chosen;
    };
    const fields = (): TemplateResult =>
      html`<p>${t.mergeHint}</p>${this.#form.around(
        "duplicateOfId",
        t.mergeInto,
        html`<wf-pick .field=${this.#form.id("duplicateOfId")} .label=${t.mergeInto} .chosen=${this.chosen}
        .find=${this.find} .wrong=${this.#form.error !== undefined} @wf-picked=${picked}></wf-pick>`,
      )}`;
    const content = this.#form.render(fields, t.merge, texts().dialog.cancel);
    return dialog(t.mergeHeading, content, () => this.dispatchEvent(new Event("wf-left")));
  }
}
