import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import { boxes, daysOfWeek, weekdays } from "../../parts/boxes.js";
import { question } from "../../parts/dialog.js";
import { Form, type Values } from "../../parts/form.js";
import { Part, Reading } from "../../parts/part.js";
import "../../parts/pick.js";
import { shown } from "../../parts/states.js";
import { dateAndTime } from "../../parts/time.js";
import { zones } from "../../parts/zones.js";
import { query, setQuery } from "../../router.js";
import type { StartQuery } from "../../shell.graphql.js";
import { texts } from "../../texts/texts.js";
import { countries, countryName } from "./countries.js";
import {
  fieldOf,
  found,
  type Group,
  groupNames,
  groups,
  inputOf,
  isTime,
  kept,
  riskyOf,
  settingOf,
  standardOf,
  timeOf,
  unitOf,
  valuesOf,
} from "./fields.js";
import "./logo.js";
import { Settings as Document, SaveSettings, type SettingsQuery } from "./settings.graphql.js";
import type { Setting, SettingName } from "./table.js";
import { settingsTexts } from "./texts.js";

type Texts = ReturnType<typeof settingsTexts>;

/** When the installation was backed up last. */
function lastBackup({ lastBackup: at, company }: SettingsQuery): string {
  const t = settingsTexts();
  return at ? t.backup(dateAndTime(at, company.timezone)) : t.noBackup;
}

/** Every setting of the company, with its meaning and its default. */
@customElement("wf-settings")
export class Settings extends Part {
  @property({ attribute: false }) start!: StartQuery;
  /** The fields that are asked about before they are saved. */
  @state() private risky: readonly string[] = [];
  private readonly company = new Reading(this, (signal) => ask(Document, {}, { signal }));
  private readonly form = new Form(this, "settings", (_values, key) => this.save(key));

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("wf-place", this.#place);
    this.addEventListener("wf-taken", this.company.again);
  }

