import { html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { Fault } from "../../api/fault.js";
import { session } from "../../api/session.js";
import { languages } from "../../parts/languages.js";
import { Part } from "../../parts/part.js";
import { words } from "../../parts/states.js";
import { go } from "../../router.js";
import { languageHere, setLanguage, texts } from "../../texts/texts.js";
import { recoverTexts } from "./texts.js";

/** Sets another password by an operator's link, whose token is behind # in the address: no server is sent that. */
@customElement("wf-recover")
export class Recover extends Part {
  @state() private busy = false;
  @state() private done = false;
  @state() private error: unknown;

  readonly #linked = () => {
    this.error = undefined;
    this.requestUpdate();
  };

  override connectedCallback(): void {
    super.connectedCallback();
    setLanguage(languageHere());
    addEventListener("hashchange", this.#linked);
  }

  override disconnectedCallback(): void {
    removeEventListener("hashchange", this.#linked);
    super.disconnectedCallback();
  }

  protected override firstUpdated(): void {
    this.querySelector("input")?.focus();
  }

  protected override updated(): void {
    document.title = `${recoverTexts().heading} · ${texts().app}`;
  }

  protected override render(): TemplateResult {
    return html`<main class="sign-in">
      <h1 tabindex="-1">${recoverTexts().heading}</h1>
      <p role="status">${this.done ? recoverTexts().done : ""}</p>
      ${this.done ? this.onward() : token() === "" ? this.incomplete() : this.form()}
      ${languages()}
    </main>`;
  }

  private onward(): TemplateResult {
    return html`<button type="button" class="primary" @click=${() => go("/app/sign-in")}>${recoverTexts().signIn}</button>`;
  }

  private incomplete(): TemplateResult {
    return html`<p class="fault" role="alert">${recoverTexts().incomplete}</p>`;
  }

  private form(): TemplateResult {
    const t = recoverTexts();
    const wrong = this.error instanceof Fault ? this.error.of("password") : "";
    return html`<form @submit=${this.submit} novalidate>
      <p>${t.lead}</p>
      <input name="username" type="text" autocomplete="username" hidden>
      <label for="password">${t.password}</label>
      <p class="hint" id="password-hint">${t.passwordHint}</p>
      <input id="password" name="password" type="password" autocomplete="new-password" required
        aria-invalid=${wrong !== ""} aria-describedby="password-fault password-hint">
      <p id="password-fault" class="fault" role=${wrong === "" ? nothing : "alert"}>${wrong}</p>
      ${this.error === undefined || wrong !== "" ? nothing : html`<p class="fault" role="alert">${this.told()}</p>`}
      <button type="submit" class="primary" ?disabled=${this.busy}>${t.submit}</button>
    </form>`;
  }

  /** What went wrong, in words. */
  private told(): string {
    return this.error instanceof Fault && this.error.code === "NOT_FOUND" ? recoverTexts().gone : words(this.error);
  }

  private readonly submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (this.busy) return;
    const password = new FormData(event.target as HTMLFormElement).get("password");
    this.busy = true;
    this.error = undefined;
    try {
      await session.recover(token(), String(password ?? ""));
      this.done = true;
      history.replaceState(null, "", location.pathname); // the token is used up
    } catch (error) {
      this.error = error;
    }
    this.busy = false;
    await this.updateComplete;
    this.querySelector<HTMLElement>(this.done ? "main button.primary" : "[aria-invalid=true]")?.focus();
  };
}

/** The token of the link; "" without one. */
function token(): string {
  return location.hash.slice(1);
}
