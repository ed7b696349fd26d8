import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import { dialog, question } from "../../parts/dialog.js";
import { Form, type Values } from "../../parts/form.js";
import { Part } from "../../parts/part.js";
import { setQuery } from "../../router.js";
import { texts } from "../../texts/texts.js";
import { differences, grants, permissionsOf, scopes, widest } from "./grants.js";
import { ChangeRole, CreateRole } from "./roles.graphql.js";
import type { Role } from "./roles.js";
import { rolesTexts } from "./texts.js";

/** The form of a role, a new one without one. `wf-changed` tells what was done, `wf-delete` that it is to go. */
@customElement("wf-role-form")
export class RoleForm extends Part {
  @property({ attribute: false }) entry: Role | undefined;
  @property({ attribute: false }) roles: readonly Role[] = [];
  /** What who changes it may, as resource.action.scope. */
  @property({ attribute: false }) mine: readonly string[] = [];
  /** Whether it is asked if a role that people have is changed. */
  @state() private asked = false;
  #sure = false;
  private form!: Form;

  override connectedCallback(): void {
    super.connectedCallback();
    this.form = new Form(this, `role ${this.entry?.id ?? "new"}`, (values, key) => this.send(values, key));
    this.form.begin(this.entry ? { name: this.entry.name, ...Object.fromEntries(widest(this.entry.permissions)) } : {});
  }

  private async send(values: Values, key: string): Promise<string> {
    const t = rolesTexts();
    const name = values.name?.trim() ?? "";
    if (this.entry) {
      const permissions = permissionsOf(values, this.entry.permissions);
      const same = differences(values, this.entry.permissions).length === 0;
      await ask(ChangeRole, { id: this.entry.id, input: { name, ...(same ? {} : { permissions }) } }, { key });
    } else await ask(CreateRole, { input: { name, permissions: permissionsOf(values, []) } }, { key });
    const done = this.entry ? t.changed(name) : t.created(name);
    this.dispatchEvent(new CustomEvent("wf-changed", { detail: done }));
    setQuery({ role: "" });
    return done;
  }

  protected override render(): TemplateResult {
    const t = rolesTexts();
    const heading = this.entry ? t.changeNamed(this.entry.name) : t.newHeading;
    // Asks before the form is sent where people have the role.
    const before = (event: Event): void => {
      if (this.#sure || !this.entry || this.entry.userCount === 0 || !this.form.dirty) return;
      event.preventDefault();
      event.stopPropagation();
      this.asked = true;
    };
    const content = html`<div @submit=${{ handleEvent: before, capture: true }}>
        ${this.form.render(() => this.fields(), texts().form.save, texts().dialog.cancel)}</div>
      ${this.entry ? this.deletion(this.entry) : nothing}`;
    return html`${dialog(heading, content, () => setQuery({ role: "" }))}${this.asked && this.entry ? this.question(this.entry) : nothing}`;
  }

  private deletion(role: Role): TemplateResult {
    const t = rolesTexts();
    if (role.userCount > 0) return html`<p class="hint">${t.inUse(role.userCount)}</p>`;
    return html`<p><button type="button" @click=${() => this.dispatchEvent(new Event("wf-delete"))}>${t.delete}</button></p>`;
  }

  private question(role: Role): TemplateResult {
    const t = rolesTexts();
    const n = differences(this.form.values, role.permissions).length;
    return question(
      t.changeAsk(role.name, role.userCount),
      html`<p>${n === 0 ? t.renamed : t.changes(n)}</p>`,
      t.change,
      async (yes) => {
        this.asked = false;
        if (!yes) return;
        this.#sure = true;
        await this.form.submit();
        this.#sure = false;
      },
    );
  }

  private fields(): TemplateResult {
    const t = rolesTexts();
    return html`${this.form.text("name", t.name, { required: true, most: 100 })}
      ${this.entry ? nothing : this.like()}
      <p class="hint">${t.beyond}</p>
      ${grants.map(
        ([resource, actions]) => html`<fieldset><legend>${t.resources[resource].name}</legend><div class="fields">
          ${actions.map((action) => this.scope(`${resource}.${action}`, t.resources[resource][action] ?? ""))}</div></fieldset>`,
      )}`;
  }

  /** For whom something is permitted: as far as who chooses may themself, and as it is. */
  private scope(name: string, label: string): TemplateResult {
    const t = rolesTexts();
    const most = scopes.indexOf(widest(this.mine).get(name) ?? ("" as "own"));
    const now = this.form.value(name);
    const options = ["", ...scopes].filter((s, i) => i <= most + 1 || s === now);
    return this.form.choice(
      name,
      label,
      options.map((s) => [s, t.scopeNames[s] ?? s] as const),
    );
  }

  /** Begins with what another role may. */
  private like(): TemplateResult {
    const t = rolesTexts();
    const take = (event: Event): void => {
      const id = (event.target as HTMLSelectElement).value;
      const of = widest(this.roles.find((r) => r.id === id)?.permissions ?? []);
      for (const [resource, actions] of grants)
        for (const a of actions) this.form.set(`${resource}.${a}`, of.get(`${resource}.${a}`) ?? "");
    };
    return html`<div class="field"><label for="role-like">${t.like}</label><select id="role-like" @change=${take}>
      <option value="">${t.nothing}</option>${this.roles.map((r) => html`<option value=${r.id}>${r.name}</option>`)}</select></div>`;
  }
}
