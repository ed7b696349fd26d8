import { html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { Fault, isPassing } from "../api/fault.js";
import { type SignInAnswer, session } from "../api/session.js";
import { languages } from "../parts/languages.js";
import { Part } from "../parts/part.js";
import { words } from "../parts/states.js";
import { query } from "../router.js";
import { languageHere, setLanguage, texts } from "../texts/texts.js";

/** Where somebody is on the way in. */
type Step = "password" | "code" | "approval" | "forgot" | "reset";

/** The fields, of all steps. */
const fieldNames = ["username", "password", "otp"] as const;
type FieldName = (typeof fieldNames)[number];

/** How often it is asked whether the browser was approved, in milliseconds. */
const approvalEvery = 5_000;

/** Signs somebody in: a password, a code on a new browser, an approval where the company wants one. */
@customElement("wf-sign-in")
export class SignIn extends Part {
  @state() private step: Step = "password";
  @state() private busy = false;
  @state() private error: unknown;
  @state() private note = query().has("ended") ? "ended" : "";
  @state() private destination = "";
  /** How many clock events of this device wait, whoever's they are. */
  @state() private unsent = 0;
  #username = "";
  #timer = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    setLanguage(languageHere()); // not that of who was signed in last
    void this.#count();
  }

  async #count(): Promise<void> {
    try {
      this.unsent = await (await import("../phone/store.js")).countEvents();
    } catch {
      // This browser keeps nothing, or it is not there without a network: one signs in all the same.
    }
  }

  protected override firstUpdated(): void {
    this.querySelector("input")?.focus();
  }

  protected override updated(): void {
    document.title = `${texts().signIn.heading} · ${texts().app}`;
  }

  override disconnectedCallback(): void {
    clearInterval(this.#timer);
    super.disconnectedCallback();
  }

  protected override render(): TemplateResult {
    const t = texts().signIn;
    return html`<main class="sign-in">
      <h1 tabindex="-1">${t.heading}</h1>
      <p role="status">${this.note === "ended" ? t.ended : this.note === "set" ? t.passwordSet : ""}</p>
      <p role="status">${this.unsent > 0 ? t.unsent(this.unsent) : ""}</p>
      ${this.step === "approval" ? this.approval() : this.form()}
      ${languages()}
    </main>`;
  }

  private approval(): TemplateResult {
    const t = texts().signIn;
    return html`<p>${t.approval}</p><button type="button" @click=${this.#resume}>${t.again}</button>`;
  }

  private form(): TemplateResult {
    const t = texts().signIn;
    const submit = {
      password: t.submit,
      code: t.continue,
      forgot: t.sendCode,
      reset: t.setPassword,
      approval: "",
    }[this.step];
    return html`<form @submit=${this.#submit} novalidate>
      ${this.fields()}
      ${
        this.error === undefined || fieldNames.some((name) => this.wrong(name) !== "")
          ? "" // a field says it
          : html`<p class="fault" role="alert">${words(this.error)}</p>`
      }
      <button type="submit" class="primary" ?disabled=${this.busy}>${submit}</button>
      ${
        this.step === "password"
          ? html`<button type="button" class="link" @click=${() => this.move("forgot")}>${t.forgot}</button>`
          : html`<button type="button" class="link" @click=${() => this.move("password")}>${t.back}</button>`
      }
    </form>`;
  }

  private fields(): TemplateResult {
    const t = texts().signIn;
    const code = html`<p>${t.codeSent(this.destination)}</p>${this.field("otp", t.code, "text", "one-time-code", "numeric")}`;
    switch (this.step) {
      case "password":
        return html`${this.field("username", t.username, "text", "username", "email")}
          ${this.field("password", t.password, "password", "current-password")}`;
      case "forgot":
        return this.field("username", t.username, "text", "username", "email");
      case "reset":
        return html`${code}${this.field("password", t.newPassword, "password", "new-password")}`;
      default:
        return code;
    }
  }

  private field(name: FieldName, label: string, type: string, autocomplete: AutoFill, inputMode = ""): TemplateResult {
    const wrong = this.wrong(name);
    return html`<label for=${name}>${label}</label>
      <input id=${name} name=${name} type=${type} autocomplete=${autocomplete} inputmode=${inputMode}
        autocapitalize="none" spellcheck="false" required
        .value=${name === "username" ? this.#username : ""}
        aria-invalid=${wrong !== ""} aria-describedby=${`${name}-fault`}>
      <p id=${`${name}-fault`} class="fault" role=${wrong === "" ? nothing : "alert"}>${wrong}</p>`;
  }

  /** What is wrong with a field; "" for nothing. */
  private wrong(name: FieldName): string {
    return this.error instanceof Fault ? this.error.of(name) : "";
  }

  private move(step: Step): void {
    this.step = step;
    this.error = undefined;
    void this.updateComplete.then(() => this.querySelector<HTMLElement>("input, main button")?.focus());
  }

  readonly #submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (this.busy) return;
    const sent = new FormData(event.target as HTMLFormElement);
    const value = (name: string) => String(sent.get(name) ?? "");
    if (sent.has("username")) this.#username = value("username");
    this.busy = true;
    this.error = undefined;
    try {
      await this.send(value);
    } catch (error) {
      this.error = error;
    }
    this.busy = false;
  };

  private async send(value: (name: string) => string): Promise<void> {
    switch (this.step) {
      case "password":
        return this.enter(await session.signIn(this.#username, value("password")));
      case "code":
        return this.enter(await session.verify(value("otp").trim()));
      case "forgot":
        this.destination = (await session.forgot(this.#username)).destination;
        return this.move("reset");
      case "reset":
        await session.reset(value("otp").trim(), value("password"));
        this.note = "set";
        return this.move("password");
    }
  }

  /** Goes on by what the server answered. */
  private enter(answer: SignInAnswer): void {
    if (answer.state === "signed_in") return; // the session leads on
    if (answer.state === "approval") {
      if (this.step !== "approval") this.move("approval");
      this.#timer ||= window.setInterval(this.#resume, approvalEvery);
      return;
    }
    this.destination = answer.destination;
    this.move("code");
  }

  readonly #resume = async (): Promise<void> => {
    try {
      this.enter(await session.resume());
    } catch (error) {
      if (isPassing(error)) return; // it is asked again
      this.error = error;
      clearInterval(this.#timer);
      this.#timer = 0;
      this.move("password");
    }
  };
}
