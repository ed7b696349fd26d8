import { html, type TemplateResult } from "lit";
import { language, setLanguageHere } from "../texts/texts.js";

/** The choice of a language where nobody is signed in. */
export function languages(): TemplateResult {
  return html`<p>${(["id", "en"] as const).map(
    (
      l,
    ) => html`<button type="button" class="link" lang=${l} aria-pressed=${l === language()} @click=${() => setLanguageHere(l)}>
      ${l === "id" ? "Indonesia" : "English"}</button>`,
  )}</p>`;
}
