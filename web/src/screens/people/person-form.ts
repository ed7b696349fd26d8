import { html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import { encrypted } from "../../api/encrypt.js";
import type { CreateUserInput, UpdateUserInput } from "../../api/schema.js";
import { dialog } from "../../parts/dialog.js";
import { Form, type Values } from "../../parts/form.js";
import { Part } from "../../parts/part.js";
import { may, setQuery } from "../../router.js";
import type { StartQuery } from "../../shell.graphql.js";
import { texts } from "../../texts/texts.js";
import type { StructureQuery } from "./people.graphql.js";
import { ChangePerson, CreatePerson, type PersonQuery } from "./person.graphql.js";
import { changeOf, type Filled, newOf, policies, valuesOf } from "./person-values.js";
import { peopleTexts } from "./texts.js";
import { treeOptions } from "./tree.js";
import "../../parts/pick.js";

/** The form of a person, a new one without one, as a dialog. `wf-changed` tells what was done. */
@customElement("wf-person-form")
export class PersonForm extends Part {
  @property({ attribute: false }) start!: StartQuery;
  @property({ attribute: false }) trees: StructureQuery | undefined;
  @property({ attribute: false }) user: PersonQuery["user"] | undefined;
  private form!: Form;
  #sealed: { readonly of: string; readonly text: string } | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.form = new Form(this, this.user ? `person ${this.user.id}` : "person new", (values, key) =>
      this.send(values, key),
    );
    this.form.begin(this.user ? valuesOf(this.user) : {});
  }

  private async send(values: Values, key: string): Promise<string> {
    const t = peopleTexts();
    if (this.user) {
      const input: UpdateUserInput = changeOf(values, this.form.changed);
      await ask(ChangePerson, { id: this.user.id, input }, { key });
      this.#left(t.changed);
      return t.changed;
    }
    const password = values.password ?? "";
    const input: CreateUserInput = newOf(values, password && (await this.#seal(password)));
    const { createUser } = await ask(CreatePerson, { input }, { key });
    const done = password === "" ? t.createdInvited(createUser.name) : t.created(createUser.name);
    this.#left(done);
    return done;
  }

  /** Encrypts a password once: what is sent again under a key is the same. */
  async #seal(password: string): Promise<string> {
    if (this.#sealed?.of !== password) this.#sealed = { of: password, text: await encrypted(password) };
    return this.#sealed.text;
  }

  /** Tells what was done, and leaves the form. */
  #left(done: string): void {
    this.dispatchEvent(new CustomEvent("wf-changed", { detail: done }));
    setQuery({ new: "", edit: "" });
  }

  protected override render(): TemplateResult {
    const t = peopleTexts();
    const heading = this.user ? t.changeHeading(this.user.name) : t.newHeading;
    const content = html`${this.form.render(() => this.fields(), texts().form.save, texts().dialog.cancel)}`;
    return dialog(heading, content, () => setQuery({ new: "", edit: "" }));
  }

  private fields(): TemplateResult {
    const t = peopleTexts();
    const f = this.form;
    const list = (of: Readonly<Record<string, string>>) => Object.entries(of);
    const businesses = treeOptions(this.trees?.businessStructure ?? []);
    return html`${f.text("name", t.name, { required: true, most: 100 })}
      ${f.text("email", t.email, { type: "email", required: true })}
      <div class="fields">${f.text("countryCode", t.countryCode, { inputmode: "numeric", most: 4 })}
        ${f.text("mobileNumber", t.phone, { type: "tel", hint: t.phoneHint })}</div>
      <div class="fields">${f.choice("businessId", t.business, [["", texts().form.none], ...businesses])}
        ${f.text("joinedOn", t.joined, { type: "date" })}${f.text("leftOn", t.left, { type: "date" })}</div>
      ${this.several("designationIds", t.designations, this.trees?.designationStructure ?? [])}
      ${may(this.start, "role.write.all") ? this.several("roleIds", t.roles, this.trees?.roleList ?? [], this.user ? "" : t.rolesHint) : nothing}
      <div class="fields">${f.choice(
        "locale",
        t.language,
        list(t.languages).filter(([v]) => v !== "" || !this.user),
      )}
        ${f.choice("gender", t.gender, list(t.genders))}
        ${
          this.user
            ? f.choice(
                "messageChannel",
                t.channel,
                list(t.channels).filter(([v]) => v !== "email"),
              )
            : nothing
        }</div>
      ${this.user ? nothing : f.text("password", t.password, { type: "password", autocomplete: "new-password", hint: t.inviteHint })}
      ${this.user && may(this.start, "organization.write.all") ? this.rules() : nothing}`;
  }

  /** Several of a list, found by a part of their name. */
  private several(name: string, label: string, all: readonly Filled[], hint = ""): TemplateResult {
    const f = this.form;
    const ids = f
      .value(name)
      .split(" ")
      .filter((id) => id !== "");
    const chosen = ids.map((id) => ({ id, name: all.find((o) => o.id === id)?.name ?? id }));
    const find = async (text: string) =>
      all.filter((o) => o.name.toLocaleLowerCase().includes(text.toLocaleLowerCase())).slice(0, 20);
    const picked = (event: Event): void =>
      f.set(
        name,
        (event.currentTarget as HTMLElement & { chosen: readonly Filled[] }).chosen.map((o) => o.id).join(" "),
      );
    const content = html`<wf-pick .field=${f.id(name)} .label=${label} .several=${true} .chosen=${chosen}
      .wrong=${f.wrong(name, label) !== ""} .find=${find} @wf-picked=${picked}></wf-pick>`;
    return f.around(name, label, content, { hint });
  }

  private rules(): TemplateResult {
    const t = peopleTexts();
    const options = Object.entries(t.actions);
    return html`<details><summary>${t.rules}</summary><p class="hint">${t.rulesHint}</p>
      <div class="fields">${policies.map((p) => this.form.choice(`policies.${p}`, t.rule[p], options))}</div></details>`;
  }
}
