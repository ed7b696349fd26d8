import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { Part } from "../../parts/part.js";
import { isMissing, loading, missing, words } from "../../parts/states.js";
import { title } from "../../parts/title.js";
import { may, place, subplace } from "../../router.js";
import type { StartQuery } from "../../shell.graphql.js";
import { texts } from "../../texts/texts.js";
import "./clock-card.js";
import { meTexts } from "./texts.js";

type Page = "clock" | "days" | "work" | "profile";
type Show = (start: StartQuery) => TemplateResult;

/** The drawing of each page in the bar, within 24 by 24. */
const icons: Record<Page, string> = {
  clock: "M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18M12 7v5l3.5 2",
  days: "M4 6h16v14H4zM4 10.5h16M8.5 3v5M15.5 3v5",
  work: "M4 6.5l1.5 1.5 2.5-3M4 13l1.5 1.5 2.5-3M4 19.5l1.5 1.5 2.5-3M11.5 7H20M11.5 13.5H20M11.5 20H20",
  profile: "M12 4a4 4 0 1 0 0 8a4 4 0 1 0 0-8M4.5 20.5c1-4 4-5.5 7.5-5.5s6.500 1.500 7.500 5.500",
};

const pages: readonly Page[] = ["clock", "days", "work", "profile"];

/** What shows each page but the first, which is there at once. */
const loads: Record<string, () => Promise<Show>> = {
  days: async () => (await import("./days.js")).show,
  work: async () => (await import("./work.js")).show,
  profile: async () => (await import("./profile.js")).show,
};

/** What is the person's own: the clock at first, and the pages below it. */
@customElement("wf-me")
export class Me extends Part {
  @property({ attribute: false }) start!: StartQuery;
  /** "" is the clock. */
  @state() private page = subplace();
  @state() private content: Show | undefined;
  @state() private error: unknown;

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("wf-place", this.#place);
    void this.#load();
  }

  override disconnectedCallback(): void {
    removeEventListener("wf-place", this.#place);
    title({ page: "" });
    super.disconnectedCallback();
  }

  readonly #place = (): void => {
    if (place() !== "me" || subplace() === this.page) return;
    this.page = subplace();
    void this.#load();
  };

  readonly #load = async (): Promise<void> => {
    const { page } = this;
    this.content = undefined;
    this.error = undefined;
    try {
      const content = await loads[page]?.();
      if (page === this.page) this.content = content;
    } catch (error) {
      if (page === this.page) this.error = error;
    }
  };

  protected override updated(changed: PropertyValues): void {
    title({ page: this.page === "" ? "" : this.name() });
    const moved = changed.get("page") !== undefined && loads[this.page] === undefined;
    if (moved || (changed.has("content") && this.content)) void this.#head();
  }

  /** Gives the focus to the heading, once the page has rendered it. */
  async #head(): Promise<void> {
    await (this.firstElementChild as Partial<Part> | null)?.updateComplete;
    this.querySelector<HTMLElement>("h1")?.focus();
  }

  protected override render(): TemplateResult {
    return html`${this.page === "" ? this.clock() : this.other()}${this.bar()}`;
  }

  private clock(): TemplateResult {
    const { viewer, company } = this.start;
    return html`${this.heading(texts().screens.me)}
      ${
        may(this.start, "attendance.write")
          ? html`<wf-clock .me=${viewer.id} .zone=${company.timezone}></wf-clock>`
          : html`<div class="state"><p>${texts().states.forbidden}</p></div>`
      }`;
  }

  private other(): TemplateResult {
    const heading = this.heading(this.name());
    if (!loads[this.page]) return heading;
    if (isMissing(this.error)) return html`${heading}${missing(this.#load)}`;
    if (this.error !== undefined) return html`${heading}<p class="fault" role="alert">${words(this.error)}</p>`;
    return this.content?.(this.start) ?? html`${heading}${loading()}`;
  }

  /** The name of the page below the clock that the address asks for. */
  private name(): string {
    const t = meTexts();
    const name = pages.find((p) => p === this.page && loads[p]);
    return name ? t.places[name] : t.notFound;
  }

  private heading(heading: string): TemplateResult {
    return html`<div class="title"><h1 tabindex="-1">${heading}</h1></div>`;
  }

  private bar(): TemplateResult {
    const t = meTexts();
    return html`<nav class="pages no-print" aria-label=${t.pages}><ul>${pages.map((name) => {
      const to = name === "clock" ? "" : name;
      return html`<li><a href="/app/me${to && `/${to}`}" aria-current=${to === this.page ? "page" : nothing}>
        <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><path d=${icons[name]}></path></svg>${t.places[name]}</a></li>`;
    })}</ul></nav>`;
  }
}

export function show(start: StartQuery): TemplateResult {
  return html`<wf-me .start=${start}></wf-me>`;
}
