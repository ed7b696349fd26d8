import { html, nothing, type TemplateResult } from "lit";
import { instant, number } from "./format.js";
import type { Texts } from "./texts.js";
import { Widget } from "./widget.js";

interface Ticket {
  readonly id: string;
  readonly number: number;
  readonly subject: string;
  readonly status: string;
  readonly priority: string;
  readonly resolveBy: string | null;
  readonly resolvedAt: string | null;
}

interface Tickets {
  readonly open: number;
  readonly inProgress: number;
  readonly resolvedToday: number;
  readonly items: readonly Ticket[];
}

/** The tickets that a person sees. */
export class TicketWidget extends Widget<Tickets> {
  protected override readonly kind = "ticket";
  protected override readonly parameters = ["limit"];

  protected override heading(texts: Texts): string {
    return texts.ticket.title;
  }

  protected override rows(value: Tickets): unknown {
    return value.items;
  }

  protected override content(value: Tickets): TemplateResult {
    const t = this.texts.ticket;
    const names = ["open", "inProgress", "resolvedToday"] as const;
    return html`${this.counts(names.map((n) => [t[n], number(value[n], this.language)]))}
      ${
        value.items.length === 0
          ? html`<p class="faint" part="empty">${t.empty}</p>`
          : html`<ul part="list" role="list" aria-label=${t.list}>${value.items.map((i) => this.#item(i))}</ul>`
      }`;
  }

  #item(ticket: Ticket): TemplateResult {
    const { id, number: nr, subject, status, priority, resolveBy, resolvedAt } = ticket;
    const t = this.texts;
    const due = resolveBy === null || resolvedAt !== null ? "" : instant(resolveBy, this.language);
    const late = resolveBy !== null && Date.parse(resolveBy) < Date.now();
    const high = priority === "high" || priority === "urgent";
    const choose = () => this.select({ kind: "ticket", id, number: nr, subject, status });
    return html`<li part="item">
      <button type="button" part="item-button" @click=${choose}>
        <span class="name" part="item-title">#${nr} ${subject}</span>
        <span class="meta" part="item-meta">
          <span part="status">${t.ticket.statuses[status] ?? status}</span>
          <span part="priority" class=${high ? "strong" : ""}>${t.priority(t.priorities[priority] ?? priority)}</span>
          ${due ? html`<span part="due" class=${late ? "bad" : ""}>${late ? t.late(due) : t.due(due)}</span>` : nothing}
        </span>
      </button>
    </li>`;
  }
}
