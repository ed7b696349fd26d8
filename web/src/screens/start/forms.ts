import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import { Fault } from "../../api/fault.js";
import { boxes, weekdays } from "../../parts/boxes.js";
import { isPosition } from "../../parts/coordinates.js";
import { Form, numberOf, type Values } from "../../parts/form.js";
import { type Here, pasted } from "../../parts/here.js";
import { nodes } from "../../parts/nodes.js";
import { Part } from "../../parts/part.js";
import { people } from "../../parts/people.js";
import "../../parts/pick.js";
import type { Option } from "../../parts/pick.js";
import { drawing, reach } from "../../parts/site.js";
import { FirstAssignment, FirstEmployee, FirstShift, FirstSite, type FirstStepsQuery } from "./start.graphql.js";
import { unplanned, workdays } from "./steps.js";
import { startTexts } from "./texts.js";

/** A step that is done by a form; `wf-done` has what was done, in words. */
abstract class Step extends Part {
  protected abstract readonly form: Form;

  protected tell(done: string): string {
    this.dispatchEvent(new CustomEvent("wf-done", { detail: done }));
    return "";
  }
}

/** The first site: where it is, and how far around it people clock in. */
@customElement("wf-first-site")
export class FirstSiteStep extends Step {
  protected readonly form = new Form(this, "first site", (values, key) => this.send(values, key));

  private async send(values: Values, key: string): Promise<string> {
    const t = startTexts();
    const radius = numberOf(values.radius);
    if (radius !== null && !Number.isInteger(radius))
      throw new Fault(t.faulty, {
        code: "VALIDATION_FAILED",
        errors: [{ field: "radius", code: "bad_format", detail: t.badRadius }],
      });
    const degrees = (name: string): string => (values[name] ?? "").trim().replace(",", ".");
    const name = values.name?.trim() ?? "";
    const input = { name, latitude: degrees("latitude"), longitude: degrees("longitude"), radius };
    await ask(FirstSite, { input }, { key });
    return this.tell(t.created(name));
  }

  protected override render(): TemplateResult {
    const t = startTexts();
    const { form } = this;
    form.begin({ radius: "100" });
    return form.render(
      () => html`${form.text("name", t.siteName, { most: 100, required: true, hint: t.siteNameHint })}
        <wf-here @wf-here=${this.#here}></wf-here>
        <div class="fields" @paste=${this.#paste}>${form.text("latitude", t.latitude, { required: true, inputmode: "decimal", most: 20 })}
          ${form.text("longitude", t.longitude, { required: true, inputmode: "decimal", most: 20 })}
          ${form.text("radius", t.radius, { inputmode: "numeric", hint: t.radiusHint, most: 6 })}</div>
        ${this.drawn()}`,
      t.createSite,
    );
  }

  readonly #here = (event: Event): void => {
    const { latitude, longitude } = (event as CustomEvent<Here>).detail;
    this.form.set("latitude", latitude);
    this.form.set("longitude", longitude);
  };

  readonly #paste = (event: ClipboardEvent): void => {
    const pair = pasted(event);
    if (!pair) return;
    this.form.set("latitude", pair.latitude);
    this.form.set("longitude", pair.longitude);
  };

  private drawn(): TemplateResult | typeof nothing {
    const value = (name: string): string => this.form.value(name).trim().replace(",", ".");
    const radius = numberOf(value("radius"));
    if (!isPosition({ latitude: value("latitude"), longitude: value("longitude") }) || !radius) return nothing;
    const label = startTexts().drawn(radius);
    return html`<figure class="circle">${drawing(label, radius, [], reach(radius, []))}<figcaption>${label}</figcaption></figure>`;
  }
}

/** The first shift, with usual times. */
@customElement("wf-first-shift")
export class FirstShiftStep extends Step {
  protected readonly form = new Form(this, "first shift", (values, key) => this.send(values, key));

  private async send(values: Values, key: string): Promise<string> {
    const name = values.name?.trim() ?? "";
    const input = {
      name,
      startTime: values.startTime ?? "",
      endTime: values.endTime ?? "",
      lateGraceMinutes: numberOf(values.lateGraceMinutes) || 0,
    };
    await ask(FirstShift, { input }, { key });
    return this.tell(startTexts().created(name));
  }

