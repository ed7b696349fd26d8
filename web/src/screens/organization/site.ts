import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import { Fault } from "../../api/fault.js";
import { Act } from "../../parts/act.js";
import { boxes, weekdays } from "../../parts/boxes.js";
import { isPosition, positionsOf } from "../../parts/coordinates.js";
import { closing, dialog } from "../../parts/dialog.js";
import { factList, said } from "../../parts/facts.js";
import { Form, numberOf, textOf, type Values } from "../../parts/form.js";
import { type Here, pasted } from "../../parts/here.js";
import { Part, Reading } from "../../parts/part.js";
import "../../parts/pick.js";
import type { Option } from "../../parts/pick.js";
import { dotAt, drawing, offset, reach } from "../../parts/site.js";
import { zones } from "../../parts/zones.js";
import { texts } from "../../texts/texts.js";
import "./places.js";
import { businesses } from "./places.js";
import { policiesOf, policyFacts, policyFields, policyValues, rules } from "./policies.js";
import {
  OrganizationCreateSite,
  OrganizationDeleteSite,
  OrganizationPolicies,
  OrganizationUpdateSite,
} from "./sites.graphql.js";
import type { SiteRow } from "./sites.js";
import { organizationTexts } from "./texts.js";

/** The radius of a new site, in metres. */
const usualRadius = "100";

/** One site, as a dialog: its circle, and what is written of it. */
@customElement("wf-site")
export class Site extends Part {
  /** Undefined for a new one. */
  @property({ attribute: false }) site: SiteRow | undefined;
  @property() zone = "";
  @property({ type: Boolean }) writes = false;
  /** What is asked about before it is done. */
  @state() private asking: "" | "archive" | "delete" = "";
  @state() private here: Here | undefined;
  private readonly act = new Act(this);
  private readonly company = new Reading(this, (signal) => ask(OrganizationPolicies, {}, { signal }));
  private form!: Form;
  /** Whether the rules are shown from the beginning. */
  #ruled = false;

  override connectedCallback(): void {
    super.connectedCallback();
    this.form = new Form(this, `site ${this.site?.id ?? "new"}`, (values, key) => this.send(values, key));
    const site = this.site;
    this.form.begin({
      name: site?.name ?? "",
      address: site?.address ?? "",
      latitude: site?.latitude ?? "",
      longitude: site?.longitude ?? "",
      radius: site ? String(site.radius ?? "") : usualRadius,
      timezone: site?.timezone ?? "",
      own: site?.weeklyOffs == null ? "" : "on",
      weeklyOffs: site?.weeklyOffs?.join(" ") ?? "",
      businessId: site?.business?.id ?? "",
      businessName: site?.business?.name ?? "",
      points: site?.points.map((p) => `${p.latitude}, ${p.longitude}`).join("\n") ?? "",
      ...policyValues(site?.policies),
    });
    this.#ruled = rules.some((r) => this.form.value(`policies.${r}`) !== "");
  }

  private async send(values: Values, key: string): Promise<string> {
    const t = organizationTexts();
    const points = positionsOf(values.points ?? "");
    const radius = numberOf(values.radius);
    const bad = [
      ...(points === null ? [{ field: "points", code: "bad_format", detail: t.badPoints }] : []),
      ...(Number.isInteger(radius ?? 0) ? [] : [{ field: "radius", code: "bad_format", detail: t.badRadius }]),
    ];
    if (points === null || bad.length > 0) throw new Fault(t.faulty, { code: "VALIDATION_FAILED", errors: bad });
    const input = {
      name: values.name?.trim() ?? "",
      address: textOf(values.address),
      latitude: values.latitude?.trim().replace(",", ".") ?? "",
      longitude: values.longitude?.trim().replace(",", ".") ?? "",
      radius,
      timezone: textOf(values.timezone),
      weeklyOffs: values.own === "on" ? (values.weeklyOffs ?? "").split(" ").filter(Boolean).map(Number) : null,
      businessId: textOf(values.businessId),
      points,
      policies: policiesOf(values),
    };
    if (this.site) await ask(OrganizationUpdateSite, { id: this.site.id, input }, { key });
    else await ask(OrganizationCreateSite, { input }, { key });
    return this.tell(this.site ? t.saved(input.name) : t.created(input.name));
  }

  /** Has the screen say what was done; the dialog says nothing, since it is closed. */
  private tell(done: string): string {
    this.dispatchEvent(new CustomEvent("wf-done", { detail: done }));
    return "";
  }

  protected override render(): TemplateResult {
    const t = organizationTexts();
    const name = this.site?.name ?? "";
    const heading = { "": name || t.newSite, archive: t.archiveOf(name), delete: t.deleteOf(name) }[this.asking];
    return dialog(heading, this.asking === "" ? this.content() : this.sure(), () =>
      this.dispatchEvent(new Event("wf-closed")),
    );
  }

  private content(): TemplateResult {
    const { site } = this;
    if (!this.writes && site) return html`${this.drawn()}${this.facts(site)}${closing()}`;
    const t = organizationTexts();
    return html`${this.form.render(() => this.fields(), t.save, texts().dialog.close)}
      ${
        site
          ? html`<wf-places .site=${site.id}></wf-places>
            ${this.act.told()}
            <div class="actions more">${
              site.active
                ? html`<button type="button" @click=${() => {
                    this.asking = "archive";
                  }}>${t.archive}</button>`
                : html`<button type="button" ?disabled=${this.act.busy} @click=${() => this.setActive(true)}>${t.restore}</button>`
            }<button type="button" @click=${() => {
              this.asking = "delete";
            }}>${texts().form.delete}</button></div>`
          : nothing
      }`;
  }

