import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { ask } from "./api/client.js";
import { isPassing } from "./api/fault.js";
import { session } from "./api/session.js";
import { closing, dialog, question } from "./parts/dialog.js";
import { Following } from "./parts/live.js";
import { forget, Part, Reading } from "./parts/part.js";
import { forbidden, isMissing, loading, missing, shown, words } from "./parts/states.js";
import { chooseTheme, theme, themes } from "./parts/theme.js";
import { title } from "./parts/title.js";
import { keep, kept } from "./phone/kept.js";
import { news } from "./phone/news.js";
import { go, home, may, mayOthers, place, type Screen } from "./router.js";
import { screens } from "./screens/screens.js";
import { SetLocale, Start, type StartQuery, Waiting, WaitingChanged } from "./shell.graphql.js";
import { isLanguage, language, setLanguage, texts } from "./texts/texts.js";

/** The frame around every screen: who is signed in, where one can go, and what is shown there. */
@customElement("wf-app")
export class App extends Part {
  @state() private screen: Screen | undefined;
  @state() private content: ((start: StartQuery) => TemplateResult) | undefined;
  @state() private online = navigator.onLine;
  @state() private error: unknown;
  /** Whether the files of the screen could not be loaded. */
  @state() private lost = false;
  @state() private open: "keys" | "palette" | undefined;
  /** Whether the menu of what is the person's own is open. */
  @state() private menu = false;
  /** Whether all links to screens are shown where a narrow page has them in one line that scrolls. */
  @state() private unfolded = false;
  /** Whether what is known of who is signed in was kept on this device, since the server does not answer. */
  @state() private old = false;
  /** How many clock events would wait on, where somebody wants to sign out. */
  @state() private unsent = 0;
  /** Whether somebody wants to sign out while the server cannot be reached, which alone ends a session. */
  @state() private stays = false;
  /** The link to the screen, once it is in sight. */
  #current: Element | null = null;
  private readonly start = new Reading(this, async (signal) => {
    const before = language();
    const start = await this.read(signal);
    const chosen = language() !== before; // meanwhile, which the answer does not know
    if (isLanguage(start.viewer.locale) && !chosen && !this.old) setLanguage(start.viewer.locale);
    return start;
  });
  private readonly waiting = new Reading(this, (signal) => ask(Waiting, {}, { signal }));
  // Kept by the element that it reads anew for.
  protected readonly changes = new Following(this, WaitingChanged, () => void this.waiting.again());

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("wf-place", this.#show);
    addEventListener("online", this.#line);
    addEventListener("offline", this.#line);
    addEventListener("keydown", this.#key);
    addEventListener("wf-news", this.#news);
    void this.#show();
  }

  protected override firstUpdated(): void {
    setTimeout(() => void import("./palette.js").catch(() => {}), 1_000); // so that Ctrl-K opens it at once
  }

  override disconnectedCallback(): void {
    removeEventListener("wf-place", this.#show);
    removeEventListener("online", this.#line);
    removeEventListener("offline", this.#line);
    removeEventListener("keydown", this.#key);
    removeEventListener("wf-news", this.#news);
    forget(); // nobody is signed in any more
    super.disconnectedCallback();
  }

  readonly #line = (): void => {
    this.online = navigator.onLine;
    if (!this.online) return;
    this.#reached();
    if (this.lost) void this.#load();
  };

  readonly #news = (): void => this.requestUpdate();

  /** Reads who is signed in; as it was kept on this device, where the server does not answer, and then soon anew. */
  private async read(signal: AbortSignal): Promise<StartQuery> {
    try {
      const start = await ask(Start, {}, { signal });
      this.old = false;
      this.#reached();
      if (session.userId === start.viewer.id) void keep("start", start).catch(() => {}); // there is no storage
      return start;
    } catch (error) {
      if (!isPassing(error)) throw error;
      const before = await kept<StartQuery>("start").catch(() => undefined);
      if (!before) throw error;
      this.old = true;
      this.#later();
      return before;
    }
  }

  readonly #show = async (): Promise<void> => {
    const name = place();
    this.unfolded = false;
    if (name === "") {
      this.#goHome();
      return;
    }
    if (name === "sign-in" || name === this.screen?.name) return;
    this.screen = screens.find((s) => s.name === name);
    await this.#load();
  };

  /** Loads the files of the screen. */
  readonly #load = async (): Promise<void> => {
    const { screen } = this;
    this.content = undefined;
    this.lost = false;
    await this.#do(async () => {
      const content = await screen?.load().catch((error) => {
        if (!isMissing(error)) throw error;
        if (this.screen === screen) this.lost = true;
        return undefined;
      });
      if (this.screen === screen) this.content = content;
    });
  };

  /** Leads to where the person begins, once it is known who they are. */
  #goHome(): void {
    if (place() === "" && this.start.value) go(home(this.start.value), { replace: true });
  }

  protected override updated(changed: PropertyValues): void {
    this.#goHome();
    title({ screen: this.name() });
    const current = this.querySelector("nav [aria-current]");
    if (current !== this.#current) current?.scrollIntoView({ block: "nearest", inline: "center" });
    this.#current = current;
    if (!changed.has("content") || !this.content) return;
    void this.#head();
  }

  /** Gives the focus to the heading of the screen, once the screen has rendered it. */
  async #head(): Promise<void> {
    await (this.querySelector("main > :last-child") as Partial<Part> | null)?.updateComplete;
    if (!this.menu) this.querySelector<HTMLElement>("main h1")?.focus(); // else somebody is in the menu already
  }

  protected override render(): TemplateResult {
    const t = texts().shell;
    const offline = !this.online || this.old;
    return html`
      <a class="skip" href="#content">${t.skip}</a>
      <header>
        <nav id="screens" class=${this.unfolded ? "unfolded" : ""} aria-label=${t.navigation}><ul>${this.visible().map((s) => this.link(s))}</ul></nav>
        <button type="button" class="unfold" aria-expanded=${this.unfolded} aria-controls="screens" @click=${this.#unfold}>${t.navigation}</button>
        <button type="button" aria-keyshortcuts="Control+K Meta+K" @click=${this.#search}>${texts().palette.search}</button>
        ${this.own()}
      </header>
      <main id="content" tabindex="-1">
        <p class="offline" role="status" ?hidden=${!offline}>${offline ? t.offline : ""}</p>
        <p class="news" role="status" ?hidden=${!news.reload}>${news.reload ? this.news(news.reload) : nothing}</p>
        ${this.error === undefined ? nothing : html`<p class="fault" role="alert">${words(this.error)}</p>`}
        ${this.start.value === undefined ? this.heading() : nothing}
        ${shown(this.start, (start) => this.outlet(start))}
      </main>
      ${this.open === "keys" ? this.keys() : nothing}
      ${this.open === "palette" ? this.palette() : nothing}
      ${this.unsent > 0 ? question(t.signOutAsk, html`<p>${t.unsent(this.unsent)}</p>`, t.signOut, this.#answered) : nothing}
      ${this.stays ? this.staying() : nothing}
    `;
  }

  /** That there is a new version, which loads the page anew; drafts and clock events stay. */
  private news(reload: () => void): TemplateResult {
    const t = texts().shell;
    return html`${t.news} <button type="button" @click=${reload}>${t.reload}</button>`;
  }

  /** The menu of what is the person's own, which their name opens. */
  private own(): TemplateResult {
    const t = texts().shell;
    const turn = (): void => {
      this.menu = !this.menu;
    };
    return html`<div class="own" tabindex="-1" @keydown=${this.#escape} @focusout=${this.#left}>
      <button type="button" class="who" aria-expanded=${this.menu} aria-controls="own" @click=${turn}>
        ${this.start.value?.viewer.name ?? t.menu}</button>
      <div id="own" class="menu" ?hidden=${!this.menu}>
        ${this.choice(t.language, language(), { en: "English", id: "Indonesia" }, this.#speak)}
        ${this.choice(t.theme, theme(), themes(t.themes), chooseTheme)}
        <button type="button" aria-keyshortcuts="?" @click=${this.#showKeys}>${texts().keys.heading}</button>
        <button type="button" @click=${this.#signOut}>${t.signOut}</button>
      </div>
    </div>`;
  }

  readonly #unfold = (): void => {
    this.unfolded = !this.unfolded;
  };

  readonly #escape = (event: KeyboardEvent): void => {
    if (event.key === "Escape" && this.menu) this.#closeMenu();
  };

  readonly #left = (event: FocusEvent): void => {
    const own = event.currentTarget as Element;
    if (!(event.relatedTarget instanceof Node && own.contains(event.relatedTarget))) this.menu = false;
  };

