import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import { Fault, isPassing } from "../../api/fault.js";
import { Act } from "../../parts/act.js";
import { closing, dialog, question } from "../../parts/dialog.js";
import { keepDraft } from "../../parts/draft.js";
import { Part } from "../../parts/part.js";
import { saveText } from "../../parts/save.js";
import { words } from "../../parts/states.js";
import { type Column, table } from "../../parts/table.js";
import { setQuery } from "../../router.js";
import { templateFile } from "./file.js";
import {
  CancelImport,
  ImportPeople,
  type ImportPeopleMutation,
  ImportProgress,
  type ImportProgressQuery,
} from "./import.graphql.js";
import { peopleTexts } from "./texts.js";

type Found = Omit<ImportPeopleMutation["importUsers"], "job">;
type Job = ImportProgressQuery["importJob"];
type Row = Found["faults"][number];

/** How often a job is asked how far it is, in milliseconds. */
const every = 1000;

/** Imports people from a table: looks for faults, then writes. A job is named by the address. */
@customElement("wf-import")
export class Import extends Part {
  /** The id of the job that is shown; "new" for none. */
  @property() job = "new";
  @state() private file: File | undefined;
  /** What a dry run found. */
  @state() private found: Found | undefined;
  /** What was written. */
  @state() private written: Found | undefined;
  @state() private running: Job | undefined;
  @state() private lost: unknown;
  @state() private partial = false;
  @state() private invite = false;
  @state() private asked = false;
  private readonly act = new Act(this);
  #timer = 0;

  override disconnectedCallback(): void {
    clearTimeout(this.#timer);
    super.disconnectedCallback();
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (changed.has("job") && /^[0-9]+$/.test(this.job) && this.running?.id !== this.job) void this.#poll();
  }

  /** Asks how far the job is, until it has ended. */
  readonly #poll = async (): Promise<void> => {
    clearTimeout(this.#timer);
    const id = this.job;
    try {
      const { importJob } = await ask(ImportProgress, { id });
      if (this.job !== id) return;
      const before = this.running?.status;
      this.lost = undefined;
      this.running = importJob;
      if (ended(importJob)) {
        keepDraft("import", "");
        this.#end(importJob);
        if (!importJob.dryRun && before !== undefined && importJob.created + importJob.updated > 0) this.#changed();
        if (before !== undefined) void this.#tell();
      }
    } catch (error) {
      this.lost = error;
      if (error instanceof Fault && error.code === "NOT_FOUND") keepDraft("import", "");
      if (!isPassing(error)) return;
    }
    if (this.isConnected && !(this.running && ended(this.running))) this.#timer = window.setTimeout(this.#poll, every);
  };

  #end(job: Job): void {
    if (job.status !== "done") return;
    if (job.dryRun) this.found = job;
    else this.written = job;
  }

