import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import type { MessageWhereInput } from "../../api/schema.js";
import { Act } from "../../parts/act.js";
import { dateFilter, dateOfQuery, filter, idOfQuery } from "../../parts/filters.js";
import { type NodeOf, nodes } from "../../parts/nodes.js";
import { Part, Reading } from "../../parts/part.js";
import { shown } from "../../parts/states.js";
import { type Column, table } from "../../parts/table.js";
import { addDays, dateAndTime, instantIn } from "../../parts/time.js";
import { may, query, setQuery } from "../../router.js";
import type { StartQuery } from "../../shell.graphql.js";
import { texts } from "../../texts/texts.js";
import { MessagePage, type MessagePageQuery, SendAgain } from "./messages.graphql.js";
import { messagesTexts } from "./texts.js";

type Message = NodeOf<MessagePageQuery["messages"]>;

/** How many messages are shown at first, how many more each time, and at most. */
const few = 50;
const most = 1000;
/** What of the address filters. */
const filters = ["fate", "kind", "channel", "to", "from", "until"] as const;
/** Messages with a code that lets somebody in, which are never sent again. */
const codes: readonly string[] = ["login_code", "reset_code", "face_code"];

const statuses = ["queued", "sent", "delivered", "read", "failed"] as const;
const channels = ["email", "sms", "whatsapp"] as const;
/** How a fate is coloured, besides its word. */
const tones = { queued: "late", sent: "", delivered: "in", read: "in", failed: "missing" } as const;

/** The messages that people were sent, with what became of them. */
@customElement("wf-messages")
export class Messages extends Part {
  @property({ attribute: false }) start!: StartQuery;
  #asked = "";
  private readonly act = new Act(this);
  private readonly read = new Reading(this, (signal) => {
    const variables = this.wanted();
    this.#asked = JSON.stringify(variables);
    return ask(MessagePage, variables, { signal });
  });

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("wf-place", this.#place);
  }

  override disconnectedCallback(): void {
    removeEventListener("wf-place", this.#place);
    super.disconnectedCallback();
  }

  /** Reads anew where the address asks for other messages. */
  readonly #place = (): void => {
    this.requestUpdate();
    if (JSON.stringify(this.wanted()) !== this.#asked) void this.read.again();
  };

  private wanted() {
    const q = query();
    const zone = this.start.company.timezone;
    const status = statuses.find((s) => s === q.get("fate"));
    const channel = channels.find((c) => c === q.get("channel"));
    const kind = q.get("kind") ?? "";
    const [to, from, until] = [idOfQuery("to"), dateOfQuery("from"), dateOfQuery("until")];
    const and: MessageWhereInput[] = [
      ...(status ? [{ status }] : []),
      ...(channel ? [{ channel }] : []),
      ...(kind ? [{ kind }] : []),
      ...(to ? [{ hasUserWith: [{ id: to }] }] : []),
      ...(from ? [{ createdAtGTE: instantIn(zone, `${from}T00:00`) }] : []),
      ...(until ? [{ createdAtLT: instantIn(zone, `${addDays(until, 1)}T00:00`) }] : []),
    ];
    const first = Math.min(most, Math.max(few, Number.parseInt(q.get("shown") ?? "", 10) || few));
    return { first, where: and.length > 0 ? { and } : null };
  }

  protected override render(): TemplateResult {
    const t = messagesTexts();
    return html`<div class="title"><h1 tabindex="-1">${texts().screens.messages}</h1></div>
      <p class="hint">${t.hint}</p>
      ${this.filters()}
      ${this.act.told()}
      ${shown(this.read, (read) => this.list(read))}`;
  }

  private filters(): TemplateResult {
    const t = messagesTexts();
    const kinds = Object.entries(t.kinds).sort((a, b) => a[1].localeCompare(b[1]));
    return html`<search class="filters no-print">
      <wf-person-filter .label=${t.person} .name=${"to"}></wf-person-filter>
      ${filter("fate", t.fate, [["", t.all], ...statuses.map((s) => [s, t.statuses[s]] as const)])}
      ${filter("kind", t.what, [["", t.all], ...kinds])}
      ${filter("channel", t.channel, [["", t.all], ...channels.map((c) => [c, t.channels[c]] as const)])}
      ${dateFilter(t.from, "from")}${dateFilter(t.until, "until")}
      ${filters.some((f) => query().has(f)) ? html`<button type="button" class="link" @click=${this.#reset}>${t.reset}</button>` : nothing}
    </search>`;
  }

  readonly #reset = (): void => setQuery(Object.fromEntries(filters.map((f) => [f, ""])));

  private list({ messages }: MessagePageQuery): TemplateResult {
    const t = messagesTexts();
    const rows = nodes(messages);
    const { first } = this.wanted();
    if (rows.length === 0)
      return html`<div class="state"><p>${filters.some((f) => query().has(f)) ? t.nothing : t.empty}</p></div>`;
    return html`${table(texts().screens.messages, this.columns(), rows)}
      ${
        rows.length < messages.totalCount
          ? html`<p class="more no-print">${texts().table.shown(rows.length, messages.totalCount)}
            <button type="button" ?disabled=${first >= most || this.read.busy} @click=${() => setQuery({ shown: String(Math.min(most, first + few * 2)) })}>${texts().table.more}</button></p>`
          : nothing
      }`;
  }

  private columns(): Column<Message>[] {
    const t = messagesTexts();
    const at = (time: string | null | undefined): string =>
      time ? dateAndTime(time, this.start.company.timezone) : "";
    const kind = (m: Message): string => t.kinds[m.kind] ?? m.kind;
    return [
      { name: "to", label: t.to, text: (m) => m.user.name },
      { name: "what", label: t.what, text: kind },
      {
        name: "fate",
        label: t.fate,
        text: (m) => t.statuses[m.status],
        cell: (m) =>
          html`<span class="fate"><span class="status ${tones[m.status]}">${t.statuses[m.status]}</span> ${this.button(m, kind(m))}</span>`,
        order: (m) => statuses.indexOf(m.status),
      },
      { name: "reason", label: t.reason, text: (m) => m.error ?? "" },
      { name: "channel", label: t.channel, text: (m) => t.channels[m.channel] },
      { name: "written", label: t.written, text: (m) => at(m.createdAt), order: (m) => m.createdAt },
      { name: "sent", label: t.sent, text: (m) => at(m.sentAt), order: (m) => m.sentAt ?? "~" },
    ];
  }

  /** The button that sends a message again: none for codes, and for what waits. */
  private button(m: Message, kind: string): TemplateResult | typeof nothing {
    if (!may(this.start, "message.write") || codes.includes(m.kind) || m.status === "queued") return nothing;
    const t = messagesTexts();
    return html`<button type="button" class="no-print" ?disabled=${this.act.busy}
      @click=${() => this.#again(m, kind)}>${t.again}</button>`;
  }

  async #again(m: Message, kind: string): Promise<void> {
    await this.act.run(async (key) => {
      await ask(SendAgain, { id: m.id }, { key });
      await this.read.again();
      return messagesTexts().repeated(kind, m.user.name);
    }, `again ${m.id}`);
  }
}

export function show(start: StartQuery): TemplateResult {
  return html`<wf-messages .start=${start}></wf-messages>`;
}
