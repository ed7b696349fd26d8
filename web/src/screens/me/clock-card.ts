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
import { shown, words } from "../../parts/states.js";
import { Ticking } from "../../parts/tick.js";
import { addDays, clock, dateAndTime, dateIn, dateOf, day, duration, hoursOf } from "../../parts/time.js";
import { keep, kept, person } from "../../phone/kept.js";
import { clockQueue, type Waiting } from "../../phone/queue.js";
import { query, setQuery } from "../../router.js";
import { language, texts } from "../../texts/texts.js";
import { flagged } from "../clock-events.js";
import { type ClockQuery, Clock as Document } from "./clock.graphql.js";
import {
  distanceTo,
  type Hindrance,
  hindrance,
  missesFace,
  nearestFirst,
  openNow,
  type Sent,
  type Shift,
  type Site,
  shiftsToCome,
  wantsFace,
} from "./clock.js";
import { type Consents, consent, consents } from "./consent.js";
import { cameraOpens, noCamera, rememberNoCamera } from "./no-camera.js";
import { answerOf, followed, type Last, outcome, sentOf } from "./outcome.js";
import { Whereabouts } from "./position.js";
import { meTexts } from "./texts.js";

const second = 1_000;
/** How long an event counts as being sent before it is said to wait, in milliseconds. */
const patience = 4_000;
/** How soon after a tap that recorded an event the next one may be a slip, in milliseconds. */
const twice = 1_500;
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
  @state() private last: Last | undefined;
  /** Whether a tap came so soon after an event that it did nothing. */
  @state() private tooSoon = false;
  /** Whether somebody tapped to clock in or out though it is not possible now. */
  @state() private insisted = false;
  /** What is told, apart from what renders anew. */
  #told = "";
  /** When the last event was recorded here, in milliseconds since the page began. */
  #recorded = Number.NEGATIVE_INFINITY;
  /** When the tap was by which that was done, as events tell it. */
  #tapped = Number.NEGATIVE_INFINITY;
  #listing: Promise<void> = Promise.resolve();
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
    const { last } = this;
    try {
      const read = await ask(Document, { me: this.me, today, since: addDays(today, -lately) }, { signal });
      const face = read.profile.faceLandmark.length > 0 ? [{ x: 0 }] : []; // that there is one is enough
      const known = { ...read, profile: { faceLandmark: face } };
      await keep("clock", known);
      if (last?.state === "taken" && last.sent.id === this.last?.sent.id)
        this.last = { ...this.last, answer: answerOf(known, last) };
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
    const before = this.waiting.filter((w) => !w.refused).length;
    await this.#list();
    if (this.waiting.filter((w) => !w.refused).length < before) void this.read.again();
  };

  /** Reads what waits, once at a time. */
  #list(): Promise<void> {
    this.#listing = this.#listing.catch(() => {}).then(() => this.#listNow());
    return this.#listing;
  }

  async #listNow(): Promise<void> {
    const waiting = await clockQueue.list();
    if ((await person()) !== this.me) return; // what waits of nobody says nothing of this person's
    this.waiting = waiting;
    this.last = followed(this.last, waiting, this.zone);
  }

  /** The last event that what was read does not know of. */
  #unknown(): Sent | undefined {
    const waits = this.waiting.filter((w) => !w.refused).at(-1);
    if (waits) return sentOf(waits);
    return this.last?.state === "taken" && !this.last.answer ? this.last.sent : undefined;
  }

  /** What can be done now. */
  private now(read: ClockQuery): Now {
    const at = serverNow();
    const open = openNow(read, this.#unknown());
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

  protected override updated(): void {
    const told = this.querySelector(".told")?.textContent?.replace(/\s+/g, " ").trim() ?? "";
    const before = this.#told;
    this.#told = told;
    if (told === "" || told === before || document.activeElement?.matches("input, select")) return;
    if (before !== "" || performance.now() - this.#recorded < patience) this.#show(".told");
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
        ${this.told()}
        ${this.state(now)}
        ${this.choices(now)}
        <div class="where" tabindex="-1">${this.position(now)}</div>
        <div class="field"><label for="clock-note">${t.note}</label>
          <input id="clock-note" maxlength="250" autocomplete="off" .value=${live(this.note)} @input=${this.#noted}></div>
        ${this.withoutCamera(now)}
        ${this.button(now)}
      </section>
      ${this.queue()}
      ${this.events(now)}`;
  }

  /** What is: in since when, or which shift it is for. */
  private state({ since, shift, zone, read }: Now): TemplateResult {
    const t = meTexts().clock;
    const times = shift ? `${shift.name}, ${hoursOf(shift, zone)}` : "";
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
              >${s.name}, ${hoursOf(s, s.timezone)}</option>`,
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
    const insisted = this.insisted && why !== "";
    return html`<p id="clock-reason" class=${insisted ? "reason fault" : "reason"} role=${insisted ? "alert" : nothing}
        ?hidden=${why === ""}>${why}</p>
      <button type="button" class="primary big" aria-describedby="clock-reason" aria-disabled=${hindered !== undefined}
        aria-busy=${this.#act.busy} @click=${this.#clock}>${kind === "in" ? t.in : t.out}</button>`;
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
      case "noPosition":
        return this.#where.known === "looking" ? t.looking : t.noPosition;
      default:
        return t[why];
    }
  }

  /** What became of the last event, how much waits since when, and what was refused until the person has seen it. */
  private told(): TemplateResult {
    const t = meTexts().clock;
    const refused = this.waiting.filter((w) => w.refused);
    const waiting = this.waiting.filter((w) => !w.refused);
    const { error } = this.#act;
    return html`<div class="told" tabindex="-1">
      <p role="status" class="outcome">${this.outcome()}</p>
      ${waiting.length === 0 ? nothing : html`<p><span class="status late">${t.waiting(waiting.length, this.since(waiting))}</span></p>`}
      ${error === undefined ? nothing : html`<p class="fault" role="alert">${words(error)}</p>`}
      ${refused.length === 0 ? nothing : html`<ul class="items" aria-label=${t.refused}>${refused.map((w) => this.refusal(w))}</ul>`}
    </div>`;
  }

  private outcome(): TemplateResult | typeof nothing {
    const t = meTexts().clock;
    const { last } = this;
    if (!last || last.state === "refused") return nothing;
    const unread = last.state === "taken" && !last.answer && this.read.busy; // it is told with what was noticed
    const sending = !clockQueue.stuck && navigator.onLine && performance.now() - this.#recorded < patience;
    const [what, ...more] = outcome(unread ? { ...last, state: "waits" } : last, unread || sending);
    if (this.tooSoon) more.push(last.sent.kind === "in" ? t.soonIn : t.soonOut);
    return html`<strong>${what}</strong> ${more.join(" ")}`;
  }

  /** When the first of some events was recorded, with the date where that is not today. */
  private since([first]: readonly Waiting[]): string {
    const at = first?.recordedAt ?? "";
    const date = (instant: Date): string => dateIn(this.zone, instant);
    return date(new Date(at)) === date(new Date(serverNow())) ? clock(at, this.zone) : dateAndTime(at, this.zone);
  }

  private refusal({ id, recordedAt, event, refused }: Waiting): TemplateResult {
    const t = meTexts().clock;
    const what = `${event.kind === "in" ? t.in : t.out} ${dateAndTime(recordedAt, this.zone)}`;
    return html`<li aria-label=${what}><div><p class="fault" role="alert"><strong>${what}</strong> · ${t.notAccepted(refused?.message ?? "")}</p>
      <button type="button" @click=${() => this.#saw(id)}>${t.seen}</button></div></li>`;
  }

  /** What waits to be sent. */
  private queue(): TemplateResult | typeof nothing {
    const waiting = this.waiting.filter((w) => !w.refused);
    if (waiting.length === 0) return nothing;
    const t = meTexts().clock;
    const one = ({ recordedAt, event }: Waiting): TemplateResult => {
      const what = `${event.kind === "in" ? t.in : t.out} ${clock(recordedAt, this.zone)}`;
      return html`<li aria-label=${what}><div><p><strong>${what}</strong> · ${dateOf(dateIn(this.zone, new Date(recordedAt)))}</p>
        <p class="hint">${[event.shift, event.site].filter((s) => s !== "").join(" · ")}</p>
        ${this.noted(event.note)}</div></li>`;
    };
    return html`<h2>${t.queue} <span class="number">${waiting.length}</span></h2>
      <ul class="items" aria-label=${t.queue}>${waiting.map(one)}</ul>`;
  }

  private noted(note: string | null | undefined): TemplateResult | typeof nothing {
    return note ? html`<p class="noted">${meTexts().clock.noted(note)}</p>` : nothing;
  }

  /** That there is no camera for a face that is wanted, and how to try it again. */
  private withoutCamera({ read, kind, site }: Now): TemplateResult | typeof nothing {
    if (!noCamera() || this.agreed.face === false || !wantsFace(read, kind, site)) return nothing;
    const t = meTexts().clock;
    return html`<div class="no-camera"><p class="hint">${t.noCamera}</p>
      <button type="button" ?disabled=${this.#act.busy} @click=${this.#tryCamera}>${t.tryCamera}</button></div>`;
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
    const line = (text: string, flags: readonly string[], review: string, note: string | null | undefined) =>
      html`<p><strong>${text}</strong>${flags.length > 0 ? ` · ${t.flagged}: ${flagged(flags)}` : ""}
        ${review === "none" ? nothing : html`<span class="hint">${meTexts().clock.reviews[review as "pending"]}</span>`}</p>${this.noted(note)}`;
    const into = t.in(clock(a.clockedInAt, a.clockedInZone));
    return html`<li aria-label=${into}><div>
      ${line(into, a.clockedInFlags, a.clockedInReview, a.clockedInNote)}
      ${a.clockedOutAt ? line(t.out(clock(a.clockedOutAt, a.clockedInZone)), a.clockedOutFlags, a.clockedOutReview, a.clockedOutNote) : nothing}
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
    regain(this.querySelector(".told"));
  }

  readonly #tryCamera = async (): Promise<void> => {
    await this.#act.run(async () => {
      rememberNoCamera(!(await cameraOpens()));
      return "";
    });
    await this.updateComplete;
    regain(this.querySelector(".big"));
  };

  /** The face that goes with an event: none where none is wanted, allowed or found; undefined where the person leaves it at that. */
  async #face({ read, kind, site }: Now): Promise<readonly FacePoint[] | undefined> {
    if (!wantsFace(read, kind, site) || noCamera()) return [];
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
    const lacking = (fault: string): void => {
      if (fault === "none" || fault === "denied") rememberNoCamera(true);
    };
    try {
      const { captureFace } = await import("../../face/capture.js");
      return (await captureFace(read.profile.faceLandmark.length > 0 ? t.faceCompare : t.faceRegister, lacking)) ?? [];
    } catch {
      return []; // without a connection it cannot be loaded
    }
  }

  readonly #clock = async (tap: globalThis.Event): Promise<void> => {
    const { value } = this.read;
    this.insisted = value !== undefined && this.now(value).hindered !== undefined;
    this.tooSoon = !this.insisted && tap.timeStamp - this.#tapped < twice;
    if (!this.insisted && !this.tooSoon) await this.#act.run(() => this.#record(tap.timeStamp));
    await this.updateComplete;
    this.#show(this.insisted ? ".reason" : ".told");
  };

  /** Brings what is told into sight, which may be behind the bar or above what is seen. */
  #show(what: string): void {
    this.querySelector(what)?.scrollIntoView({ block: "nearest" });
  }

  /** Clocks in or out by a tap at a time: what became of it is told as the queue changes. */
  async #record(tapped: number): Promise<string> {
    const { value } = this.read;
    const fix = this.#where.fix;
    if (!value || !fix) return "";
    const now = this.now(value);
    const { kind, shift, site, zone } = now;
    const faceLandmark = await this.#face(now);
    if (!faceLandmark) return "";
    const note = this.note.trim();
    const waiting = await clockQueue.add({
      kind,
      employeeShiftId: shift?.employeeShiftId ?? openNow(value, this.#unknown())?.employeeShiftId ?? "",
      ...(site && { addressId: site.id }),
      ...fix,
      ...(faceLandmark.length > 0 && { faceLandmark }),
      ...(note !== "" && { note }),
      shift: shift?.name ?? "",
      site: site?.name ?? "",
    });
    this.#tapped = tapped;
    this.#recorded = performance.now();
    const lacks = faceLandmark.length === 0 && wantsFace(value, kind, site);
    const faceless = lacks ? (missesFace(value, kind, site) ? "missed" : "fine") : undefined;
    this.last = { sent: sentOf(waiting), zone, faceless, state: "waits" };
    this.note = "";
    keepDraft("clock note", "");
    await this.#list();
    return "";
  }
}

/** How far a position is from a point, in metres. */
function far(point: Parameters<typeof offset>[0], at: Parameters<typeof offset>[1]): number {
  const { x, y } = offset(point, at);
  return Math.hypot(x, y);
}

/** Metres in words: 85 m, 1.2 km. */
function metres(n: number): string {
  return n < 1_000 ? `${Math.ceil(n)} m` : `${(n / 1_000).toLocaleString(language(), { maximumFractionDigits: 1 })} km`;
}