  #changed(): void {
    this.dispatchEvent(new CustomEvent("wf-changed", { detail: "" }));
  }

  /** Sends the table: to look for faults, or to import. */
  async #send(file: File, dryRun: boolean): Promise<void> {
    const partial = dryRun || this.partial;
    const input = { file, dryRun, partial, invite: !dryRun && this.invite };
    const same = `${file.name} ${file.size} ${file.lastModified} ${dryRun} ${partial} ${input.invite}`;
    await this.act.run(async (key) => {
      const { importUsers } = await ask(ImportPeople, { input }, { key });
      const { job } = importUsers;
      this.running = undefined;
      this.found = dryRun && !job ? importUsers : undefined;
      this.written = dryRun || job ? undefined : importUsers;
      if (job) {
        keepDraft("import", job.id);
        setQuery({ import: job.id });
        return "";
      }
      if (!dryRun) this.#changed();
      return "";
    }, same);
    await this.#tell();
  }

  /** Leads to what became of it, once that is shown. */
  async #tell(): Promise<void> {
    await this.updateComplete;
    this.querySelector<HTMLElement>("#import-outcome")?.focus();
  }

  /** Cancels the job; of one that ended before, what became of it is shown. */
  readonly #cancel = () =>
    this.act.run(async (key) => {
      try {
        await ask(CancelImport, { id: this.job }, { key });
      } catch (error) {
        if (!(error instanceof Fault && error.code === "CONFLICT")) throw error;
      }
      await this.#poll();
      return "";
    });

  /** Begins anew, with another table. */
  readonly #other = (): void => {
    clearTimeout(this.#timer);
    this.file = this.found = this.written = this.running = this.lost = undefined;
    this.partial = this.invite = false;
    this.act.clear();
    keepDraft("import", "");
    setQuery({ import: "new" });
  };

  protected override render(): TemplateResult {
    const t = peopleTexts();
    const content = html`${this.step()}
      ${this.act.told()}
      ${this.lost === undefined ? nothing : html`<p class="fault" role="alert">${words(this.lost)}</p>`}
      <div class="actions">${this.file || this.running || this.written ? html`<button type="button" @click=${this.#other}>${t.other}</button>` : nothing}${closing()}</div>`;
    return html`${dialog(t.importHeading, content, () => setQuery({ import: "" }))}
      ${this.asked && this.found && this.file ? this.#question(this.found, this.file) : nothing}`;
  }

  /** What is to be done next, or what became of it. */
  private step(): TemplateResult {
    if (this.running && !ended(this.running)) return this.progress(this.running);
    if (this.written) return this.result(this.written);
    if (this.running && this.running.status !== "done") return this.stopped(this.running);
    if (this.found) return this.preview(this.found);
    if (/^[0-9]+$/.test(this.job)) return html``;
    return this.choose();
  }

  private choose(): TemplateResult {
    const t = peopleTexts();
    const check = (event: Event): void => {
      event.preventDefault();
      if (this.file) void this.#send(this.file, true);
    };
    return html`<form class="form" @submit=${check}><p>${t.importHint}</p>
      <p><button type="button" class="link" @click=${() => saveText("people.csv", templateFile())}>${t.template}</button></p>
      ${this.input()}
      <div class="actions"><button type="submit" class="primary" ?disabled=${!this.file || this.act.busy}>${t.check}</button></div></form>
      <p role="status">${this.act.busy ? t.checking : ""}</p>`;
  }

  private input(hint = ""): TemplateResult {
    const t = peopleTexts();
    return html`<div class="field"><label for="import-file">${t.file}</label>
      <input id="import-file" type="file" accept=".csv,.xlsx,.txt" aria-describedby="import-file-hint" @change=${(
        e: Event,
      ) => {
        this.file = (e.target as HTMLInputElement).files?.[0];
      }}><p id="import-file-hint" class="hint" ?hidden=${hint === ""}>${hint}</p></div>`;
  }

  private progress(job: Job): TemplateResult {
    const t = peopleTexts();
    return html`<p role="status">${job.status === "queued" ? t.queued : job.dryRun ? t.checking : t.importing}</p>
      <p><progress max="100" .value=${job.progress} aria-label=${t.importHeading}></progress> ${t.progress(job.progress, job.people)}</p>
      <p class="hint">${t.leaveHint}</p>
      <p><button type="button" ?disabled=${this.act.busy} @click=${this.#cancel}>${job.dryRun ? t.cancelCheck : t.cancel}</button></p>`;
  }

  private stopped(job: Job): TemplateResult {
    const t = peopleTexts();
    const said = job.status === "failed" ? t.failed : job.dryRun ? t.checkCancelled : t.cancelled(job.created);
    return html`<p id="import-outcome" tabindex="-1" role=${job.status === "failed" ? "alert" : "status"}>${said}</p>${this.faults(job)}`;
  }

  /** What an import would do, and the button that does it. */
  private preview(found: Found): TemplateResult {
    const t = peopleTexts();
    const good = found.created + found.updated;
    const may = found.faultCount === 0 || this.partial;
    const box = (name: "partial" | "invite", label: string, hint = ""): TemplateResult => html`<div class="field">
      <label class="check"><input type="checkbox" .checked=${this[name]} @change=${(e: Event) => {
        this[name] = (e.target as HTMLInputElement).checked;
      }}> ${label}</label>${hint === "" ? nothing : html`<p class="hint">${hint}</p>`}</div>`;
    return html`<h3 id="import-outcome" tabindex="-1">${t.would}</h3>${this.counts(found)}
      ${good === 0 && found.faultCount === 0 ? html`<p role="status">${t.nothingToDo}</p>` : nothing}
      ${this.faults(found)}
      <div class="form">
        ${found.faultCount === 0 ? nothing : html`<p class="hint">${t.correct}</p>`}
        ${found.faultCount > 0 && good > 0 ? box("partial", t.partial) : nothing}
        ${found.created > 0 ? box("invite", t.inviteNew, t.inviteNewHint) : nothing}
        ${good > 0 && !this.file ? this.input(t.again) : nothing}
        ${
          good === 0
            ? nothing
            : html`<div class="actions"><button type="button" class="primary" ?disabled=${!may || !this.file || this.act.busy} @click=${() => {
                this.asked = true;
              }}>${t.go(good)}</button></div>`
        }
      </div><p role="status">${this.act.busy ? t.importing : ""}</p>`;
  }

  #question(found: Found, file: File): TemplateResult {
    const t = peopleTexts();
    const n = found.created + found.updated;
    return question(t.goAsk(n), html`<p>${t.goHint(found.created, found.updated, this.invite)}</p>`, t.go(n), (yes) => {
      this.asked = false;
      if (yes) void this.#send(file, false);
    });
  }

  private result(written: Found): TemplateResult {
    const t = peopleTexts();
    const none = written.created + written.updated === 0 && written.faultCount > 0;
    return html`<h3>${t.result}</h3>
      <p id="import-outcome" tabindex="-1" role="status">${none ? t.notImported : t.imported(written.created, written.updated)}</p>
      ${this.faults(written)}`;
  }

  private counts(found: Found): TemplateResult {
    const t = peopleTexts();
    const list = [
      [t.new, found.created, "in"],
      [t.known, found.updated, "on_leave"],
      [t.faults, found.faultCount, found.faultCount > 0 ? "missing" : ""],
    ] as const;
    return html`<ul class="counts">${list.map(([name, n, tone]) => html`<li><div class="count ${tone}"><span>${name}</span> <strong>${n}</strong></div></li>`)}</ul>`;
  }

  private faults(of: Found): TemplateResult | typeof nothing {
    if (of.faults.length === 0) return nothing;
    const t = peopleTexts();
    const columns: Column<Row>[] = [
      { name: "row", label: t.row, text: (f) => (f.row === 0 ? t.wholeFile : String(f.row)), order: (f) => f.row },
      { name: "column", label: t.column, text: (f) => f.column ?? (f.row === 0 ? "" : t.wholeRow) },
      { name: "fault", label: t.fault, text: (f) => f.message },
    ];
    return html`${of.faultCount > of.faults.length ? html`<p>${t.firstFaults(of.faults.length, of.faultCount)}</p>` : nothing}
      <div class="findings" role="region" tabindex="0" aria-label=${t.faults}>${table(t.faultTable, columns, of.faults)}</div>`;
  }
}

function ended(job: Job): boolean {
  return job.status !== "queued" && job.status !== "running";
}
