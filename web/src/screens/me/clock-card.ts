import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { ask } from "../../api/client.js";
import { serverNow } from "../../api/clock.js";
import { isPassing } from "../../api/fault.js";
import type { FacePoint } from "../../face/capture.js";
import { Act } from "../../parts/act.js";
import { dialog } from "../../parts/dialog.js";
import { draft, keepDraft } from "../../parts/draft.js";
import { regain } from "../../parts/focus.js";
import { nodes } from "../../parts/nodes.js";
import { Part, Reading } from "../../parts/part.js";
import { dotAt, drawing, offset, reach } from "../../parts/site.js";
import { shown } from "../../parts/states.js";
import { Ticking } from "../../parts/tick.js";
import { addDays, clock, dateIn, dateOf, day, duration } from "../../parts/time.js";
import { keep, kept } from "../../phone/kept.js";
import { clockQueue, type Waiting } from "../../phone/queue.js";
import { query, setQuery } from "../../router.js";
import { texts } from "../../texts/texts.js";
import { flagged } from "../clock-events.js";
import { type ClockQuery, Clock as Document } from "./clock.graphql.js";
import {
  distanceTo,
  type Hindrance,
  hindrance,
  nearestFirst,
  openNow,
  type Sent,
  type Shift,
  type Site,
  shiftsToCome,
  wantsFace,
} from "./clock.js";
import { type Consents, consent, consents } from "./consent.js";
import { Whereabouts } from "./position.js";
import { meTexts } from "./texts.js";

const second = 1_000;
/** How long the answer is waited for before the event is said to wait, in milliseconds. */
const patience = 4_000;
/** How many days back the events that are listed go. */
const lately = 1;

type Event = ReturnType<
  typeof nodes<NonNullable<NonNullable<NonNullable<ClockQuery["attendances"]["edges"]>[number]>["node"]>>
>[number];

/** What the card shows, as it stands now. */
interface Now {
  readonly read: ClockQuery;
  readonly kind: "in" | "out";
  /** When the attendance that is open began. */
  readonly since: string | undefined;
  readonly shift: Shift | undefined;
  readonly shifts: readonly Shift[];
  readonly site: Site | undefined;
  readonly sites: readonly Site[];
  readonly zone: string;
  readonly hindered: Hindrance | undefined;
}

