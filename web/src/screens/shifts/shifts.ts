import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import { serverNow } from "../../api/clock.js";
import { Act } from "../../parts/act.js";
import { concerned } from "../../parts/concerned.js";
import { dialog, question } from "../../parts/dialog.js";
import { type NodeOf, nodes } from "../../parts/nodes.js";
import { everyPage } from "../../parts/pages.js";
import { Part, Reading } from "../../parts/part.js";
import { shown } from "../../parts/states.js";
import { type Column, table } from "../../parts/table.js";
import { dateIn } from "../../parts/time.js";
import { may, query, setQuery } from "../../router.js";
import type { StartQuery } from "../../shell.graphql.js";
import { texts } from "../../texts/texts.js";
import { dayOf, daysOf, daysText } from "./fields.js";
import "./other-forms.js";
import type { LeaveType, Listed, Rotation, Saved } from "./other-forms.js";
import "./shift-form.js";
import {
  DeleteLeaveType,
  DeleteRotation,
  DeleteShift,
  FallbackList,
  type FallbackListQuery,
  LeaveTypeList,
  RotationList,
  SetFallbackShift,
  ShiftList,
} from "./shifts.graphql.js";
import { shiftsTexts } from "./texts.js";

type Fallback = NodeOf<FallbackListQuery["fallbackShifts"]>;

/** What can be opened, by the member of the address that has its id, or "new". */
const opened = ["shift", "rotation", "leaveType", "fallback"] as const;
type Kind = (typeof opened)[number];

/** What somebody is asked before it is deleted. */
interface Going {
  readonly heading: string;
  readonly hint: string;
  readonly verb: string;
  /** Deletes it, and says so. */
  readonly send: (key: string) => Promise<Saved>;
}

/** Shifts, and what is made of them: rotations, fallback shifts; the types of leave. */
@customElement("wf-shifts")
export class Shifts extends Part {
  @property({ attribute: false }) start!: StartQuery;
  @state() private going: Going | undefined;
  @state() private saved: Saved | undefined;
  private readonly act = new Act(this);
  private readonly shifts = new Reading(this, (signal) =>
    everyPage(async (after) => (await ask(ShiftList, { after }, { signal })).shifts),
  );
  private readonly rotations = new Reading(this, (signal) =>
    everyPage(async (after) => (await ask(RotationList, { after }, { signal })).rotations),
  );
  private readonly leaveTypes = new Reading(this, async (signal) =>
    nodes((await ask(LeaveTypeList, {}, { signal })).leaveTypes),
  );
  private readonly fallbacks = new Reading(this, (signal) =>
    everyPage(async (after) => (await ask(FallbackList, { after }, { signal })).fallbackShifts),
  );

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("wf-place", this.#place);
  }

