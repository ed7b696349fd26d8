import { html, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { closing, dialog } from "../../parts/dialog.js";
import { Part } from "../../parts/part.js";
import { texts } from "../../texts/texts.js";
import { peopleTexts } from "./texts.js";

/** Asks whether a person is erased, who is named by typing. `wf-answered` tells once. */
@customElement("wf-erase")
export class EraseQuestion extends Part {
  @property() name = "";
  @state() private typed = "";

  private get named(): boolean {
    const plain = (text: string): string => text.trim().toLocaleLowerCase();
    return plain(this.typed) === plain(this.name);
  }

  protected override render(): TemplateResult {
    const t = peopleTexts();
    const yes = (event: Event): void => {
      event.preventDefault();
      if (this.named) (event.currentTarget as Element).closest("dialog")?.close("yes");
    };
    const content = html`<form class="form" @submit=${yes}><p>${t.eraseHint}</p>
      <div class="field"><label for="erase-name">${t.eraseType(this.name)}</label>
        <input id="erase-name" autocomplete="off" @input=${(e: Event) => {
          this.typed = (e.target as HTMLInputElement).value;
        }}></div>
      <div class="actions"><button type="submit" class="primary" ?disabled=${!this.named}>${t.erase}</button>
        ${closing(texts().dialog.cancel)}</div></form>`;
    return dialog(t.eraseAsk(this.name), content, (event) =>
      this.dispatchEvent(
        new CustomEvent("wf-answered", { detail: (event.currentTarget as HTMLDialogElement).returnValue === "yes" }),
      ),
    );
  }
}
