import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import { Act } from "../../parts/act.js";
import { question } from "../../parts/dialog.js";
import { nodes } from "../../parts/nodes.js";
import { Part, Reading } from "../../parts/part.js";
import { shown } from "../../parts/states.js";
import { may, query, setQuery } from "../../router.js";
import type { StartQuery } from "../../shell.graphql.js";
import { texts } from "../../texts/texts.js";
import { grants, type Scope, widest } from "./grants.js";
import "./role-form.js";
import { DeleteRole, RoleTable } from "./roles.graphql.js";
import { rolesTexts } from "./texts.js";

/** A role with what it may. */
export interface Role {
  readonly id: string;
  readonly name: string;
  /** As resource.action.scope. */
  readonly permissions: readonly string[];
  readonly userCount: number;
  readonly builtin: boolean;
}

/** The roles of the company as a table of what they permit. */
@customElement("wf-roles")
export class Roles extends Part {
  @property({ attribute: false }) start!: StartQuery;
  @state() private done = "";
  @state() private asked: Role | undefined;
  private readonly act = new Act(this);
  private readonly read = new Reading(this, async (signal): Promise<readonly Role[]> => {
    const { roleList, roles } = await ask(RoleTable, {}, { signal });
    const builtin = new Map(nodes(roles).map((r) => [r.id, r.builtin != null]));
    const order = (r: { id: string; permissions: readonly string[] }): number => (builtin.get(r.id) ? 0 : 1);
    return roleList
      .map((r) => ({ ...r, builtin: builtin.get(r.id) ?? false }))
      .sort((a, b) => order(a) - order(b) || (a.builtin ? a.permissions.length - b.permissions.length : 0));
  });
  readonly #place = (): void => this.requestUpdate();

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("wf-place", this.#place);
  }

  override disconnectedCallback(): void {
    removeEventListener("wf-place", this.#place);
    super.disconnectedCallback();
  }

  private get writes(): boolean {
    return may(this.start, "role.write.all");
  }

  protected override render(): TemplateResult {
    const t = rolesTexts();
    return html`<div class="title"><h1 tabindex="-1">${texts().screens.roles}</h1></div>
      <p class="hint">${t.hint}</p>
      ${this.writes ? html`<div class="actions no-print"><button type="button" class="primary" @click=${() => setQuery({ role: "new" })}>${t.add}</button></div>` : nothing}
      ${this.done === "" ? this.act.told() : html`<p role="status" class="outcome">${this.done}</p>`}
      ${shown(this.read, (roles) => html`${this.table(roles)}${this.opened(roles)}`)}
      ${this.asked ? this.question(this.asked) : nothing}`;
  }

  private table(roles: readonly Role[]): TemplateResult {
    const t = rolesTexts();
    const of = new Map(roles.map((r) => [r.id, widest(r.permissions)]));
    return html`<div class="permissions" role="region" tabindex="0" aria-label=${t.table}>
      <table aria-label=${t.table}><thead><tr><th scope="col">${t.permission}</th>${roles.map((r) => this.head(r))}</tr></thead>
      ${grants.map(
        ([resource, actions]) => html`<tbody>
          <tr><th scope="rowgroup" colspan=${roles.length + 1}>${t.resources[resource].name}</th></tr>
          ${actions.map(
            (action) =>
              html`<tr><th scope="row">${t.resources[resource][action]}</th>${roles.map((r) => cell(of.get(r.id)?.get(`${resource}.${action}`)))}</tr>`,
          )}</tbody>`,
      )}</table></div>`;
  }

  private head(role: Role): TemplateResult {
    const t = rolesTexts();
    return html`<th scope="col">${role.name} <span class="hint">${role.builtin ? `${t.builtin}, ` : ""}${t.people(role.userCount)}</span>
      ${this.writes && !role.builtin ? html`<button type="button" class="no-print" @click=${() => setQuery({ role: role.id })}>${t.change}</button>` : nothing}</th>`;
  }

  /** The form of the role that the address names. */
  private opened(roles: readonly Role[]): TemplateResult | typeof nothing {
    const id = query().get("role") ?? "";
    const role = roles.find((r) => r.id === id && !r.builtin);
    if (!this.writes || (id !== "new" && !role)) return nothing;
    return html`<wf-role-form .entry=${role} .roles=${roles} .mine=${this.start.tokenInfo.permissions}
      @wf-changed=${this.#changed} @wf-delete=${() => this.#ask(role)}></wf-role-form>`;
  }

  #ask(role: Role | undefined): void {
    this.done = "";
    setQuery({ role: "" });
    this.asked = role;
  }

  readonly #changed = async (event: CustomEvent<string>): Promise<void> => {
    this.act.clear();
    this.done = event.detail;
    await this.read.again();
  };

  private question(role: Role): TemplateResult {
    const t = rolesTexts();
    return question(t.deleteAsk(role.name), html`<p>${t.deleteHint}</p>`, t.delete, async (yes) => {
      this.asked = undefined;
      if (!yes) return;
      await this.act.run(async (key) => {
        await ask(DeleteRole, { id: role.id }, { key });
        await this.read.again();
        return t.deleted(role.name);
      }, `delete ${role.id}`);
      this.querySelector<HTMLElement>("h1")?.focus(); // the role's button is gone
    });
  }
}

function cell(scope: Scope | undefined): TemplateResult {
  const t = rolesTexts();
  return html`<td>${scope ? html`<span class="scope scope-${scope}">${t.scopes[scope]}</span>` : html`<span class="hint"><span aria-hidden="true">–</span><span class="hidden">${t.none}</span></span>`}</td>`;
}

export function show(start: StartQuery): TemplateResult {
  return html`<wf-roles .start=${start}></wf-roles>`;
}
