import { html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { dialog } from "../../parts/dialog.js";
import { factList, said } from "../../parts/facts.js";
import { Form, type Values } from "../../parts/form.js";
import { Part, Reading } from "../../parts/part.js";
import { people } from "../../parts/people.js";
import type { Option } from "../../parts/pick.js";
import "../../parts/pick.js";
import { shown } from "../../parts/states.js";
import { query, setQuery } from "../../router.js";
import { texts } from "../../texts/texts.js";
import { type Details, type KindName, kinds } from "./kinds.js";
import { organizationTexts } from "./texts.js";
import { pathOf, type Group as Row, subtree } from "./tree-rows.js";

/** How many groups are offered at once. */
const offered = 12;

/** One business or designation, as a dialog: what it is, or what is done with it. */
@customElement("wf-group")
export class Group extends Part {
  @property() kind: KindName = "businesses";
  /** Undefined for a new one. */
  @property({ attribute: false }) group: Row | undefined;
  @property({ attribute: false }) groups: readonly Row[] = [];
  /** create, move, merge or delete; "" shows it. */
  @property() doing = "";
  @property({ type: Boolean }) writes = false;
  private form!: Form;
  private readonly details = new Reading(this, async (signal): Promise<Details> => {
    if (!this.group) return { totalUserCount: 0 };
    return await kinds[this.kind].one(this.group.id, signal);
  });

  override connectedCallback(): void {
    super.connectedCallback();
    this.form = new Form(this, `${this.kind} ${this.group?.id ?? "new"} ${this.doing}`, (values, key) =>
      this.send(values, key),
    );
  }

  /** Does what the dialog is for; the screen then says what was done. */
  private async send(values: Values, key: string): Promise<string> {
    const t = organizationTexts();
    const verbs = kinds[this.kind];
    const id = this.group?.id ?? "";
    const options = { key };
    let done = t.saved(values.name ?? "");
    switch (this.doing) {
      case "create":
        await verbs.create(values, values.parentId || null, options);
        done = t.created(values.name ?? "");
        break;
      case "move":
        await verbs.move(id, values.parentId || null, options);
        done = t.moved(this.group?.name ?? "");
        break;
      case "merge":
        await verbs.merge(id, values.into ?? "", options);
        done = t.merged(this.group?.name ?? "", this.nameOf(values.into ?? ""));
        break;
      case "delete":
        await verbs.remove(id, values.moveTo || null, options);
        done = t.deleted(this.group?.name ?? "");
        break;
      default:
        await verbs.update(id, values, options);
    }
    this.dispatchEvent(new CustomEvent("wf-done", { detail: done }));
    return "";
  }

  private nameOf(id: string): string {
    return this.groups.find((g) => g.id === id)?.name ?? "";
  }

  protected override render(): TemplateResult {
    const t = organizationTexts();
    const { group } = this;
    const headings: Record<string, string> = {
      create: t.kinds[this.kind].new,
      move: t.moveOf(group?.name ?? ""),
      merge: t.mergeOf(group?.name ?? ""),
      delete: t.deleteOf(group?.name ?? ""),
    };
    return dialog(headings[this.doing] ?? group?.name ?? "", this.content(), () =>
      this.dispatchEvent(new Event("wf-closed")),
    );
  }

  private content(): TemplateResult {
    const t = organizationTexts();
    const cancel = texts().dialog.cancel;
    const changes = this.writes && this.group;
    if (this.doing === "create") {
      this.form.begin({ parentId: query().get("below") ?? "" });
      return this.form.render(
        () => html`${this.fields()}${this.pickGroup("parentId", t.above, t.aboveHint)}`,
        t.create,
        cancel,
      );
    }
    if (changes && this.doing === "move") {
      this.form.begin({ parentId: this.group?.parentId ?? "" });
      return this.form.render(
        () => html`<p>${t.effect(this.counts(true))}</p>${this.pickGroup("parentId", t.above, t.aboveHint)}`,
        t.move,
        cancel,
      );
    }
    if (changes && this.doing === "merge")
      return this.form.render(
        () => html`<p>${t.mergeEffect(this.group?.name ?? "", this.counts())}</p>${this.pickGroup("into", t.into, "")}`,
        t.merge,
        cancel,
      );
    if (changes && this.doing === "delete")
      return this.form.render(
        () => html`<p>${t.deleteEffect(this.group?.name ?? "", this.counts())}</p>
          ${this.pickGroup("moveTo", t.moveTo, t.moveToHint)}`,
        texts().form.delete,
        cancel,
      );
    return html`${shown(this.details, (read) => this.shown(read))}`;
  }

  private shown(read: Details): TemplateResult {
    const t = organizationTexts();
    const group = this.group as Row;
    const above = pathOf(this.groups, group.parentId ?? "");
    this.form.begin({
      name: group.name,
      description: read.description ?? "",
      managerId: read.manager?.id ?? "",
      managerName: read.manager?.name ?? "",
    });
    const facts = factList(
      said([
        [t.above, above],
        [t.peopleHere, String(group.userCount)],
        [t.peopleBelow, String(read.totalUserCount)],
        [t.sites, group.addressCount === undefined ? "" : String(group.addressCount)],
        ...(this.writes
          ? []
          : ([
              [t.manager, read.manager?.name],
              [t.description, read.description],
            ] as const)),
      ]),
    );
    if (!this.writes) return html`${facts}<form method="dialog"><button>${texts().dialog.close}</button></form>`;
    const doing = (what: string) => () => setQuery({ do: what });
    return html`${facts}
      ${this.form.render(() => this.fields(), t.save, texts().dialog.close)}
      <div class="actions more">
        <button type="button" @click=${() => setQuery({ [kinds[this.kind].param]: "new", below: group.id })}>${t.addBelow}</button>
        <button type="button" @click=${doing("move")}>${t.move}</button>
        <button type="button" ?disabled=${this.groups.length < 2} @click=${doing("merge")}>${t.merge}</button>
        <button type="button" @click=${doing("delete")}>${texts().form.delete}</button>
      </div>`;
  }

  private fields(): TemplateResult {
    const t = organizationTexts();
    return html`${this.form.text("name", t.name, { most: 100, required: true })}
      ${
        this.kind === "businesses"
          ? this.pick("managerId", t.manager, people, this.form.value("managerName"), t.managerHint, "managerName")
          : this.form.text("description", t.description, { most: 400 })
      }`;
  }

  /** How many people, groups below and sites it has, in words; with all that is below it where these go along. */
  private counts(whole = false): string {
    const t = organizationTexts();
    const group = this.group as Row;
    const all = subtree(this.groups, group.id);
    const own = whole ? this.groups.filter((g) => all.has(g.id)) : [group];
    const below = whole ? all.size - 1 : this.groups.filter((g) => g.parentId === group.id).length;
    const sum = (count: (g: Row) => number): number => own.reduce((n, g) => n + count(g), 0);
    const sites = sum((g) => g.addressCount ?? 0);
    return t.list([
      t.people(sum((g) => g.userCount)),
      ...(below > 0 ? [t.kinds[this.kind].below(below)] : []),
      ...(sites > 0 ? [t.siteCount(sites)] : []),
    ]);
  }

  private pickGroup(field: string, label: string, hint: string): TemplateResult {
    const gone = this.group && this.doing !== "create" ? subtree(this.groups, this.group.id) : new Set<string>();
    const find = async (text: string): Promise<readonly Option[]> =>
      this.groups
        .filter((g) => !gone.has(g.id) && g.name.toLowerCase().includes(text.toLowerCase()))
        .slice(0, offered)
        .map((g) => ({ id: g.id, name: g.name, hint: pathOf(this.groups, g.parentId ?? "") }));
    return this.pick(field, label, find, this.nameOf(this.form.value(field)), hint);
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
}
