import { html, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import { regain } from "../../parts/focus.js";
import { Part, Reading } from "../../parts/part.js";
import { shown } from "../../parts/states.js";
import { type Consents, consent, consentChanged, consents } from "./consent.js";
import { PositionsKept } from "./positions.graphql.js";
import { positionsTexts } from "./positions-texts.js";

/**
 * What the person's positions are used for, who sees them and for how long they are kept, and how to agree again to
 * what the clock needs, which dispatches "wf-consent".
 */
@customElement("wf-positions")
export class Positions extends Part {
  @state() private agreed: Consents = {};
  /** Whether the person agreed here. */
  @state() private allowed = false;
  private readonly read = new Reading(this, (signal) => ask(PositionsKept, {}, { signal }));

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener(consentChanged, this.#look);
    void this.#look();
  }

  override disconnectedCallback(): void {
    removeEventListener(consentChanged, this.#look);
    super.disconnectedCallback();
  }

  readonly #look = async (): Promise<void> => {
    this.agreed = await consents();
    if (!this.agreed.position) this.allowed = false;
  };

  protected override render(): TemplateResult {
    return html`<h2>${positionsTexts().heading}</h2>
      ${shown(this.read, ({ company }) => this.content(company.settings.coordinateDays))}`;
  }

  private content(days: number): TemplateResult {
    const t = positionsTexts();
    return html`<h3>${t.clock}</h3><p>${t.clockHow(days)}</p>
      <p class="so" role="status" tabindex="-1">${this.allowed ? t.allowed : this.agreed.position ? t.clockYes : t.clockNo}</p>
      ${this.agreed.position ? "" : html`<button type="button" @click=${this.#allow}>${t.allow}</button>`}
      <h3>${t.duty}</h3><ul><li>${t.often}</li><li>${t.who}</li><li>${t.long(days)}</li></ul>`;
  }

  readonly #allow = async (): Promise<void> => {
    await consent({ position: true });
    this.allowed = true;
    this.dispatchEvent(new Event("wf-consent"));
    await this.updateComplete;
    regain(this.querySelector(".so"));
  };
}
