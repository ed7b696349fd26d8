import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import { Act } from "../../parts/act.js";
import { question } from "../../parts/dialog.js";
import { Part } from "../../parts/part.js";
import { RemoveLogo, SetLogo, type SettingsQuery } from "./settings.graphql.js";
import { settingsTexts } from "./texts.js";

/** The logo of the company, which is kept as soon as it is chosen; `wf-changed` tells that it was. */
@customElement("wf-logo")
export class Logo extends Part {
  @property({ attribute: false }) company!: Pick<SettingsQuery["company"], "name" | "logo">;
  @state() private asking = false;
  private readonly act = new Act(this);

  private async run(what: (key: string) => Promise<string>): Promise<void> {
    if (await this.act.run(what)) this.dispatchEvent(new Event("wf-changed"));
  }

  readonly #upload = (event: Event): void => {
    const field = event.target as HTMLInputElement;
    const image = field.files?.[0];
    field.value = "";
    if (!image) return;
    void this.run(async (key) => {
      await ask(SetLogo, { image }, { key });
      return settingsTexts().logoSaved;
    });
  };

  protected override render(): TemplateResult {
    const t = settingsTexts();
    return html`<div class="field">
      <p>${t.logo}</p>
      <p><img class="logo" src=${new URL(this.company.logo, `${location.origin}/`).href} alt=${t.logoOf(this.company.name)}></p>
      <label for="logo">${t.upload}</label>
      <input id="logo" type="file" accept="image/jpeg,image/png,image/webp" aria-describedby="logo-hint"
        ?disabled=${this.act.busy} @change=${this.#upload}>
      <p id="logo-hint" class="hint">${t.logoHint}</p>
      <p><button type="button" ?disabled=${this.act.busy} @click=${() => {
        this.asking = true;
      }}>${t.removeLogo}</button></p>
      ${this.act.told()}
      ${this.asking ? this.question() : nothing}
    </div>`;
  }

  private question(): TemplateResult {
    const t = settingsTexts();
    return question(t.removeAsk, html`<p>${t.removeHint}</p>`, t.removeLogo, (yes) => {
      this.asking = false;
      if (!yes) return;
      void this.run(async (key) => {
        await ask(RemoveLogo, {}, { key });
        return settingsTexts().logoRemoved;
      });
    });
  }
}