  protected override render(): TemplateResult {
    const t = startTexts();
    const { form } = this;
    form.begin({ name: t.usualShift, startTime: "08:00", endTime: "17:00", lateGraceMinutes: "10" });
    return form.render(
      () => html`${form.text("name", t.shiftName, { most: 100, required: true })}
        <div class="fields">${form.text("startTime", t.from, { type: "time", required: true })}
          ${form.text("endTime", t.to, { type: "time", required: true })}
          ${form.text("lateGraceMinutes", t.grace, { inputmode: "numeric", most: 4 })}</div>`,
      t.createShift,
    );
  }
}

/** An employee, who is invited by a message. */
@customElement("wf-first-person")
export class FirstPersonStep extends Step {
  protected readonly form = new Form(this, "first person", (values, key) => this.send(values, key));

  private async send(values: Values, key: string): Promise<string> {
    const name = values.name?.trim() ?? "";
    await ask(FirstEmployee, { input: { name, email: values.email?.trim() ?? "" } }, { key });
    return this.tell(startTexts().invited(name));
  }

  protected override render(): TemplateResult {
    const t = startTexts();
    const { form } = this;
    return form.render(
      () => html`<div class="fields">${form.text("name", t.personName, { most: 100, required: true })}
        ${form.text("email", t.email, { type: "email", required: true })}</div>`,
      t.invite,
    );
  }
}

/** A shift for people, from today. */
@customElement("wf-first-assignment")
export class FirstAssignmentStep extends Step {
  @property({ attribute: false }) read!: FirstStepsQuery;
  /** The id of who looks. */
  @property() me = "";
  @property() today = "";
  protected readonly form = new Form(this, "first assignment", (values, key) => this.send(values, key));
  /** The names of those who can be chosen, by id. */
  readonly #names = new Map<string, string>();

  private async send(values: Values, key: string): Promise<string> {
    const t = startTexts();
    const userIds = listed(values.userIds);
    const input = {
      userIds,
      shiftId: values.shiftId ?? "",
      startsOn: this.today,
      weekdays: listed(values.weekdays).map(Number),
    };
    const { assignShifts } = await ask(FirstAssignment, { input }, { key });
    const refused = assignShifts.filter((a) => a.code);
    if (refused.length > 0)
      throw new Fault(t.refused(refused.map((a) => this.#names.get(a.userId) ?? a.userId).join(", ")), {
        code: "CONFLICT",
      });
    return this.tell(t.assigned(userIds.length));
  }

  protected override render(): TemplateResult {
    const t = startTexts();
    const { form } = this;
    const shifts = nodes(this.read.shifts);
    const free = unplanned(this.read, this.me);
    for (const p of this.read.employees.nodes) this.#names.set(p.id, p.name);
    form.begin({
      userIds: free.map((p) => p.id).join(" "),
      shiftId: shifts[0]?.id ?? "",
      weekdays: workdays(this.read.company.settings.weeklyOffs, this.today).join(" "),
    });
    if (shifts.length === 0) return html`<p class="hint">${t.shiftFirst}</p>`;
    const options = shifts.map((s) => [s.id, `${s.name} ${s.startTime}–${s.endTime}`] as const);
    return form.render(
      () => html`${this.people()}${form.choice("shiftId", t.shift, options)}
        ${boxes(form, "weekdays", t.days, weekdays(), t.daysHint)}`,
      t.assign,
    );
  }

  private people(): TemplateResult {
    const t = startTexts();
    const { form } = this;
    const chosen = listed(form.value("userIds")).map((id) => ({ id, name: this.#names.get(id) ?? id }));
    const picked = (event: Event): void => {
      const all = (event.target as unknown as { chosen: readonly Option[] }).chosen;
      for (const { id, name } of all) this.#names.set(id, name);
      form.set("userIds", all.map((o) => o.id).join(" "));
    };
    return form.around(
      "userIds",
      t.people,
      html`<wf-pick .field=${form.id("userIds")} .label=${t.people} .find=${people} several .chosen=${chosen}
        ?wrong=${form.wrong("userIds", t.people) !== ""} @wf-picked=${picked}></wf-pick>`,
      { hint: t.peopleHint },
    );
  }
}

/** The ids of a list as a form has it. */
function listed(value: string | undefined): string[] {
  return (value ?? "").split(" ").filter((id) => id !== "");
}