/** Clocks in and out: what shift and site it is for, where the phone is, and what became of it. */
@customElement("wf-clock")
export class ClockCard extends Part {
  /** The id of who looks. */
  @property() me = "";
  /** The company's zone. */
  @property() zone = "UTC";
  @state() private waiting: readonly Waiting[] = [];
  @state() private agreed: Consents = {};
  @state() private sent: Sent | undefined;
  /** Called with whether the first face may be taken; with nothing where that was not said. */
  @state() private asking: ((yes: boolean | undefined) => void) | undefined;
  @state() private note = draft("clock note");
  readonly #act = new Act(this);
  readonly #where = new Whereabouts(this);
  private readonly read = new Reading(this, (signal) => this.#read(signal));

  constructor() {
    super();
    new Ticking(this, second);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    clockQueue.addEventListener("change", this.#queued);
    document.addEventListener("visibilitychange", this.#seen);
    addEventListener("wf-place", this.#place);
    void this.#begin();
  }

  override disconnectedCallback(): void {
    clockQueue.removeEventListener("change", this.#queued);
    document.removeEventListener("visibilitychange", this.#seen);
    removeEventListener("wf-place", this.#place);
    super.disconnectedCallback();
  }

  async #begin(): Promise<void> {
    this.agreed = await consents();
    await this.#list();
    if (this.agreed.position && (await this.#where.allowed()) && this.isConnected) this.#where.start();
  }

  async #read(signal: AbortSignal): Promise<ClockQuery> {
    const today = dateIn(this.zone, new Date(serverNow()));
    try {
      const read = await ask(Document, { me: this.me, today, since: addDays(today, -lately) }, { signal });
      const face = read.profile.faceLandmark.length > 0 ? [{ x: 0 }] : []; // that there is one is enough
      const known = { ...read, profile: { faceLandmark: face } };
      await keep("clock", known);
      return known;
    } catch (error) {
      const last = isPassing(error) ? await kept<ClockQuery>("clock") : undefined;
      if (!last) throw error;
      return last;
    }
  }

  readonly #place = (): void => this.requestUpdate();

  readonly #seen = (): void => {
    if (!document.hidden) void this.read.again();
  };

  readonly #queued = async (): Promise<void> => {
    const before = this.waiting.length;
    await this.#list();
    if (this.waiting.length < before) void this.read.again();
  };

  /** Reads what waits; the last event that the server knows nothing of says whether one is in. */
  async #list(): Promise<void> {
    this.waiting = await clockQueue.list();
    const last = this.waiting.filter((w) => !w.refused).at(-1);
    const sent = await kept<Sent>("clock sent");
    this.sent = last && sent?.id === last.id ? sent : undefined;
  }

  /** What can be done now. */
  private now(read: ClockQuery): Now {
    const at = serverNow();
    const open = openNow(read, this.sent);
    const fix = this.#where.fix;
    const shifts = open ? [] : shiftsToCome(read, at);
    const chosen = query();
    const shift = open
      ? read.shiftToday.find((s) => s.employeeShiftId === open.employeeShiftId)
      : (shifts.find((s) => s.employeeShiftId === chosen.get("shift")) ?? shifts[0]);
    const allowed = new Set(read.allowedLocations.map((l) => l.addressId));
    const sites = nearestFirst(
      read.companyAddresses.filter((a) => (open ? a.id === open.addressId : allowed.has(a.id))),
      fix,
      nodes(read.attendances)[0]?.address.id,
    );
    const site = sites.find((s) => s.id === chosen.get("site")) ?? sites[0];
    const kind = open ? "out" : "in";
    const hindered = hindrance(read, kind, shift, site, fix, at);
    const zone = shift?.timezone ?? read.attendanceToday.timezone;
    return { read, kind, since: open?.since, shift, shifts, site, sites, zone, hindered };
  }

  protected override render(): TemplateResult {
    return html`${shown(this.read, (read) => this.card(this.now(read)))}
      ${this.asking ? this.askFace(this.asking) : nothing}`;
  }

  private card(now: Now): TemplateResult {
    const t = meTexts().clock;
    const at = new Date(serverNow()).toISOString();
    return html`<section class="clock-card" aria-label=${t.card}>
        <p class="now"><span class="time">${clock(at, now.zone)}</span>
          <span class="hint">${day(dateIn(now.zone, new Date(at)))}${now.zone === this.zone ? "" : ` · ${texts().time.zone(now.zone)}`}</span></p>
        ${this.state(now)}
        ${this.choices(now)}
        <div class="where" tabindex="-1">${this.position(now)}</div>
        <div class="field"><label for="clock-note">${t.note}</label>
          <input id="clock-note" maxlength="250" autocomplete="off" .value=${live(this.note)} @input=${this.#noted}></div>
        ${this.button(now)}
        ${this.#act.told()}
      </section>
      ${this.queue()}
      ${this.events(now)}`;
  }

  /** What is: in since when, or which shift it is for. */
  private state({ since, shift, zone, read }: Now): TemplateResult {
    const t = meTexts().clock;
    const times = shift ? `${shift.name}, ${clock(shift.startAt, zone)}–${clock(shift.endAt, zone)}` : "";
    if (since === undefined) {
      const worked = read.attendanceToday.workedSeconds;
      return html`<p class="what"><strong>${times || t.noShift}</strong>
        ${worked > 0 ? html`<span class="hint">${t.worked(duration(worked))}</span>` : nothing}</p>`;
    }
    const seconds = Math.max(0, (serverNow() - Date.parse(since)) / second);
    return html`<p class="what"><strong class="status in">${t.inSince(clock(since, zone))}</strong>
      <span>${duration(seconds)}</span> <span class="hint">${times}</span></p>`;
  }

  /** Which shift and which site, where there are several. */
  private choices({ kind, shift, shifts, site, sites }: Now): TemplateResult {
    const t = meTexts().clock;
    const way = (s: Site): string => {
      const fix = this.#where.fix;
      return fix ? ` (${t.away(metres(distanceTo(s, fix).centre))})` : "";
    };
    const choose = (name: string) => (e: globalThis.Event) =>
      setQuery({ [name]: (e.target as HTMLSelectElement).value });
    return html`${
      shifts.length > 1
        ? html`<label>${t.shift}<select @change=${choose("shift")}>${shifts.map(
            (s) => html`<option value=${s.employeeShiftId} .selected=${s === shift}
              >${s.name}, ${clock(s.startAt, s.timezone)}–${clock(s.endAt, s.timezone)}</option>`,
          )}</select></label>`
        : nothing
    }
    ${
      kind === "in" && sites.length > 1
        ? html`<label>${t.site}<select @change=${choose("site")}>${sites.map(
            (s) => html`<option value=${s.id} .selected=${s === site}>${s.name}${way(s)}</option>`,
          )}</select></label>`
        : site
          ? html`<p class="at">${site.name}</p>`
          : nothing
    }`;
  }

  /** Where the phone is against the site, or why that is not known. */
  private position(now: Now): TemplateResult | typeof nothing {
    const t = meTexts().clock;
    const { known, fix } = this.#where;
    if (known === "off" || known === "denied" || known === "unavailable")
      return html`${known === "off" ? html`<p class="hint" id="where-why">${t.why}</p>` : html`<p class="fault" id="where-why" role="alert">${t[known]}</p>`}
        <button type="button" class="primary" aria-describedby="where-why" @click=${this.#look}>${known === "off" ? t.use : t.again}</button>`;
    if (!fix) return html`<p class="loading" role="status">${t.looking}</p>`;
    return now.site ? this.distance(now.site) : nothing;
  }

  private distance(site: Site): TemplateResult {
    const t = meTexts().clock;
    const fix = this.#where.fix;
    if (!fix) return html``;
    const { centre, edge } = distanceTo(site, fix);
    const words =
      edge === null
        ? t.noEdge(site.name)
        : edge <= 0
          ? t.inside(site.name, metres(-edge))
          : t.outside(site.name, metres(edge));
    const near = [site, ...site.points].reduce((a, b) => (far(a, fix) <= far(b, fix) ? a : b));
    const to = reach(site.radius ?? null, [centre]);
    const dot = { ...dotAt(offset(near, fix), site.radius ?? null, to), accuracy: fix.accuracy };
    return html`<figure>${drawing(words, site.radius ?? null, [dot], to)}</figure>
      <p><strong class="status ${edge !== null && edge > 0 ? "missing" : "in"}">${words}</strong>
        <span class="hint">${t.accuracy(metres(fix.accuracy))}</span></p>`;
  }

  private button({ kind, hindered, zone }: Now): TemplateResult {
    const t = meTexts().clock;
    const why = hindered ? this.reason(hindered, zone) : "";
    return html`<button type="button" class="primary big" aria-describedby="clock-reason" ?disabled=${hindered !== undefined} aria-busy=${this.#act.busy}
        @click=${this.#clock}>${kind === "in" ? t.in : t.out}</button>
      <p id="clock-reason" class="reason" ?hidden=${why === ""}>${why}</p>`;
  }

  private reason({ why, at, metres: by }: Hindrance, zone: string): string {
    const t = meTexts().clock.reasons;
    switch (why) {
      case "early":
        return t.early(clock(at ?? "", zone), duration((Date.parse(at ?? "") - serverNow()) / second));
      case "over":
        return t.over(clock(at ?? "", zone));
      case "outside":
        return t.outside(metres(by ?? 0));
      case "inaccurate":
        return t.inaccurate(metres(by ?? 0));
      default:
        return t[why];
    }
  }

  /** What waits to be sent, and what was refused until the person has seen it. */
  private queue(): TemplateResult | typeof nothing {
    if (this.waiting.length === 0) return nothing;
    const t = meTexts().clock;
    const one = ({ id, recordedAt, event, refused }: Waiting): TemplateResult => {
      const what = `${event.kind === "in" ? t.in : t.out} ${clock(recordedAt, this.zone)}`;
      return html`<li aria-label=${what}><div><p><strong>${what}</strong> · ${dateOf(dateIn(this.zone, new Date(recordedAt)))}</p>
        <p class="hint">${[event.shift, event.site].filter((s) => s !== "").join(" · ")}</p>
        ${
          refused
            ? html`<p class="fault" role="alert">${t.refused} ${refused.message}</p>
              <button type="button" @click=${() => this.#saw(id)}>${t.seen}</button>`
            : html`<p class="status late">${t.waits}</p>`
        }</div></li>`;
    };
    return html`<h2>${t.queue} <span class="number">${this.waiting.length}</span></h2>
      <ul class="items" aria-label=${t.queue}>${this.waiting.map(one)}</ul>`;
  }

  /** What the server has of today and of the night before. */
  private events({ read }: Now): TemplateResult | typeof nothing {
    const t = meTexts().clock;
    const { date } = read.attendanceToday;
    const list = nodes(read.attendances).filter((a) => a.workDate === date || !a.clockedOutAt);
    if (list.length === 0) return nothing;
    return html`<h2>${t.today}</h2><ul class="items" aria-label=${t.today}>${list.map((a) => this.event(a))}</ul>`;
  }

  private event(a: Event): TemplateResult {
    const t = texts().clockEvents;
    const line = (text: string, flags: readonly string[], review: string): TemplateResult =>
      html`<p><strong>${text}</strong>${flags.length > 0 ? ` · ${t.flagged}: ${flagged(flags)}` : ""}
        ${review === "none" ? nothing : html`<span class="hint">${meTexts().clock.reviews[review as "pending"]}</span>`}</p>`;
    const into = t.in(clock(a.clockedInAt, a.clockedInZone));
    return html`<li aria-label=${into}><div>
      ${line(into, a.clockedInFlags, a.clockedInReview)}
      ${a.clockedOutAt ? line(t.out(clock(a.clockedOutAt, a.clockedInZone)), a.clockedOutFlags, a.clockedOutReview) : nothing}
      <p class="hint">${a.employeeShift.name} · ${a.address.name}</p></div></li>`;
  }

  private askFace(answer: (yes: boolean | undefined) => void): TemplateResult {
    const t = meTexts().clock;
    const say = (value: string) => (e: globalThis.Event) =>
      (e.currentTarget as Element).closest("dialog")?.close(value);
    return dialog(
      t.faceHeading,
      html`<p>${t.faceWhy}</p><p>${t.faceKept}</p><p class="hint">${t.faceNo}</p>
        <div class="actions"><button type="button" class="primary" @click=${say("yes")}>${t.faceYes}</button>
          <button type="button" @click=${say("no")}>${t.faceWithout}</button></div>`,
      (e) => {
        const { returnValue } = e.currentTarget as HTMLDialogElement;
        answer(returnValue === "" ? undefined : returnValue === "yes");
      },
    );
  }

  readonly #noted = (event: globalThis.Event): void => {
    this.note = (event.target as HTMLInputElement).value;
    keepDraft("clock note", this.note);
  };

  readonly #look = async (): Promise<void> => {
    this.#where.start();
    await this.updateComplete;
    regain(this.querySelector(".where"));
    this.agreed = await consent({ position: true });
  };

  async #saw(id: string): Promise<void> {
    await clockQueue.seen(id);
    await this.#list();
    await this.updateComplete;
    regain(this.querySelector(".where"));
  }

  /** The face that goes with an event: none where none is wanted, allowed or found; undefined where the person leaves it at that. */
  async #face({ read, kind, site }: Now): Promise<readonly FacePoint[] | undefined> {
    if (!wantsFace(read, kind, site)) return [];
    if (this.agreed.face === undefined) {
      const yes = await new Promise<boolean | undefined>((resolve) => {
        this.asking = resolve;
      });
      this.asking = undefined;
      if (yes === undefined) return undefined;
      this.agreed = await consent({ face: yes });
    }
    if (!this.agreed.face) return [];
    const t = meTexts().clock;
    try {
      const { captureFace } = await import("../../face/capture.js");
      return (await captureFace(read.profile.faceLandmark.length > 0 ? t.faceCompare : t.faceRegister)) ?? [];
    } catch {
      return []; // without a connection it cannot be loaded
    }
  }

  readonly #clock = async (): Promise<void> => {
    await this.#act.run(() => this.#record());
    await this.updateComplete;
    const refused = [...this.querySelectorAll(".items .fault")].at(-1);
    const told = this.querySelector(".outcome:not(:empty)") ?? refused;
    told?.scrollIntoView({ block: "nearest" }); // it may be behind the bar
  };

  /** Clocks in or out, and tells what became of it; "" where the person leaves it at that. */
  async #record(): Promise<string> {
    const { value } = this.read;
    const fix = this.#where.fix;
    if (!value || !fix) return "";
    const now = this.now(value);
    const { kind, shift, site } = now;
    const faceLandmark = await this.#face(now);
    if (!faceLandmark) return "";
    const employeeShiftId = shift?.employeeShiftId ?? openNow(value, this.sent)?.employeeShiftId ?? "";
    const note = this.note.trim();
    const waiting = await clockQueue.add({
      kind,
      employeeShiftId,
      ...(site && { addressId: site.id }),
      ...fix,
      ...(faceLandmark.length > 0 && { faceLandmark }),
      ...(note !== "" && { note }),
      shift: shift?.name ?? "",
      site: site?.name ?? "",
    });
    const sent = { id: waiting.id, kind, employeeShiftId, addressId: site?.id ?? "", at: waiting.recordedAt };
    await keep("clock sent", sent);
    this.note = "";
    keepDraft("clock note", "");
    return await this.#told(waiting, now);
  }

  /** What became of an event, in words. */
  async #told(waiting: Waiting, { kind, zone }: Now): Promise<string> {
    const t = meTexts().clock;
    await this.#list();
    const settled = clockQueue.settled(waiting.id).then((refused) => ({ refused }));
    const soon = await Promise.race([settled, new Promise<undefined>((r) => setTimeout(r, patience))]);
    await this.#list();
    if (!soon) return t.later(clock(waiting.recordedAt, zone));
    await this.read.again();
    if (soon.refused) return ""; // it is in the list, with the reason
    const last = this.read.value ? nodes(this.read.value.attendances)[0] : undefined;
    const at = kind === "in" ? last?.clockedInAt : last?.clockedOutAt;
    const done = kind === "in" ? t.doneIn : t.doneOut;
    const flags = (kind === "in" ? last?.clockedInFlags : last?.clockedOutFlags) ?? [];
    const words = done(clock(at ?? waiting.recordedAt, zone));
    return flags.length === 0 ? words : `${words} ${t.flagged(flagged(flags))}`;
  }
}

/** How far a position is from a point, in metres. */
function far(point: Parameters<typeof offset>[0], at: Parameters<typeof offset>[1]): number {
  const { x, y } = offset(point, at);
  return Math.hypot(x, y);
}

/** Metres in words: 85 m, 1.2 km. */
function metres(n: number): string {
  return n < 1_000 ? `${Math.ceil(n)} m` : `${(n / 1_000).toFixed(1)} km`;
}
