import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { ask, type Operation } from "../../api/client.js";
import { serverNow } from "../../api/clock.js";
import { Act } from "../../parts/act.js";
import { question } from "../../parts/dialog.js";
import { regain } from "../../parts/focus.js";
import { nodes } from "../../parts/nodes.js";
import { Part, Reading } from "../../parts/part.js";
import { shown } from "../../parts/states.js";
import { clock, dateIn, dateOf, dates, duration } from "../../parts/time.js";
import { may } from "../../router.js";
import type { StartQuery } from "../../shell.graphql.js";
import {
  Requests as Document,
  type RequestsQuery,
  TakeBackCorrection,
  TakeBackLeave,
  TakeBackSwap,
} from "./days.graphql.js";
import { daysTexts } from "./days-texts.js";

type Kind = "leave" | "correction" | "swap" | "overtime";
type State = "pending" | "asked" | "agreed" | "approved" | "refused" | "cancelled" | "expired";

/** Something that the person asked for, and what became of it. */
export interface Request {
  readonly id: string;
  readonly kind: Kind;
  /** What it is, with its dates. */
  readonly name: string;
  readonly detail: string;
  readonly state: State;
  /** Who decided; "" where that is not known. */
  readonly by: string;
  /** Of who decided. */
  readonly note: string;
  /** An instant, by which they are sorted. */
  readonly at: string;
}

/** What all that somebody decides has. */
interface Decided {
  readonly id: string;
  readonly decisionNote?: string | null | undefined;
  readonly decider?: { readonly name: string } | null | undefined;
}

const open: readonly State[] = ["pending", "asked", "agreed"];

/** What became of a request at an instant in milliseconds: one that nobody decided in time has expired. */
export function stateAt(state: State, expiresAt: string, now: number): State {
  return open.includes(state) && Date.parse(expiresAt) <= now ? "expired" : state;
}

/** Whether a request can be taken back: what waits, and leave and corrections that were approved. */
export function takesBack({ kind, state }: Pick<Request, "kind" | "state">): boolean {
  if (kind === "overtime") return false;
  return open.includes(state) || (state === "approved" && kind !== "swap");
}

/** All that was asked for, the latest first, at an instant in milliseconds. */
export function requestsOf(read: RequestsQuery, now: number): Request[] {
  const t = daysTexts();
  const of = (kind: Kind, r: Decided & { readonly state: State }) => ({
    id: r.id,
    kind,
    by: ["approved", "refused"].includes(r.state) ? (r.decider?.name ?? "") : "",
    note: r.decisionNote ?? "",
  });
  const leaves = nodes(read.leaves ?? {}).map((l) => ({
    ...of("leave", l),
    name: `${l.leaveType.name}, ${dates(l.startsOn, l.endsOn)}`,
    detail: [l.fromTime ? `${l.fromTime}–${l.toTime}` : l.half ? t.half : "", l.reason].filter((s) => s).join(" · "),
    state: stateAt(l.state, l.expiresAt, now),
    at: l.createdAt,
  }));
  const corrections = nodes(read.corrections ?? {}).map((c) => {
    const at = (time: string | null | undefined): string => (time ? clock(time, c.employeeShift.timezone) : "…");
    return {
      ...of("correction", c),
      name: `${t.kinds.correction}, ${dateOf(c.date)}`,
      detail: [`${at(c.clockInAt)}–${at(c.clockOutAt)}`, (c.address ?? c.attendance?.address)?.name, c.reason]
        .filter((s) => s)
        .join(" · "),
      state: stateAt(c.state, c.expiresAt, now),
      at: c.createdAt,
    };
  });
  const swaps = nodes(read.shiftSwaps ?? {}).map((s) => ({
    ...of("swap", s),
    name: `${t.kinds.swap}, ${dateOf(s.date)}`,
    detail: [`${s.shift.name} → ${s.wantedShift.name}`, s.colleague?.name, s.note].filter((x) => x).join(" · "),
    state: stateAt(s.state, s.expiresAt, now),
    at: s.createdAt,
  }));
  const overtime = nodes(read.overtimeApprovals ?? {}).map((o) => ({
    ...of("overtime", { ...o, decisionNote: o.note, state: o.approved ? "approved" : "refused" }),
    name: `${t.kinds.overtime}, ${dateOf(o.date)}`,
    detail: o.seconds > 0 ? duration(o.seconds) : "",
    state: (o.approved ? "approved" : "refused") as State,
    at: o.decidedAt,
  }));
  return [...leaves, ...corrections, ...swaps, ...overtime].sort((a, b) => b.at.localeCompare(a.at));
}

