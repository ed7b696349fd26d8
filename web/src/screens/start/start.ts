import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import { serverNow } from "../../api/clock.js";
import { Part, Reading } from "../../parts/part.js";
import { shown } from "../../parts/states.js";
import { dateIn } from "../../parts/time.js";
import { may, query, setQuery } from "../../router.js";
import type { StartQuery } from "../../shell.graphql.js";
import { texts } from "../../texts/texts.js";
import "./description.js";
import "./forms.js";
import { qr } from "./qr.js";
import { FirstSteps, type FirstStepsQuery } from "./start.graphql.js";
import { doneOf, isLocal, nextOf, type StepName, stepNames, unsent } from "./steps.js";
import { startTexts } from "./texts.js";

/** What each step needs, and the screen that shows what it made. */
const steps: Record<StepName, { readonly needs: string; readonly screen: string }> = {
  site: { needs: "organization.write", screen: "organization?show=sites" },
  shift: { needs: "shift.write.all", screen: "shifts" },
  people: { needs: "user.write.all", screen: "people" },
  assignment: { needs: "shift.write", screen: "roster" },
  phones: { needs: "", screen: "today" },
};

/** What a new company needs before people clock in, step by step. */
@customElement("wf-start")
export class Start extends Part {
  @property({ attribute: false }) start!: StartQuery;
  @state() private told = "";
  private readonly read = new Reading(this, (signal) => {
    const now = new Date(serverNow()).toISOString();
    return ask(FirstSteps, { today: this.today(), now, messages: may(this.start, "message.read") }, { signal });
  });

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("wf-place", this.#place);
  }

  override disconnectedCallback(): void {
    removeEventListener("wf-place", this.#place);
    super.disconnectedCallback();
  }

  readonly #place = (): void => this.requestUpdate();

  /** Today in the company. */
  private today(): string {
    return dateIn(this.start.company.timezone, new Date(serverNow()));
  }

  protected override render(): TemplateResult {
    const t = startTexts();
    return html`<div class="title"><h1 tabindex="-1">${texts().screens.start}</h1><p>${this.start.company.name}</p></div>
      ${shown(this.read, (read) => this.steps(read))}
      <p role="status" class="outcome hidden">${this.told === "" ? "" : `${this.told} ${this.read.value && nextOf(doneOf(this.read.value)) ? t.next : ""}`}</p>`;
  }

  private steps(read: FirstStepsQuery): TemplateResult {
    const t = startTexts();
    const done = doneOf(read);
    const next = nextOf(done);
    const place = query().get("step");
    const asked = stepNames.find((s) => s === place);
    const open = place === "none" || place === "file" ? undefined : (asked ?? next);
    const count = stepNames.filter((s) => done[s]).length;
    return html`${unsent(read) ? html`<p class="warning">${t.unsent} <a href="/app/messages">${texts().screens.messages}</a></p>` : nothing}
      <p>${next ? t.lead(count, stepNames.length) : t.allDone} ${next ? nothing : html`<a href="/app/today">${t.toToday}</a>`}</p>
      <ol class="steps" aria-label=${texts().screens.start}>${stepNames.map((name) => {
        const state = done[name] ? t.states.done : name === next ? t.states.next : t.states.open;
        return html`<li aria-label="${t.steps[name].title}, ${state}" class=${done[name] ? "done" : ""}>
          <h2><button type="button" aria-expanded=${name === open} aria-controls="step-${name}" @click=${() =>
            setQuery({ step: name === open ? "none" : name === next ? "" : name })}>
            <span>${t.steps[name].title}</span>
            <span class="status ${done[name] ? "in" : name === next ? "on_leave" : ""}">${state}</span></button></h2>
          <div id="step-${name}" ?hidden=${name !== open}>${name === open ? this.step(name, read, done[name]) : nothing}</div>
        </li>`;
      })}${may(this.start, "company.write.all") ? this.description(place === "file") : nothing}</ol>`;
  }

  /** The step that stands for the others: a file that describes the company. */
  private description(open: boolean): TemplateResult {
    const t = startTexts();
    return html`<li aria-label="${t.description}, ${t.states.optional}">
      <h2><button type="button" aria-expanded=${open} aria-controls="step-file" @click=${() => setQuery({ step: open ? "" : "file" })}>
        <span>${t.description}</span> <span class="status">${t.states.optional}</span></button></h2>
      <div id="step-file" ?hidden=${!open}>${open ? html`<p>${t.descriptionWhy}</p><wf-description @wf-done=${this.#described}></wf-description>` : nothing}</div>
    </li>`;
  }

  readonly #described = async (event: Event): Promise<void> => {
    this.told = (event as CustomEvent<string>).detail;
    await this.read.again();
  };

  private step(name: StepName, read: FirstStepsQuery, done: boolean): TemplateResult {
    const t = startTexts();
    const { needs, screen } = steps[name];
    const link = done
      ? html`<p>${t.steps[name].done(this.number(name, read))} <a href="/app/${screen}">${t.steps[name].link}</a></p>`
      : nothing;
    const why = html`<p>${t.steps[name].why}</p>${link}`;
    if (!may(this.start, needs)) return html`${why}<p class="hint">${t.notYours}</p>`;
    return html`${why}${this.form(name, read)}`;
  }

  private number(name: StepName, read: FirstStepsQuery): number {
    return {
      site: read.addresses.totalCount,
      shift: read.shifts.totalCount,
      people: read.employees.totalCount,
      assignment: read.planned.edges?.length ?? 0,
      phones: read.attendances.totalCount,
    }[name];
  }

  private form(name: StepName, read: FirstStepsQuery): TemplateResult {
    switch (name) {
      case "site":
        return html`<wf-first-site @wf-done=${this.#done}></wf-first-site>`;
      case "shift":
        return html`<wf-first-shift @wf-done=${this.#done}></wf-first-shift>`;
      case "people":
        return html`<wf-first-person @wf-done=${this.#done}></wf-first-person>`;
      case "assignment":
        return html`<wf-first-assignment .read=${read} .me=${this.start.viewer.id} .today=${this.today()} @wf-done=${this.#done}></wf-first-assignment>`;
      case "phones":
        return this.phones();
    }
  }

  private phones(): TemplateResult {
    const t = startTexts();
    const address = `${location.origin}/app/`;
    return html`${isLocal(location.hostname) ? html`<p class="warning">${t.local}</p>` : nothing}
      ${qr(address, t.qr(address))}
      <p><a href="/app/">${address}</a></p>
      <p class="no-print"><button type="button" @click=${() => print()}>${texts().table.print}</button></p>`;
  }

  readonly #done = async (event: Event): Promise<void> => {
    this.told = (event as CustomEvent<string>).detail;
    await this.read.again();
    setQuery({ step: "" });
    await this.updateComplete;
    const next = this.querySelector<HTMLElement>("[aria-expanded=true]") ?? this.querySelector<HTMLElement>("h1");
    next?.focus();
  };
}

export function show(start: StartQuery): TemplateResult {
  return html`<wf-start .start=${start}></wf-start>`;
}
