import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import { Act } from "../../parts/act.js";
import { question } from "../../parts/dialog.js";
import { Part, Reading } from "../../parts/part.js";
import { words } from "../../parts/states.js";
import { datesOf, monthOf } from "../../parts/time.js";
import { type Lock, type Locks, locking, lockOf, span, unlocking } from "./month.js";
import { timesheetsTexts } from "./texts.js";
import { Locks as Document, SetLock } from "./timesheets.graphql.js";

/** Whether a month is locked, and what locks and unlocks it for who may. */
@customElement("wf-lock")
export class MonthLock extends Part {
  /** The month, such as 2026-03. */
  @property() month = "";
  /** Today in the company, such as 2026-03-10. */
  @property() today = "";
  /** Whether who looks locks periods. */
  @property({ type: Boolean }) locks = false;
  @state() private asking: "lock" | "unlock" | undefined;
  readonly #act = new Act(this);
  readonly #read = new Reading(this, async (signal) => (await ask(Document, {}, { signal })).company.settings);

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (this.hasUpdated && changed.has("month")) this.#act.clear();
  }

  protected override render(): TemplateResult {
    const locks = this.#read.value;
    if (!locks) {
      return html`${this.#read.error === undefined ? nothing : html`<p class="fault" role="alert">${words(this.#read.error)}</p>`}`;
    }
    const t = timesheetsTexts();
    const now = lockOf(locks, this.month, this.today);
    return html`<div class="chore">${this.#mark(locks, now)}
        ${
          !this.locks || now === "rule"
            ? nothing
            : html`<button type="button" ?disabled=${this.#act.busy} @click=${() => this.#ask(now)}>
              ${now === "open" || now === "partly" ? t.lock : t.unlock}</button>`
        }
        ${this.locks && now === "rule" ? html`<a href="/app/settings">${t.toSettings}</a>` : nothing}</div>
      ${this.#act.told()}
      ${this.asking === undefined ? nothing : this.#question(locks, this.asking)}`;
  }

  /** Says what is locked, where something is. */
  #mark(locks: Locks, now: ReturnType<typeof lockOf>): TemplateResult | typeof nothing {
    const t = timesheetsTexts();
    if (now === "open") return nothing;
    const period = locks.lockedFrom && locks.lockedUntil ? span(locks.lockedFrom, locks.lockedUntil) : "";
    const text =
      now === "rule"
        ? t.lockedByRule(locks.lockAfterDays ?? 0)
        : locks.lockedUntil && this.today <= locks.lockedUntil
          ? t.lockedLater(period)
          : t.lockedIs(period);
    return html`<span class="locked">${text}</span>`;
  }

  #ask(now: ReturnType<typeof lockOf>): void {
    this.asking = now === "open" || now === "partly" ? "lock" : "unlock";
  }

  #question(locks: Locks, what: "lock" | "unlock"): TemplateResult {
    const t = timesheetsTexts();
    const month = monthOf(this.month);
    const lock = what === "lock" ? locking(locks, this.month) : unlocking(locks, this.month);
    const answered = (yes: boolean): void => {
      this.asking = undefined;
      if (yes) void this.#set(locks, lock, what);
    };
    const { from, to } = datesOf(this.month);
    const heading = what === "lock" ? t.lockAsk(month) : t.unlockAsk(month);
    const verb = what === "lock" ? t.lockVerb : t.unlockVerb;
    const wider = lock.from !== from || lock.until !== to;
    const content =
      what === "lock"
        ? html`<p>${span(from, to)}</p><p>${t.lockMeans}</p>
          ${locks.lockGraceDays > 0 ? html`<p>${t.lockGrace(locks.lockGraceDays)}</p>` : nothing}
          ${wider && lock.from && lock.until ? html`<p><strong>${t.lockThen(span(lock.from, lock.until))}</strong></p>` : nothing}
          ${lock.until && this.today <= lock.until ? html`<p>${t.lockLater}</p>` : nothing}`
        : html`<p>${span(from, to)}</p><p>${t.unlockMeans}</p>
          <p><strong>${lock.from && lock.until ? t.stays(span(lock.from, lock.until)) : t.staysNothing}</strong></p>`;
    return question(heading, content, verb, answered);
  }

  /** Writes what is locked, unless somebody changed it since it was read. */
  #set(before: Locks, lock: Lock, what: "lock" | "unlock"): Promise<boolean> {
    const t = timesheetsTexts();
    return this.#act.run(async (key) => {
      await this.#read.again();
      const now = this.#read.value;
      if (this.#read.error !== undefined) throw this.#read.error;
      if (now?.lockedFrom !== before.lockedFrom || now?.lockedUntil !== before.lockedUntil) return t.changed;
      await ask(SetLock, lock, { key });
      await this.#read.again();
      if (what === "lock" && lock.from && lock.until) return t.lockedNow(span(lock.from, lock.until));
      return t.unlockedNow(monthOf(this.month));
    }, JSON.stringify(lock));
  }
}