  private facts(site: SiteRow): TemplateResult {
    const t = organizationTexts();
    return factList(
      said([
        [t.address, site.address],
        [t.position, `${site.latitude}, ${site.longitude}`],
        [t.zone, site.timezone ?? this.zone],
        [t.business, site.business?.name],
        ...policyFacts(site.policies),
      ]),
    );
  }

  private fields(): TemplateResult {
    const t = organizationTexts();
    const { form } = this;
    return html`${form.text("name", t.name, { most: 100, required: true })}
      ${form.area("address", t.address, { most: 500 })}
      <wf-here @wf-here=${this.#here}></wf-here>
      <div class="fields" @paste=${this.#paste}>${form.text("latitude", t.latitude, { required: true, inputmode: "decimal", hint: t.degrees, most: 20 })}
        ${form.text("longitude", t.longitude, { required: true, inputmode: "decimal", hint: t.degreesEast, most: 20 })}
        ${form.text("radius", t.radiusField, { inputmode: "numeric", hint: t.radiusHint, most: 6 })}</div>
      ${this.drawn()}
      ${form.area("points", t.points, { hint: t.pointsHint, most: 2000 })}
      ${this.pick("timezone", t.zone, zones, form.value("timezone"), t.zoneHint(this.zone))}
      ${this.pick("businessId", t.business, businesses, form.value("businessName"), t.businessHint, "businessName")}
      ${form.check("own", t.ownOffs, { hint: t.ownOffsHint })}
      ${form.value("own") === "on" ? boxes(form, "weeklyOffs", t.weeklyOffs, weekdays()) : nothing}
      <details ?open=${this.#ruled}><summary>${t.policies.heading}</summary>
        ${policyFields(form, this.company.value?.company.settings)}</details>`;
  }

  readonly #here = (event: Event): void => {
    this.here = (event as CustomEvent<Here>).detail;
    this.form.set("latitude", this.here.latitude);
    this.form.set("longitude", this.here.longitude);
  };

  readonly #paste = (event: ClipboardEvent): void => {
    const pair = pasted(event);
    if (!pair) return;
    this.form.set("latitude", pair.latitude);
    this.form.set("longitude", pair.longitude);
  };

  /** The circle to scale, with the further positions of the site and where it has been until now. */
  private drawn(): TemplateResult | typeof nothing {
    const t = organizationTexts();
    const value = (name: string): string => this.form.value(name).trim().replace(",", ".");
    const centre = { latitude: value("latitude"), longitude: value("longitude") };
    const radius = numberOf(value("radius"));
    if (!isPosition(centre) || Number.isNaN(radius) || (radius !== null && radius <= 0)) return nothing;
    const points = positionsOf(this.form.value("points")) ?? [];
    const at = points.map((p) => offset(centre, p));
    const far = at.map((o) => Math.hypot(o.x, o.y));
    const edge = reach(radius, far);
    const moved = this.site ? Math.round(Math.hypot(...Object.values(offset(this.site, centre)))) : 0;
    const label = radius === null ? t.drawnUnlimited : t.drawn(radius);
    return html`<figure class="circle">${drawing(
      label,
      radius,
      at.map((o) => dotAt(o, radius, edge)),
      edge,
    )}
      <figcaption><p>${label}</p>
        ${far.map((metres, i) => html`<p>${t.pointAt(i + 1, Math.round(metres))}</p>`)}
        ${moved > 0 ? html`<p>${t.movedBy(moved)}</p>` : nothing}
        ${this.here ? html`<p>${t.accuracy(this.here.accuracy)}</p>` : nothing}</figcaption></figure>`;
  }

  private pick(
    field: string,
    label: string,
    find: (text: string, signal: AbortSignal) => Promise<readonly Option[]>,
    name: string,
    hint: string,
    keepName = "",
  ): TemplateResult {
    const id = this.form.value(field);
    const picked = (event: Event): void => {
      const [one] = (event.target as unknown as { chosen: readonly Option[] }).chosen;
      if (keepName !== "") this.form.set(keepName, one?.name ?? "");
      this.form.set(field, one?.id ?? "");
    };
    return this.form.around(
      field,
      label,
      html`<wf-pick .field=${this.form.id(field)} .label=${label} .find=${find} ?wrong=${this.form.wrong(field, label) !== ""}
        .chosen=${id === "" ? [] : [{ id, name }]} @wf-picked=${picked}></wf-pick>`,
      { hint },
    );
  }

  /** Asks before the site is archived or deleted. */
  private sure(): TemplateResult {
    const t = organizationTexts();
    const archives = this.asking === "archive";
    return html`<p>${archives ? t.archiveHint : t.deleteHint}</p>
      ${this.act.told()}
      <div class="actions"><button type="button" class="primary" ?disabled=${this.act.busy}
          @click=${() => (archives ? this.setActive(false) : this.erase())}>${archives ? t.archive : texts().form.delete}</button>
        ${closing(texts().dialog.cancel)}</div>`;
  }

  private setActive(active: boolean): void {
    const { site } = this;
    if (!site) return;
    void this.act.run(async (key) => {
      await ask(OrganizationUpdateSite, { id: site.id, input: { active } }, { key });
      const t = organizationTexts();
      return this.tell(active ? t.restored(site.name) : t.archivedOf(site.name));
    }, `active ${active}`);
  }

  private erase(): void {
    const { site } = this;
    if (!site) return;
    void this.act.run(async (key) => {
      await ask(OrganizationDeleteSite, { id: site.id }, { key });
      return this.tell(organizationTexts().deleted(site.name));
    }, "delete");
  }
}
