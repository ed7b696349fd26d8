import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { headingLevel, nearestLanguage, watchLanguage } from "./around.js";
import { badEndpoint, type Fault, faultWith } from "./fault.js";
import { Reader } from "./reader.js";
import { style } from "./style.js";
import { type Language, type Texts, textsOf } from "./texts.js";
import { fixed, type Need, provided, type Source, type TokenProvider } from "./token.js";

/** Where this script came from, which is the server unless the attribute endpoint names another one. */
const home = new URL(import.meta.url).origin;

/** What the event workforce-error tells. */
export interface ErrorDetail {
  readonly code: string;
  readonly message: string;
  readonly requestId: string;
}

/** What the event workforce-select tells. */
export interface Chosen {
  readonly kind: "day" | "task" | "ticket";
  readonly id: string;
  readonly [member: string]: unknown;
}

/** An element that shows one answer of GET /widget/… in a page of whomever. */
export abstract class Widget<Value> extends LitElement {
  static override styles = style;
  static override properties = {
    endpoint: { reflect: true },
    theme: { reflect: true },
    from: { reflect: true },
    to: { reflect: true },
    limit: { reflect: true },
    token: { attribute: false },
    tokenProvider: { attribute: false },
  };

  declare endpoint: string | null;
  declare theme: string | null;
  declare from: string | null;
  declare to: string | null;
  declare limit: string | number | null;
  declare token: string | null;
  declare tokenProvider: TokenProvider | null;

  protected abstract readonly kind: Need["widget"];
  /** The names of the parameters of the request, each that of a property. */
  protected abstract readonly parameters: readonly string[];

  #source: Source | undefined;
  #told = "";
  #unwatch = () => {};
  readonly #reader = new Reader(() => this.requestUpdate());

  static override get observedAttributes(): string[] {
    // biome-ignore lint/complexity/noThisInStatic: those of the class that is defined, not of LitElement
    return [...super.observedAttributes, "lang", "token"];
  }

  /** In which language it is. */
  protected language: Language = "en";

  /** The texts of its language. */
  protected get texts(): Texts {
    return textsOf(this.language);
  }

  protected abstract heading(texts: Texts): string;
  /** What stands beside the heading; "" for nothing. */
  protected period(_value: Value): string {
    return "";
  }
  protected abstract content(value: Value): TemplateResult;
  /** The rows of an answer. */
  protected abstract rows(value: Value): unknown;

  override attributeChangedCallback(name: string, before: string | null, value: string | null): void {
    if (name === "token") {
      if (value !== null)
        console.warn(`<${this.localName}>: a token is no attribute; set the property token or tokenProvider.`);
    } else if (name === "lang") this.requestUpdate();
    else super.attributeChangedCallback(name, before, value);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#unwatch = watchLanguage(() => {
      if (nearestLanguage(this) !== this.language) this.requestUpdate();
    });
    this.requestUpdate();
    this.#reader.start();
  }

  override disconnectedCallback(): void {
    this.#unwatch();
    this.#reader.stop();
    super.disconnectedCallback();
  }

  protected override willUpdate(changed: PropertyValues): void {
    this.language = nearestLanguage(this);
    const base = this.#base();
    const need = { widget: this.kind, userId: this.#parameter("userId") || null, endpoint: base };
    if (this.tokenProvider) this.#source = provided(this.tokenProvider, need);
    else if (changed.has("token") || changed.has("tokenProvider"))
      this.#source = this.token ? fixed(String(this.token)) : undefined;
    const query = new URLSearchParams();
    for (const name of this.parameters) {
      const value = this.#parameter(name);
      if (value) query.set(name, value);
    }
    const url = `${base}/widget/${this.kind}${query.size > 0 ? `?${query}` : ""}`;
    this.#reader.want(base ? { url, language: this.language, source: this.#source } : undefined);
  }

  protected override render(): TemplateResult {
    const { value, fault } = this.#shown();
    const t = this.texts;
    return html`<div class="widget" part="widget" role="group" aria-labelledby="title" lang=${this.language}
      aria-busy=${!value && !fault}>
      <header part="header">
        <span id="title" class="title" part="title" role="heading" aria-level=${headingLevel(this)}
          >${this.heading(t)}</span>
        ${value && html`<span class="faint" part="period">${this.period(value)}</span>`}
      </header>
      <div class="alert" role="status" part="error">${fault ? this.#fault(fault, value) : nothing}</div>
      ${fault ? this.#after(fault) : nothing}
      ${value ? this.content(value) : fault ? nothing : html`<p class="faint" part="loading">${t.loading}</p>`}
    </div>`;
  }

  protected override updated(): void {
    const { fault } = this.#shown();
    const code = fault?.code ?? "";
    if (code && code !== this.#told) {
      const detail: ErrorDetail = { code, message: this.#words(fault as Fault), requestId: fault?.requestId ?? "" };
      this.dispatchEvent(new CustomEvent("workforce-error", { detail, bubbles: true, composed: true }));
    }
    this.#told = code;
  }

  /** Tells the page what was chosen. */
  protected select(detail: Chosen): void {
    this.dispatchEvent(new CustomEvent("workforce-select", { detail, bubbles: true, composed: true }));
  }

  /** Counts, each with its name. */
  protected counts(of: readonly (readonly [name: string, count: string])[]): TemplateResult {
    const one = ([name, count]: readonly [string, string]) =>
      html`<div part="count"><dt part="count-name">${name}</dt><dd part="count-value">${count}</dd></div>`;
    return html`<dl part="counts">${of.map(one)}</dl>`;
  }

  /** Where the server is, without a slash at the end; "" for no address. */
  #base(): string {
    try {
      const url = new URL(this.endpoint || home, document.baseURI);
      return /^https?:$/.test(url.protocol) ? (url.origin + url.pathname).replace(/\/+$/, "") : "";
    } catch {
      return "";
    }
  }

  #parameter(name: string): string {
    return String(this[name as keyof this] ?? "").trim();
  }

  #shown(): { value: Value | undefined; fault: Fault | undefined } {
    if (!this.#base()) return { value: undefined, fault: faultWith(badEndpoint, false) };
    const { value, fault } = this.#reader;
    const sound = value !== undefined && Array.isArray(this.rows((value ?? {}) as Value));
    if (value !== undefined && !sound) return { value: undefined, fault: fault ?? faultWith("INTERNAL", false) };
    return { value: value as Value | undefined, fault };
  }

  #words(fault: Fault): string {
    const { faults } = this.texts;
    return faults[fault.code] ?? (fault.message || faults.INTERNAL || "");
  }

  /** What went wrong, said once however often it does. */
  #fault(fault: Fault, value: Value | undefined): TemplateResult {
    return html`${value ? `${this.texts.old} ` : ""}${this.#words(fault)}`;
  }

  /** By what to find a fault in the log of the server, and what to do about it. */
  #after(fault: Fault): TemplateResult {
    const { requestId, retry } = this.texts;
    const button = html`<button type="button" class="retry" part="retry" @click=${this.#retry}>${retry}</button>`;
    return html`<p class="meta" part="error-footer">
      ${fault.requestId ? html`<span part="request-id">${requestId}: ${fault.requestId}</span>` : nothing}
      ${fault.code === badEndpoint ? nothing : button}
    </p>`;
  }

  readonly #retry = () => this.#reader.retry();
}