const undoes: Partial<Record<Kind, Operation<unknown, { id: string }>>> = {
  leave: TakeBackLeave,
  correction: TakeBackCorrection,
  swap: TakeBackSwap,
};

/** What the person asked for, and their balances. `wf-changed` tells that something was taken back. */
@customElement("wf-requests")
export class Requests extends Part {
  @property({ attribute: false }) start!: StartQuery;
  /** What is asked about before it is taken back. */
  @state() private asking: Request | undefined;
  readonly #act = new Act(this);
  private readonly read = new Reading(
    this,
    (signal) => {
      const { start } = this;
      const year = Number(dateIn(start.company.timezone, new Date(serverNow())).slice(0, 4));
      const sees = (what: string): boolean => may(start, `${what}.read`);
      return ask(
        Document,
        {
          me: start.viewer.id,
          year,
          leave: sees("leave"),
          corrections: sees("correction"),
          swaps: sees("shift"),
          overtime: sees("attendance"),
        },
        { signal },
      );
    },
    () => "my requests",
  );

  /** Reads anew. */
  again(): void {
    void this.read.again();
  }

  protected override render(): TemplateResult {
    return html`${shown(this.read, (read) => this.content(read))}
      ${
        this.asking
          ? question(
              daysTexts().withdrawAsk(this.asking.name),
              html`<p>${daysTexts().withdrawHint}</p>`,
              daysTexts().withdraw,
              this.#answered,
            )
          : nothing
      }`;
  }

  private content(read: RequestsQuery): TemplateResult {
    const t = daysTexts();
    const list = requestsOf(read, serverNow());
    const balances = read.leaveBalances ?? [];
    return html`${
      balances.length === 0
        ? nothing
        : html`<h2>${t.balances}</h2><ul class="balances" aria-label=${t.balances}>${balances.map(
            (b) => html`<li aria-label=${b.leaveType.name}><strong>${b.leaveType.name}</strong>
              <span>${t.balance(b.remaining, b.allowance)}</span>
              <meter min="0" max=${b.allowance} value=${Math.max(0, b.remaining)} aria-label=${b.leaveType.name}></meter>
              <span class="hint">${t.used(b.used, b.pending)}</span></li>`,
          )}</ul>`
    }
      <h2 id="requests" tabindex="-1">${t.requests}</h2>
      ${this.#act.told()}
      ${
        list.length === 0
          ? html`<p class="hint">${t.noRequests}</p>`
          : html`<ul class="items" aria-label=${t.requests}>${list.map((r) => this.request(r))}</ul>`
      }
      <p class="hint">${t.overtimeHint}</p>`;
  }

  private request(r: Request): TemplateResult {
    const t = daysTexts();
    const decided = r.by === "" ? t.states[r.state] : t.by(t.states[r.state], r.by);
    const tone = { approved: "in", refused: "missing" }[r.state as string] ?? (open.includes(r.state) ? "late" : "");
    return html`<li aria-label=${r.name}><div>
      <p><strong>${r.name}</strong></p>
      ${r.detail === "" ? nothing : html`<p class="hint">${r.detail}</p>`}
      <p><span class="status ${tone}">${decided}</span>${r.note === "" ? nothing : html` · ${r.note}`}</p></div>
      ${
        takesBack(r)
          ? html`<div class="actions"><button type="button" class="link" aria-label=${t.withdrawOf(r.name)} ?disabled=${this.#act.busy}
              @click=${() => this.withdraw(r)}>${t.withdraw}</button></div>`
          : nothing
      }</li>`;
  }

  private withdraw(r: Request): void {
    if (r.state === "approved") this.asking = r;
    else void this.#takeBack(r);
  }

  readonly #answered = (yes: boolean): void => {
    const r = this.asking;
    this.asking = undefined;
    if (yes && r) void this.#takeBack(r);
  };

  async #takeBack(r: Request): Promise<void> {
    const undo = undoes[r.kind];
    if (!undo) return;
    await this.#act.run(async (key) => {
      await ask(undo, { id: r.id }, { key });
      return daysTexts().withdrawn(r.name);
    }, `take back ${r.kind} ${r.id}`);
    await this.read.again();
    await this.updateComplete;
    regain(this.querySelector("#requests"));
    this.dispatchEvent(new Event("wf-changed"));
  }
}
