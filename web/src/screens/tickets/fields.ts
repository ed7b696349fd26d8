import { html, nothing, type TemplateResult } from "lit";
import { Fault } from "../../api/fault.js";
import type { Form } from "../../parts/form.js";
import { people } from "../../parts/people.js";
import type { Pick } from "../../parts/pick.js";
import "../../parts/pick.js";
import { workTexts } from "../../parts/work-texts.js";
import { ticketsTexts } from "./texts.js";
import { nextOf, personOf, personText, priorities, type Ticket } from "./work.js";

type Category = { readonly id: string; readonly name: string };

/** What the fields of a ticket offer. */
export interface Offer {
  readonly categories: readonly Category[];
  /** Whether who looks gives tickets to others. */
  readonly assigns: boolean;
  /** The ticket as it is; undefined for a new one. */
  readonly ticket?: Ticket;
}

/** The fields of a ticket, the subject first. */
export function ticketFields(form: Form, offer: Offer): TemplateResult {
  const t = ticketsTexts();
  const w = workTexts();
  const { ticket } = offer;
  return html`${form.text("subject", t.subject, { required: true, most: 200 })}
    ${form.area("description", t.description, { most: 5000 })}
    <div class="fields">
      ${
        ticket
          ? form.choice(
              "status",
              w.status,
              nextOf(ticket.status, !!ticket.duplicateOf).map((s) => [s, t.statuses[s]] as const),
            )
          : nothing
      }
      ${form.choice(
        "priority",
        w.priority,
        priorities.map((p) => [p, w.priorities[p]] as const),
      )}
      ${form.choice("categoryId", w.category, options(offer))}
    </div>
    ${offer.assigns ? assignee(form, ticket) : nothing}`;
}

function options({ categories, ticket }: Offer): (readonly [string, string])[] {
  const own = ticket?.category;
  const missing = own && !categories.some((c) => c.id === own.id) ? [own] : [];
  return [["", workTexts().none], ...[...missing, ...categories].map((c) => [c.id, c.name] as const)];
}

function assignee(form: Form, ticket: Ticket | undefined): TemplateResult {
  const t = ticketsTexts();
  const chosen = personOf(form.value("assignee"));
  const known = new Map([ticket?.assignee, chosen].flatMap((p) => (p ? [[p.id, p.name] as const] : [])));
  const picked = (event: Event): void => form.set("assignee", personText((event.target as Pick).chosen[0]));
  const wrong = form.error instanceof Fault && form.error.of("assigneeId") !== "";
  return form.around(
    "assigneeId",
    t.assignTo,
    html`<wf-pick .field=${form.id("assigneeId")} .label=${t.assignTo} .wrong=${wrong}
      .chosen=${chosen ? [chosen] : []} .find=${people} @wf-picked=${picked}></wf-pick>`,
    { shows: (value) => known.get(String(value)) ?? String(value) },
  );
}
