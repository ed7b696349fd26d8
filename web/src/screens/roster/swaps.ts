import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import { serverNow } from "../../api/clock.js";
import { Act } from "../../parts/act.js";
import { type NodeOf, nodes } from "../../parts/nodes.js";
import { Part, Reading } from "../../parts/part.js";
import { shown } from "../../parts/states.js";
import { type Column, table } from "../../parts/table.js";
import { dateOf } from "../../parts/time.js";
import { CancelShiftSwap, OwnSwaps, type OwnSwapsQuery } from "./roster.graphql.js";
import { rosterTexts } from "./texts.js";

type Asked = NodeOf<OwnSwapsQuery["shiftSwaps"]>;

/** What became of a request at an instant, in milliseconds: what nobody decided in time has expired. */
export function stateOf(swap: Pick<Asked, "state" | "expiresAt">, now: number): Asked["state"] {
  const waits = swap.state === "asked" || swap.state === "agreed";
  return waits && Date.parse(swap.expiresAt) <= now ? "expired" : swap.state;
}

/** The caller's requests to swap a shift, the latest dates first; nothing where there are none. */
@customElement("wf-own-swaps")
export class OwnSwapsList extends Part {
  /** The id of the caller. */
  @property() me = "";
  readonly #act = new Act(this);
  private readonly read = new Reading(this, (signal) => ask(OwnSwaps, { user: this.me }, { signal }));

  /** Reads them anew. */
  again(): void {
    void this.read.again();
  }

  protected override render(): TemplateResult | typeof nothing {
    if (this.read.value === undefined && this.read.error === undefined) return nothing;
    if (this.read.value && nodes(this.read.value.shiftSwaps).length === 0) return nothing;
    const t = rosterTexts();
    return html`<section aria-labelledby="own-swaps"><h2 id="own-swaps">${t.ownSwaps}</h2>
      ${this.#act.told()}
      ${shown(this.read, (read) => table(t.ownSwaps, this.columns(nodes(read.shiftSwaps)), nodes(read.shiftSwaps)))}</section>`;
  }

  private columns(list: readonly Asked[]): Column<Asked>[] {
    const t = rosterTexts();
    const state = (s: Asked): string => {
      const words = t.states[stateOf(s, serverNow())];
      return s.decisionNote ? `${words}: ${s.decisionNote}` : words;
    };
    return [
      { name: "give", label: t.give, text: given, order: (s) => s.date },
      { name: "get", label: t.get, text: (s) => `${s.wantedShift.name}, ${dateOf(s.wantedDate)}` },
      ...(list.some((s) => s.colleague)
        ? [{ name: "with", label: t.with, text: (s: Asked) => s.colleague?.name ?? "" }]
        : []),
      { name: "swap-note", label: t.note, text: (s) => s.note ?? "" },
      { name: "state", label: t.state, text: state },
      {
        name: "withdraw",
        label: t.withdraw,
        text: () => "",
        cell: (s) =>
          ["asked", "agreed"].includes(stateOf(s, serverNow()))
            ? html`<button type="button" aria-label=${t.withdrawOf(given(s))} ?disabled=${this.#act.busy}
                @click=${() => this.withdraw(s)}>${t.withdraw}</button>`
            : "",
      },
    ];
  }

  private async withdraw(swap: Asked): Promise<void> {
    await this.#act.run(async (key) => {
      await ask(CancelShiftSwap, { id: swap.id }, { key });
      return rosterTexts().withdrawn(given(swap));
    }, `cancel ${swap.id}`);
    await this.read.again();
    await this.updateComplete;
    if (document.activeElement === document.body) this.querySelector<HTMLElement>("button")?.focus();
  }
}

/** The shift that is given away, with its date. */
function given(swap: Asked): string {
  return `${swap.shift.name}, ${dateOf(swap.date)}`;
}
