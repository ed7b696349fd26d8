import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import { serverNow } from "../../api/clock.js";
import { Fault } from "../../api/fault.js";
import { closing, dialog } from "../../parts/dialog.js";
import { Form, type Values } from "../../parts/form.js";
import { Part } from "../../parts/part.js";
import { setQuery } from "../../router.js";
import { texts } from "../../texts/texts.js";
import { treeOptions } from "../people/tree.js";
import { grants } from "../roles/grants.js";
import { rolesTexts } from "../roles/texts.js";
import { type KeyTableQuery, MakeKey } from "./keys.graphql.js";
import { keysTexts } from "./texts.js";

/** What no key may, by resource. */
const kept: readonly string[] = ["audit", "company", "developer", "device", "report", "role", "session"];
const day = 86_400_000;
/** For how many days a key can be valid. */
const spans = [30, 90, 180, 365] as const;

/** The form of a new key, and then the key itself, once. `wf-changed` tells that one was made. */
@customElement("wf-key-form")
export class KeyForm extends Part {
  /** What who makes it may, as resource.action.scope. */
  @property({ attribute: false }) mine: readonly string[] = [];
  @property({ attribute: false }) businesses: KeyTableQuery["businessStructure"] = [];
  @state() private made: { readonly name: string; readonly token: string } | undefined;
  @state() private copied = false;
  private readonly form = new Form(this, "key", (values, key) => this.send(values, key), true);

  private async send(values: Values, key: string): Promise<string> {
    const t = keysTexts();
    const permissions = Object.keys(values).filter((name) => name.includes(".") && values[name] === "on");
    if (permissions.length === 0) throw new Fault(t.none, { code: "VALIDATION_FAILED" });
    const days = Number(values.days || 90);
    const { createApiKey: answer } = await ask(
      MakeKey,
      {
        input: {
          name: values.name?.trim() ?? "",
          permissions: permissions.sort(),
          businessId: values.businessId || null,
          expiresAt: new Date(serverNow() + days * day).toISOString(),
        },
      },
      { key },
    );
    this.made = { name: answer.apiKey.name, token: answer.token };
    this.dispatchEvent(new Event("wf-changed"));
    return t.made_(answer.apiKey.name);
  }

  protected override render(): TemplateResult {
    const t = keysTexts();
    const content = this.made
      ? this.once(this.made)
      : this.form.render(() => this.fields(), texts().form.save, texts().dialog.cancel);
    return dialog(this.made ? t.made_(this.made.name) : t.newHeading, content, () => setQuery({ key: "" }));
  }

  private once({ token }: { readonly token: string }): TemplateResult {
    const t = keysTexts();
    const copy = async (): Promise<void> => {
      await navigator.clipboard.writeText(token);
      this.copied = true;
    };
    return html`<p>${t.once}</p>
      <div class="field"><label for="key-text">${t.key}</label>
        <input id="key-text" readonly autocomplete="off" spellcheck="false" .value=${token} @focus=${(e: Event) => (e.target as HTMLInputElement).select()}></div>
      <div class="actions"><button type="button" class="primary" @click=${copy}>${t.copy}</button>${closing()}</div>
      <p role="status" class="outcome">${this.copied ? t.copied : ""}</p>`;
  }

  private fields(): TemplateResult {
    const t = keysTexts();
    const all = rolesTexts();
    const mine = new Set(this.mine);
    return html`${this.form.text("name", t.name, { required: true, most: 80, hint: t.nameHint })}
      <div class="fields">
        ${this.form.choice("businessId", t.business, [["", t.everybody], ...treeOptions(this.businesses)])}
        ${this.form.choice(
          "days",
          t.days,
          spans.map((n) => [n === 90 ? "" : String(n), t.spans[n] ?? ""] as const),
        )}
      </div>
      <p class="hint">${t.beyond}</p>
      ${grants.map(([resource, actions]) => {
        const given = actions.filter((a) => mine.has(`${resource}.${a}.all`));
        if (kept.includes(resource) || given.length === 0) return nothing;
        return html`<fieldset><legend>${all.resources[resource].name}</legend>
          ${given.map((a) => this.form.check(`${resource}.${a}.all`, all.resources[resource][a] ?? ""))}</fieldset>`;
      })}
      <fieldset><legend>Widgets</legend>${this.form.check("widget.create", t.widgets)}</fieldset>`;
  }
}
