import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import { serverNow } from "../../api/clock.js";
import { Act } from "../../parts/act.js";
import { question } from "../../parts/dialog.js";
import { type NodeOf, nodes } from "../../parts/nodes.js";
import { Part, Reading } from "../../parts/part.js";
import { shown } from "../../parts/states.js";
import { type Column, table } from "../../parts/table.js";
import { dateAndTime } from "../../parts/time.js";
import { may, query, setQuery } from "../../router.js";
import type { StartQuery } from "../../shell.graphql.js";
import { texts } from "../../texts/texts.js";
import "./key-form.js";
import { EndKey, KeyTable, type KeyTableQuery } from "./keys.graphql.js";
import { keysTexts } from "./texts.js";

type Key = NodeOf<KeyTableQuery["apiKeys"]>;

/** How a state is coloured, besides its word. */
const tones = { valid: "in", expired: "missing", revoked: "missing" } as const;

/** The API keys of the company: what they may, when they were used; to make and to revoke them. */
@customElement("wf-keys")
export class Keys extends Part {
  @property({ attribute: false }) start!: StartQuery;
  @state() private asked: Key | undefined;
  private readonly act = new Act(this);
  private readonly read = new Reading(this, (signal) => ask(KeyTable, {}, { signal }));
  readonly #place = (): void => this.requestUpdate();

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("wf-place", this.#place);
  }

  override disconnectedCallback(): void {
    removeEventListener("wf-place", this.#place);
    super.disconnectedCallback();
  }

  private get writes(): boolean {
    return may(this.start, "developer.write.all");
  }

  protected override render(): TemplateResult {
    const t = keysTexts();
    return html`<div class="title"><h1 tabindex="-1">${texts().screens.keys}</h1></div>
      <p class="hint">${t.hint}</p>
      ${this.writes ? html`<div class="actions no-print"><button type="button" class="primary" @click=${() => setQuery({ key: "new" })}>${t.add}</button></div>` : nothing}
      ${this.act.told()}
      ${shown(this.read, (read) => this.list(read))}
      ${this.asked ? this.question(this.asked) : nothing}`;
  }

  private list(read: KeyTableQuery): TemplateResult {
    const t = keysTexts();
    const rows = nodes(read.apiKeys);
    const form =
      this.writes && query().get("key") === "new"
        ? html`<wf-key-form .mine=${this.start.tokenInfo.permissions} .businesses=${read.businessStructure}
            @wf-changed=${() => this.read.again()}></wf-key-form>`
        : nothing;
    return html`${rows.length === 0 ? html`<div class="state"><p>${t.empty}</p></div>` : table(t.table, this.columns(), rows)}${form}`;
  }

  private columns(): Column<Key>[] {
    const t = keysTexts();
    const at = (time: string): string => dateAndTime(time, this.start.company.timezone);
    const used = (k: Key): string =>
      k.lastUsedAt ? `${at(k.lastUsedAt)}${k.lastAddress ? ` ${t.from(k.lastAddress)}` : ""}` : t.never;
    return [
      { name: "name", label: t.name, text: (k) => k.name },
      {
        name: "state",
        label: t.state,
        text: (k) => t.states[stateOf(k)],
        cell: (k) =>
          html`<span class="fate"><span class="status ${tones[stateOf(k)]}">${t.states[stateOf(k)]}</span> ${this.button(k)}</span>`,
      },
      { name: "used", label: t.used, text: used, order: (k) => k.lastUsedAt ?? "" },
      { name: "may", label: t.may, text: (k) => k.permissions.join(", "), cell: (k) => this.permissions(k) },
      { name: "business", label: t.business, text: (k) => k.business?.name ?? t.everybody },
      { name: "expires", label: t.expires, text: (k) => at(k.expiresAt), order: (k) => k.expiresAt },
      { name: "maker", label: t.maker, text: (k) => k.creator.name },
      { name: "made", label: t.made, text: (k) => at(k.createdAt), order: (k) => k.createdAt },
    ];
  }

  private permissions(k: Key): TemplateResult {
    return html`<details><summary>${keysTexts().more(k.permissions.length)}</summary>${k.permissions.join(", ")}</details>`;
  }

  private button(k: Key): TemplateResult | typeof nothing {
    if (!this.writes || stateOf(k) !== "valid") return nothing;
    const t = keysTexts();
    return html`<button type="button" class="no-print" aria-label=${t.revokeNamed(k.name)} ?disabled=${this.act.busy}
      @click=${() => (this.asked = k)}>${t.revoke}</button>`;
  }

  private question(k: Key): TemplateResult {
    const t = keysTexts();
    return question(t.revokeAsk(k.name), html`<p>${t.revokeHint}</p>`, t.revoke, async (yes) => {
      this.asked = undefined;
      if (!yes) return;
      await this.act.run(async (key) => {
        await ask(EndKey, { id: k.id }, { key });
        await this.read.again();
        return t.revoked(k.name);
      }, `revoke ${k.id}`);
      this.querySelector<HTMLElement>("h1")?.focus(); // the key's button is gone
    });
  }
}

function stateOf(k: Key): "valid" | "expired" | "revoked" {
  if (k.revokedAt) return "revoked";
  return Date.parse(k.expiresAt) > serverNow() ? "valid" : "expired";
}

export function show(start: StartQuery): TemplateResult {
  return html`<wf-keys .start=${start}></wf-keys>`;
}