  override disconnectedCallback(): void {
    removeEventListener("wf-place", this.#place);
    super.disconnectedCallback();
  }

  readonly #place = (): void => this.requestUpdate();

  private get writes(): boolean {
    return may(this.start, "shift.write.all");
  }

  private get writesTypes(): boolean {
    return may(this.start, "organization.write.all");
  }

  protected override render(): TemplateResult {
    const t = shiftsTexts();
    return html`<div class="title"><h1 tabindex="-1">${texts().screens.shifts}</h1></div>
      ${this.act.told()}<p role="status" class="outcome">${this.saved?.text ?? ""}</p>${concerned(this.saved?.leaves ?? [])}
      ${this.section("shift", t.shifts, this.writes ? t.newShift : "", this.list())}
      ${this.section("rotation", t.rotations, this.writes ? t.newRotation : "", this.sequences())}
      ${this.section("fallback", t.fallbacks, may(this.start, "shift.write") ? t.newFallback : "", this.fallbackList())}
      ${this.section("leaveType", t.leaveTypes, this.writesTypes ? t.newLeaveType : "", this.types())}
      ${this.open()}${this.asked()}`;
  }

  private section(kind: Kind, heading: string, verb: string, content: TemplateResult): TemplateResult {
    const make = html`<button type="button" class=${kind === "shift" ? "primary" : ""} @click=${() => setQuery({ [kind]: "new" })}>${verb}</button>`;
    return html`<section aria-labelledby="of-${kind}"><div class="step"><h2 id="of-${kind}">${heading}</h2>${verb === "" ? nothing : make}</div>
      ${content}</section>`;
  }

  private list(): TemplateResult {
    const t = shiftsTexts();
    return shown(this.shifts, (list) => {
      if (list.length === 0)
        return html`<div class="state"><p>${t.noShifts}</p>${this.writes ? html`<p>${t.noShiftsNext}</p>` : nothing}</div>`;
      const columns: Column<Listed>[] = [
        { name: "shift", label: t.name, text: (s) => s.name, cell: (s) => this.opener("shift", s, this.writes) },
        {
          name: "times",
          label: t.times,
          text: (s) => `${s.startTime}–${s.endTime}${s.timezone ? ` ${s.timezone}` : ""}`,
        },
        { name: "since", label: t.since, text: (s) => dayOf(s.appliesFrom), order: (s) => s.appliesFrom },
        { name: "shiftState", label: t.state, text: (s) => (s.active ? t.active : t.archived) },
        ...this.deleting<Listed>(this.writes, (s) => async (key) => {
          await ask(DeleteShift, { id: s.id }, { key });
          return { text: t.deleted(s.name) };
        }),
      ];
      return table(t.shifts, columns, list);
    });
  }

  private sequences(): TemplateResult {
    const t = shiftsTexts();
    return shown(this.rotations, (list) => {
      if (list.length === 0) return html`<p class="hint">${t.noRotations}</p>`;
      const columns: Column<Rotation>[] = [
        { name: "rotation", label: t.name, text: (r) => r.name, cell: (r) => this.opener("rotation", r, this.writes) },
        {
          name: "days",
          label: t.rotation.sequence,
          text: (r) => r.days.map((d) => d?.name ?? t.rotation.off).join(", "),
        },
        {
          name: "length",
          label: t.rotation.days(2).replace("2 ", ""),
          text: (r) => String(daysOf(daysText(r.days)).length),
        },
        ...this.deleting<Rotation>(this.writes, (r) => async (key) => {
          await ask(DeleteRotation, { id: r.id }, { key });
          return { text: t.deleted(r.name) };
        }),
      ];
      return table(t.rotations, columns, list);
    });
  }

  private types(): TemplateResult {
    const t = shiftsTexts();
    return shown(this.leaveTypes, (list) => {
      if (list.length === 0) return html`<p class="hint">${t.noLeaveTypes}</p>`;
      const columns: Column<LeaveType>[] = [
        {
          name: "leaveType",
          label: t.name,
          text: (l) => l.name,
          cell: (l) => this.opener("leaveType", l, this.writesTypes),
        },
        { name: "paid", label: t.leaveType.paid, text: (l) => (l.paid ? t.leaveType.paid : t.leaveType.unpaid) },
        { name: "unit", label: t.leaveType.unit, text: (l) => t.leaveType.units[l.unit] },
        {
          name: "allowance",
          label: t.leaveType.allowance,
          text: (l) => (l.yearlyAllowance == null ? t.leaveType.unlimited : String(l.yearlyAllowance)),
          order: (l) => l.yearlyAllowance ?? 1000,
        },
        { name: "home", label: t.leaveType.home, text: (l) => (l.workFromHome ? texts().form.yes : texts().form.no) },
        { name: "typeState", label: t.state, text: (l) => (l.active ? t.active : t.archived) },
        ...this.deleting<LeaveType>(this.writesTypes, (l) => async (key) => {
          await ask(DeleteLeaveType, { id: l.id }, { key });
          return { text: t.deleted(l.name) };
        }),
      ];
      return table(t.leaveTypes, columns, list);
    });
  }

  private fallbackList(): TemplateResult {
    const t = shiftsTexts();
    const name = (f: Fallback): string => (f.user ?? f.designation ?? f.business)?.name ?? "";
    const mine = (f: Fallback): boolean => this.writes || (f.user != null && may(this.start, "shift.write"));
    const going = (f: Fallback): Going => ({
      heading: t.fallback.removeAsk(name(f)),
      hint: t.fallback.hint,
      verb: t.fallback.remove,
      send: async (key) => {
        const whose = f.user
          ? { userId: f.user.id }
          : f.designation
            ? { designationId: f.designation.id }
            : { businessId: f.business?.id ?? "" };
        const { setFallbackShift } = await ask(SetFallbackShift, { input: { shiftId: null, ...whose } }, { key });
        return { text: t.fallback.removed(name(f)), leaves: setFallbackShift?.concernedLeaves ?? [] };
      },
    });
    return shown(this.fallbacks, (list) => {
      if (list.length === 0) return html`<p class="hint">${t.noFallbacks}</p>`;
      const columns: Column<Fallback>[] = [
        { name: "fallback", label: t.fallback.whose, text: name },
        {
          name: "kind",
          label: t.state,
          text: (f) => (f.user ? t.fallback.user : f.designation ? t.fallback.designation : t.fallback.business),
        },
        { name: "fallbackShift", label: t.fallback.shift, text: (f) => f.shift.name },
        {
          name: "remove",
          label: t.fallback.remove,
          text: () => "",
          cell: (f) =>
            mine(f)
              ? html`<button type="button" aria-label=${t.fallback.removeOf(name(f))} @click=${() => this.ask(going(f))}>${t.fallback.remove}</button>`
              : "",
        },
      ];
      return table(t.fallbacks, columns, list);
    });
  }

  private opener(kind: Kind, of: { id: string; name: string }, writes: boolean): TemplateResult | string {
    if (!writes) return of.name;
    return html`<button type="button" class="link" @click=${() => setQuery({ [kind]: of.id })}>${of.name}</button>`;
  }

  private deleting<Row extends { name: string }>(writes: boolean, send: (row: Row) => Going["send"]): Column<Row>[] {
    const t = shiftsTexts();
    if (!writes) return [];
    const going = (row: Row): Going => ({
      heading: t.deleteAsk(row.name),
      hint: t.deleteHint,
      verb: t.delete,
      send: send(row),
    });
    return [
      {
        name: "delete",
        label: t.delete,
        text: () => "",
        cell: (row) =>
          html`<button type="button" aria-label=${t.deleteOf(row.name)} @click=${() => this.ask(going(row))}>${t.delete}</button>`,
      },
    ];
  }

  private ask(going: Going): void {
    this.act.clear();
    this.going = going;
  }

  private asked(): TemplateResult | typeof nothing {
    const { going } = this;
    if (!going) return nothing;
    return question(going.heading, html`<p>${going.hint}</p>`, going.verb, (yes) => {
      this.going = undefined;
      if (yes) void this.discard(going);
    });
  }

  private async discard(going: Going): Promise<void> {
    this.saved = undefined;
    await this.act.run(async (key) => {
      this.saved = await going.send(key);
      return "";
    });
    await this.again();
    if (document.activeElement === document.body) this.querySelector("h1")?.focus();
  }

  private async again(): Promise<void> {
    await Promise.all([this.shifts.again(), this.rotations.again(), this.leaveTypes.again(), this.fallbacks.again()]);
  }

  /** What the address opens, as a dialog. */
  private open(): TemplateResult | typeof nothing {
    const q = query();
    const kind = opened.find((k) => q.has(k));
    if (!kind) return nothing;
    const id = q.get(kind) ?? "";
    const inside = this.inside(kind, id);
    if (inside === nothing) return nothing;
    const t = shiftsTexts();
    const headings: Record<Kind, string> =
      id === "new"
        ? { shift: t.newShift, rotation: t.newRotation, leaveType: t.newLeaveType, fallback: t.newFallback }
        : {
            shift: t.shift.heading,
            rotation: t.rotation.heading,
            leaveType: t.leaveType.heading,
            fallback: t.fallback.heading,
          };
    return dialog(headings[kind], html`<div @wf-saved=${this.#saved}>${inside}</div>`, () => setQuery({ [kind]: "" }));
  }

  private inside(kind: Kind, id: string): TemplateResult | typeof nothing {
    const shifts = this.shifts.value;
    if (kind === "leaveType") {
      const type = this.leaveTypes.value?.find((l) => l.id === id);
      if (!this.writesTypes || !(type || id === "new")) return nothing;
      return html`<wf-leave-type .type=${type}></wf-leave-type>`;
    }
    if (kind === "fallback")
      return shifts ? html`<wf-fallback .shifts=${shifts} .all=${this.writes}></wf-fallback>` : nothing;
    if (!this.writes) return nothing;
    const today = dateIn(this.start.company.timezone, new Date(serverNow()));
    if (kind === "shift") return html`<wf-shift .shift=${id} .today=${today}></wf-shift>`;
    const rotation = this.rotations.value?.find((r) => r.id === id);
    if (!shifts || !(rotation || id === "new")) return nothing;
    return html`<wf-rotation .rotation=${rotation} .shifts=${shifts}></wf-rotation>`;
  }

  readonly #saved = (event: Event): void => {
    this.act.clear();
    this.saved = (event as CustomEvent<Saved>).detail;
    this.querySelector("dialog")?.close();
    void this.again();
  };
}

export function show(start: StartQuery): TemplateResult {
  return html`<wf-shifts .start=${start}></wf-shifts>`;
}
