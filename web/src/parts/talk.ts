import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { texts } from "../texts/texts.js";
import { Act } from "./act.js";
import { question } from "./dialog.js";
import { Form } from "./form.js";
import { Part } from "./part.js";
import { people } from "./people.js";
import type { Option } from "./pick.js";
import "./pick.js";
import { dateAndTime } from "./time.js";
import { workTexts } from "./work-texts.js";

/** A comment on a task or a ticket. */
export interface Comment {
  readonly id: string;
  readonly text: string;
  readonly createdAt: string;
  readonly editedAt?: string | null;
  readonly internal?: boolean;
  readonly user: { readonly id: string; readonly name: string };
  readonly mentions?: readonly { readonly name: string }[];
}

/** What is written: a text, whether those alone see it who handle the matter, and who is told. */
export interface Written {
  readonly text: string;
  readonly internal: boolean;
  readonly mentionIds: readonly string[];
}

/** How comments are written; each under an Idempotency-Key. */
export interface Talking {
  readonly add: (written: Written, key: string) => Promise<unknown>;
  readonly change: (id: string, text: string, key: string) => Promise<unknown>;
  readonly remove: (id: string, key: string) => Promise<unknown>;
}

/** Comments, the oldest first, and a field for the next one. `wf-changed` tells that they changed. */
@customElement("wf-talk")
export class Talk extends Part {
  /** Names what is talked about, for drafts: "task 12". */
  @property() of = "";
  @property({ attribute: false }) comments: readonly Comment[] = [];
  @property({ attribute: false }) talking!: Talking;
  /** The id of who looks. */
  @property() me = "";
  @property() zone = "UTC";
  /** What the button that adds a comment says. */
  @property() verb = "";
  @property({ type: Boolean }) writes = false;
  /** Whether who looks may delete what others wrote. */
  @property({ type: Boolean }) rules = false;
  /** Whether who looks may write internal notes. */
  @property({ type: Boolean }) notes = false;
  /** Whether people are named who are told. */
  @property({ type: Boolean }) tells = false;
  /** Whether to write is not what the screen is for. */
  @property({ type: Boolean }) plain = false;
  /** The id of the comment that is changed, and of the one that is asked about. */
  @state() private editing = "";
  @state() private removing = "";
  @state() private told: readonly Option[] = [];
  readonly #act = new Act(this);
  #adding: Form | undefined;
  #changing: Form | undefined;

  private adding(): Form {
    this.#adding ??= new Form(this, `comment ${this.of}`, async (values, key) => {
      const mentionIds = this.told.map((p) => p.id);
      await this.talking.add({ text: values.text ?? "", internal: values.internal === "on", mentionIds }, key);
      this.told = [];
      this.#changed();
      return workTexts().commented;
    });
    return this.#adding;
  }

  private edit(comment: Comment): void {
    this.editing = comment.id;
    this.#changing = new Form(this, `comment-change-${comment.id}`, async (values, key) => {
      await this.talking.change(comment.id, values.text ?? "", key);
      this.#leave();
      this.#changed();
      return workTexts().changed;
    });
    this.#changing.begin({ text: comment.text });
    void this.updateComplete.then(() => this.querySelector<HTMLElement>("li textarea")?.focus());
  }

  #leave(): void {
    const id = this.editing;
    this.#changing?.reset();
    this.editing = "";
    void this.updateComplete.then(() => this.querySelector<HTMLElement>(`[data-edit="${id}"]`)?.focus());
  }

  #changed(): void {
    this.dispatchEvent(new Event("wf-changed", { bubbles: true }));
  }

  protected override render(): TemplateResult {
    const t = workTexts();
    return html`<h3>${t.comments} <span class="number">${this.comments.length}</span></h3>
      ${
        this.comments.length === 0
          ? html`<p class="hint">${t.noComments}</p>`
          : html`<ul class="talk" aria-label=${t.comments}>${this.comments.map((c) => this.comment(c))}</ul>`
      }
      ${this.#act.told()}
      ${this.writes ? this.writing() : nothing}
      ${this.removing === "" ? nothing : question(t.deleteComment, html`<p>${t.gone}</p>`, texts().form.delete, (yes) => this.#remove(yes))}`;
  }

  private writing(): TemplateResult {
    const t = workTexts();
    const form = this.adding();
    const fields = (): TemplateResult => html`${form.area("text", this.verb, { most: 5000, required: true })}
      ${this.notes ? form.check("internal", t.internal, { hint: t.internalHint }) : nothing}
      ${
        this.tells
          ? form.around(
              "mentionIds",
              t.mention,
              html`<wf-pick .field=${form.id("mentionIds")} .label=${t.mention} several .chosen=${this.told} .find=${people}
                .wrong=${form.wrong("mentionIds", t.mention) !== ""}
                @wf-picked=${(e: Event) => {
                  this.told = (e.target as unknown as { chosen: readonly Option[] }).chosen;
                }}></wf-pick>`,
            )
          : nothing
      }`;
    return form.render(fields, this.verb, undefined, this.plain ? "plain" : "primary");
  }

  private comment(c: Comment): TemplateResult {
    const t = workTexts();
    const own = c.user.id === this.me;
    const about = t.commentOf(c.user.name);
    return html`<li class=${c.internal ? "internal" : ""} aria-label=${about}>
      <p class="hint"><strong>${c.user.name}</strong> · <time datetime=${c.createdAt}>${dateAndTime(c.createdAt, this.zone)}</time>
        ${c.editedAt ? html`· ${t.edited}` : nothing} ${c.internal ? html`<span class="tag">${t.internal}</span>` : nothing}</p>
      ${this.editing === c.id ? this.changing() : html`<p class="text">${c.text}</p>`}
      ${c.mentions?.length ? html`<p class="hint">${t.told(c.mentions.map((m) => m.name).join(", "))}</p>` : nothing}
      ${
        !this.writes || this.editing === c.id
          ? nothing
          : html`<div class="actions">
          ${own ? html`<button type="button" class="link" data-edit=${c.id} @click=${() => this.edit(c)}>${texts().form.edit}</button>` : nothing}
          ${own || this.rules ? html`<button type="button" class="link" @click=${() => this.#ask(c.id)}>${texts().form.delete}</button>` : nothing}
        </div>`
      }</li>`;
  }

  private changing(): TemplateResult {
    const t = workTexts();
    const form = this.#changing;
    if (!form) return html``;
    return html`${form.render(() => form.area("text", t.comment, { most: 5000, required: true }), texts().form.save, undefined, "plain")}
      <button type="button" class="link" @click=${() => this.#leave()}>${t.leave}</button>`;
  }

  #ask(id: string): void {
    this.removing = id;
  }

  async #remove(yes: boolean): Promise<void> {
    const id = this.removing;
    this.removing = "";
    if (!yes) return;
    await this.#act.run(async (key) => {
      await this.talking.remove(id, key);
      this.#changed();
      return workTexts().deleted;
    }, `remove ${id}`);
  }
}