  override disconnectedCallback(): void {
    removeEventListener("wf-place", this.#place);
    this.removeEventListener("wf-taken", this.company.again);
    super.disconnectedCallback();
  }

  readonly #place = (): void => this.requestUpdate();

  private async save(key: string): Promise<string> {
    const t = settingsTexts();
    const { version: _, ...changed } = this.form.changed;
    const count = Object.keys(changed).length;
    if (count === 0) return t.unsaved(0);
    const version = Number(this.form.value("version"));
    await ask(SaveSettings, { input: { ...inputOf(changed, t), version } }, { key });
    await this.company.again();
    return t.saved(count);
  }

  protected override willUpdate(): void {
    if (this.company.value) this.form.begin(valuesOf(this.company.value.company));
  }

  protected override render(): TemplateResult {
    return html`<div class="title"><h1 tabindex="-1">${texts().screens.settings}</h1><p>${settingsTexts().lead}</p></div>
      ${shown(this.company, (read) => html`<p class="backup">${lastBackup(read)}</p>${this.filters()}${this.everything(read)}`)}
      ${this.risky.length > 0 ? this.question() : nothing}`;
  }

  private filters(): TemplateResult {
    const t = settingsTexts();
    const q = query();
    return html`<div class="filters no-print">
      <label>${t.search} <input type="search" .value=${q.get("search") ?? ""}
        @input=${(e: Event) => setQuery({ search: (e.target as HTMLInputElement).value })}></label>
      <label>${t.group} <select @change=${(e: Event) => setQuery({ group: (e.target as HTMLSelectElement).value })}>
        <option value="" .selected=${!q.has("group")}>${t.allGroups}</option>
        ${groupNames.map((g) => html`<option value=${g} .selected=${g === q.get("group")}>${t.groups[g]}</option>`)}</select></label>
      <label class="check"><input type="checkbox" .checked=${q.has("differing")}
        @change=${(e: Event) => setQuery({ differing: (e.target as HTMLInputElement).checked ? "1" : "" })}> ${t.differing}</label>
    </div>`;
  }

  private everything(read: SettingsQuery): TemplateResult {
    const t = settingsTexts();
    const wanted = groupNames
      .map((group) => [group, this.wanted(group)] as const)
      .filter(([, names]) => names.length > 0);
    if (wanted.length === 0)
      return html`<div class="state"><p>${t.nothingFound}</p>
        <p><a href="/app/settings">${t.showAll}</a></p></div>`;
    const capture = { handleEvent: this.#before, capture: true };
    return html`<div class=${this.form.dirty ? "settings unsaved" : "settings"} @submit=${capture}>
      ${this.form.render(
        () => html`${wanted.map(
          ([group, names]) => html`<section class="form" aria-labelledby="group-${group}">
            <h2 id="group-${group}">${t.groups[group]}</h2>
            ${names.map((name) => this.field(name, t, read))}</section>`,
        )}
        <p class="selected">${t.unsaved(Object.keys(this.form.changed).length)}
          ${this.form.dirty ? html`<button type="button" class="link" @click=${() => this.form.reset()}>${t.discard}</button>` : nothing}</p>`,
        t.save,
      )}</div>`;
  }

  /** The fields of a group that the address asks for; those of the company itself are no settings. */
  private wanted(group: Group): readonly string[] {
    const t = settingsTexts();
    const q = query();
    const search = (q.get("search") ?? "").trim();
    const only = q.get("group") ?? "";
    if (only !== "" && only !== group) return [];
    const own: Record<string, readonly string[]> = {
      name: [t.name],
      timezone: [t.timezone, t.timezoneHint],
      locale: [t.locale, t.localeHint],
      logo: [t.logo, t.logoHint],
    };
    const names = group === "company" ? [...Object.keys(own), ...groups.company] : groups[group];
    return names.filter((name) => {
      if (q.has("differing") && (own[name] || !this.touched(name as SettingName))) return false;
      return search === "" || found([name, t.groups[group], ...(own[name] ?? t.meanings[name as SettingName])], search);
    });
  }

  /** Whether a setting differs from its default, or did before it was changed here. */
  private touched(name: SettingName): boolean {
    return this.differs(name) || fieldOf(name) in this.form.changed;
  }

  private differs(name: SettingName): boolean {
    return this.form.value(fieldOf(name)) !== standardOf(settingOf(name));
  }

  private field(name: string, t: Texts, read: SettingsQuery): TemplateResult {
    switch (name) {
      case "name":
        return this.form.text("name", t.name, { most: 100, required: true });
      case "timezone":
        return this.picked("timezone", t.timezone, zones, (zone) => zone, t.timezoneHint);
      case "locale":
        return this.form.choice("locale", t.locale, Object.entries(t.locales), { hint: t.localeHint });
      case "logo":
        return html`<wf-logo .company=${read.company} @wf-changed=${this.company.again}></wf-logo>`;
      default:
        return this.setting(settingOf(name as SettingName), t);
    }
  }

  private setting(setting: Setting, t: Texts): TemplateResult {
    const name = setting.name as SettingName;
    const [label, meaning] = t.meanings[name];
    const differs = this.differs(name);
    const standard = standardOf(setting);
    return html`<div class="setting">${this.input(setting, label, meaning, t)}
      <p class="hint">${t.standard(this.shown(setting, standard))}${limits(setting, t)}
        ${
          differs
            ? html`<span class="status late">${t.differs}</span>
              <button type="button" class="link" aria-label=${t.back(label)}
                @click=${() => this.form.set(fieldOf(name), standard)}>${t.backShort}</button>`
            : nothing
        }</p></div>`;
  }

  private input(setting: Setting, label: string, hint: string, t: Texts): TemplateResult {
    const field = fieldOf(setting.name);
    switch (setting.kind) {
      case "switch":
        return this.form.check(field, label, { hint });
      case "choice":
        return this.form.choice(field, label, Object.entries(t.actions), { hint });
      case "weekdays":
        return boxes(this.form, field, label, weekdays(), hint);
      case "names":
        return boxes(
          this.form,
          field,
          label,
          (setting.allow ?? "").split(" ").map((n) => [n, n.toUpperCase()] as const),
          hint,
        );
      case "date":
        return this.form.text(field, label, { type: "date", hint });
      case "country":
        return this.picked(field, label, countries, countryName, hint);
      case "number":
        if (setting.name === "firstWeekday") return this.form.choice(field, label, weekdays(), { hint });
        if (isTime(setting.name)) return this.form.text(field, label, { hint, most: 5 });
        return this.form.text(field, unitLabel(label, setting, t), { hint, inputmode: "numeric", most: 9 });
    }
  }

  /** A field whose value is chosen of many. */
  private picked(
    field: string,
    label: string,
    find: typeof zones,
    name: (id: string) => string,
    hint: string,
  ): TemplateResult {
    const value = this.form.value(field);
    return this.form.around(
      field,
      label,
      html`<wf-pick .field=${this.form.id(field)} .label=${label} .find=${find} ?wrong=${this.form.wrong(field, label) !== ""}
        .chosen=${value === "" ? [] : [{ id: value, name: name(value) }]}
        @wf-picked=${(e: Event) => this.form.set(field, (e.target as unknown as { chosen: { id: string }[] }).chosen[0]?.id ?? "")}></wf-pick>`,
      { hint },
    );
  }

  /** A value of a setting in words. */
  private shown(setting: Setting, value: string): string {
    const t = settingsTexts();
    if (setting.kind === "switch") return value === "on" ? t.on : t.off;
    if (value === "") return t.unset;
    if (setting.kind === "choice") return t.actions[value as keyof Texts["actions"]] ?? value;
    if (setting.kind === "weekdays" || setting.name === "firstWeekday") return daysOfWeek(value.split(" ").map(Number));
    if (setting.kind === "names") return value.toUpperCase().replaceAll(" ", ", ");
    if (setting.kind === "country") return countryName(value);
    const minutes = Number(value);
    const unit = unitOf(setting.name);
    const hours =
      unit === "minutes" && minutes >= 120 ? ` (${texts().time.hours(Math.floor(minutes / 60), minutes % 60)})` : "";
    return unit === "none" ? value : `${value} ${t.units[unit]}${hours}`;
  }

  /** Asks before what deletes, locks or moves something is saved. */
  readonly #before = (event: Event): void => {
    const company = this.company.value?.company;
    if (!company) return;
    const risky = riskyOf(valuesOf(company), this.form.changed);
    if (risky.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    this.risky = risky;
  };

  private question(): TemplateResult {
    const t = settingsTexts();
    const values = this.form.values;
    return question(
      t.risky,
      html`<ul>${this.risky.map((field) => html`<li>${this.risk(field, values, t)}</li>`)}</ul>`,
      t.save,
      (yes) => {
        this.risky = [];
        if (yes) void this.form.submit();
      },
    );
  }

  private risk(field: string, values: Values, t: Texts): string {
    if (field === "timezone") return t.moved(values.timezone ?? "");
    const setting = settingOf(field.replace(/^settings\./, "") as SettingName);
    const value = this.shown(setting, values[field] || setting.standard);
    const [label] = t.meanings[setting.name as SettingName];
    return kept.includes(setting.name as SettingName) ? t.shorter(label, value) : t.locked(label, value);
  }
}

function unitLabel(label: string, setting: Setting, t: Texts): string {
  const unit = t.units[unitOf(setting.name)];
  return unit === "" ? label : `${label} (${unit})`;
}

/** From what to what a number may be. */
function limits(setting: Setting, t: Texts): string {
  if (setting.kind !== "number" || setting.name === "firstWeekday") return "";
  const shown = (n: number | undefined): string => (isTime(setting.name) ? timeOf(n ?? 0) : String(n ?? 0));
  return ` · ${t.range(shown(setting.min), shown(setting.max))}`;
}

export function show(start: StartQuery): TemplateResult {
  return html`<wf-settings .start=${start}></wf-settings>`;
}