  #closeMenu(): void {
    this.querySelector<HTMLElement>(".who")?.focus();
    this.menu = false;
  }

  /** Shows the keys from the menu, to whose name the focus then returns. */
  readonly #showKeys = (): void => {
    this.#closeMenu();
    this.#toggle("keys");
  };

  /** What the screen shows, which has a heading of its own. */
  private outlet(start: StartQuery): TemplateResult {
    const t = texts().shell;
    if (!this.screen)
      return place() === ""
        ? loading()
        : html`${this.heading()}<div class="state"><p><a href=${home(start)}>${t.toStart}</a></p></div>`;
    if (!this.may(this.screen)) return html`${this.heading()}${forbidden()}`;
    if (this.lost) return html`${this.heading()}${missing(this.#load)}`;
    return this.content?.(start) ?? html`${this.heading()}${loading()}`;
  }

  /** The keys of the app and of the screen. */
  private keys(): TemplateResult {
    const t = texts().keys;
    const own = this.screen?.name === "inbox" ? t.inbox : [];
    const list = [...t.everywhere, ...own];
    const content = html`<dl class="keys">${list.map(
      ([key, what]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${what}</dd></div>`,
    )}</dl><div class="actions">${closing()}</div>`;
    return dialog(t.heading, content, () => this.#toggle(undefined));
  }

  private palette(): TemplateResult {
    const start = this.start.value;
    const all = start !== undefined && may(start, "attendance.read.all");
    const people = all ? "all" : start !== undefined && mayOthers(start, "attendance.read") ? "team" : "";
    return html`<wf-palette .screens=${this.visible()} .people=${people}
      @wf-closed=${() => this.#toggle(undefined)}></wf-palette>`;
  }

  readonly #toggle = (open: "keys" | "palette" | undefined): void => {
    this.open = open;
  };

  readonly #search = async (): Promise<void> => {
    await this.#do(() => import("./palette.js"));
    if (this.error === undefined) this.#toggle("palette");
  };

  readonly #key = (event: KeyboardEvent): void => {
    if (document.querySelector("dialog[open]")) return;
    const k = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (k) {
      event.preventDefault();
      void this.#search();
    } else if (event.key === "?" && !typing(event)) this.#toggle("keys");
  };

  private heading(): TemplateResult {
    if (place() === "") return html`<h1 class="hidden" tabindex="-1">${texts().app}</h1>`;
    return html`<h1 tabindex="-1">${this.name()}</h1>`;
  }

  private name(): string {
    if (this.screen) return texts().screens[this.screen.name];
    return place() === "" ? texts().app : texts().shell.notFound;
  }

  /** The screens that one sees, where one begins first. */
  private visible(): Screen[] {
    const start = this.start.value;
    const list = screens.filter((s) => this.may(s));
    const first = list.find((s) => start && home(start) === `/app/${s.name}`);
    return first ? [first, ...list.filter((s) => s !== first)] : list;
  }

  private may(screen: Screen): boolean {
    return this.start.value !== undefined && may(this.start.value, screen.needs);
  }

  private link(screen: Screen): TemplateResult {
    const current = screen === this.screen;
    const count = screen.name === "inbox" ? (this.waiting.value?.inboxCount.total ?? 0) : 0;
    const mark = html`<span class="badge" aria-hidden="true">${count}</span><span class="hidden">, ${texts().shell.waiting(count)}</span>`;
    return html`<li><a href="/app/${screen.name}" aria-current=${current ? "page" : nothing}
      >${texts().screens[screen.name]}${count > 0 ? mark : nothing}</a></li>`;
  }

  private choice(
    label: string,
    value: string,
    options: Record<string, string>,
    choose: (v: string) => void,
  ): TemplateResult {
    return html`<label>${label}
      <select @change=${(e: Event) => choose((e.target as HTMLSelectElement).value)}>
        ${Object.entries(options).map(([v, text]) => html`<option value=${v} .selected=${v === value}>${text}</option>`)}
      </select></label>`;
  }

  /** Speaks a language from now on, which is kept with the person. */
  readonly #speak = async (chosen: string): Promise<void> => {
    if (!isLanguage(chosen)) return;
    setLanguage(chosen);
    await this.#do(() => ask(SetLocale, { locale: chosen }));
  };

  /** That one stays signed in, since the server cannot be reached. */
  private staying(): TemplateResult {
    const t = texts().shell;
    return dialog(
      t.staysAsk,
      html`<p>${t.stays}</p><div class="actions">${closing()}</div>`,
      () => (this.stays = false),
    );
  }

  /** Signs out, after a question where clock events wait; without a network it says that it needs one. */
  readonly #signOut = (): Promise<void> =>
    this.#do(async () => {
      const { clockQueue } = await import("./phone/queue.js");
      const waiting = await clockQueue.list().catch(() => []);
      const alone = !navigator.onLine;
      if (alone || waiting.length > 0) this.#closeMenu(); // to whose name the focus returns
      this.stays = alone;
      this.unsent = alone ? 0 : waiting.length;
      if (!alone && waiting.length === 0) await this.#end();
    });

  readonly #answered = (yes: boolean): void => {
    this.unsent = 0;
    if (yes) void this.#do(() => this.#end());
  };

  /** Ends the session; where the server cannot be reached, says so, since it goes on. */
  async #end(): Promise<void> {
    try {
      await session.signOut();
    } catch (error) {
      if (!isPassing(error)) throw error;
      this.#closeMenu();
      this.stays = true;
    }
  }

  /** Takes back that the server could not be reached, since it could now. */
  #reached(): void {
    if (isPassing(this.error)) this.error = undefined;
  }

  async #do(what: () => Promise<unknown>): Promise<void> {
    this.error = undefined;
    try {
      await what();
    } catch (error) {
      this.error = error;
      if (isPassing(error)) this.#later();
    }
  }

  /** Reads soon anew, which tells whether the server can be reached. */
  #later(): void {
    setTimeout(() => this.isConnected && void this.start.again(), 15_000);
  }
}

/** Whether a key is a part of a text that somebody writes. */
function typing(event: KeyboardEvent): boolean {
  return event.target instanceof HTMLElement && event.target.matches("input:not([type=checkbox]), textarea, select");
}
