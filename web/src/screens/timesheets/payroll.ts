import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import { Act } from "../../parts/act.js";
import { draft, keepDraft } from "../../parts/draft.js";
import { Following } from "../../parts/live.js";
import { Part, Reading } from "../../parts/part.js";
import { saveLink } from "../../parts/save.js";
import { words } from "../../parts/states.js";
import { datesOf, monthOf } from "../../parts/time.js";
import { query, setQuery } from "../../router.js";
import { timesheetsTexts } from "./texts.js";
import {
  CancelPayroll,
  Payroll as Document,
  MakePayroll,
  PayrollChanged,
  type PayrollQuery,
} from "./timesheets.graphql.js";

type Report = PayrollQuery["report"];

const formats = ["xlsx", "csv", "pdf"] as const;

/** How often a file that is made is looked at where nothing is told, in milliseconds. */
const often = 2_000;

/** Has the payroll file of a month made, and saves it once it is; the address names it meanwhile. */
@customElement("wf-payroll")
export class Payroll extends Part {
  /** The month, such as 2026-03. */
  @property() month = "";
  /** Whether it has the time of who looks alone. */
  @property({ type: Boolean }) alone = false;
  @state() private saved = "";
  readonly #act = new Act(this);
  readonly #file = new Reading(this, async (signal) => {
    const id = this.#id();
    return id === "" ? undefined : (await ask(Document, { id }, { signal })).report;
  });
  #timer = 0;
  #read = "";
  // Kept by the element that it reads anew for.
  protected readonly changes = new Following(this, PayrollChanged, () => this.#look());

  override connectedCallback(): void {
    super.connectedCallback();
    this.#read = this.#id();
    addEventListener("wf-place", this.#place);
  }

  override disconnectedCallback(): void {
    removeEventListener("wf-place", this.#place);
    clearTimeout(this.#timer);
    super.disconnectedCallback();
  }

  #id(): string {
    const id = query().get("report") ?? "";
    return /^[0-9]+$/.test(id) ? id : "";
  }

  readonly #place = (): void => {
    if (this.#id() === this.#read) return;
    this.#read = this.#id();
    this.#file.value = undefined;
    this.saved = "";
    void this.#file.again();
  };

  /** Looks again at a file that is being made. */
  #look(): void {
    if (running(this.#file.value)) void this.#file.again();
  }

  protected override updated(): void {
    clearTimeout(this.#timer);
    const file = this.#file.value;
    if (running(file)) this.#timer = window.setTimeout(() => this.#look(), often);
    else if (file?.url && draft(`payroll ${file.id}`) !== "") this.#save(file);
  }

  #save(file: Report): void {
    keepDraft(`payroll ${file.id}`, "");
    saveLink(file.url ?? "");
    this.saved = file.fileName;
  }

  protected override render(): TemplateResult {
    const t = timesheetsTexts();
    const format = chosen();
    const title = this.alone ? t.own : t.payroll;
    return html`<div role="group" class="chore" aria-label=${title}>
        <span aria-hidden="true">${title}</span>
        <label><span class="hidden">${t.format}</span>
          <select @change=${(e: Event) => setQuery({ format: (e.target as HTMLSelectElement).value, report: "" })}>
            ${formats.map((f) => html`<option value=${f} .selected=${f === format}>${t.formats[f]}</option>`)}</select></label>
        <button type="button" class="primary" ?disabled=${this.#act.busy || running(this.#file.value)} @click=${this.#generate}>${t.generate}</button>
        ${this.#file.value?.url ? html`<button type="button" @click=${this.#download}>${t.download}</button>` : nothing}
        <a href="/app/reports?new=schedule&kind=timesheet&every=month">${t.schedule}</a>
      </div>
      ${filtered() ? html`<p class="hint">${t.everybody}</p>` : nothing}
      ${this.#told()}${this.#act.error === undefined ? nothing : this.#act.told()}`;
  }

  #told(): TemplateResult {
    const t = timesheetsTexts();
    const file = this.#file.value;
    if (file && running(file)) {
      return html`<div class="chore"><progress max="100" aria-label=${t.progress} .value=${file.progress}></progress>
        <span role="status">${t.making(monthOf(this.month), file.progress)}</span>
        <button type="button" @click=${() => this.#cancel(file.id)}>${t.cancel}</button></div>`;
    }
    if (this.#file.error !== undefined) return html`<p class="fault" role="alert">${words(this.#file.error)}</p>`;
    if (file?.status === "failed") return html`<p class="fault" role="alert">${t.failed} ${file.failure ?? ""}</p>`;
    return html`<p role="status" class="outcome">${file ? this.#outcome(file) : ""}</p>`;
  }

  #outcome(file: Report): string {
    const t = timesheetsTexts();
    if (file.status === "cancelled") return t.cancelled;
    if (!file.url) return t.others;
    return this.saved === "" ? t.made(file.fileName) : t.saved(this.saved);
  }

  readonly #generate = (): Promise<boolean> => {
    const format = chosen();
    const input = { ...datesOf(this.month), kind: "timesheet" as const, format, byteOrderMark: format === "csv" };
    return this.#act.run(async (key) => {
      const { generateReport } = await ask(MakePayroll, { input }, { key });
      keepDraft(`payroll ${generateReport.id}`, "wanted");
      if (this.#id() === generateReport.id) void this.#file.again();
      else setQuery({ report: generateReport.id });
      return "";
    }, JSON.stringify(input));
  };

  /** Saves it again, by a link of now: they end after five minutes. */
  readonly #download = (): Promise<boolean> =>
    this.#act.run(async () => {
      const { report } = await ask(Document, { id: this.#id() });
      if (report.url) this.#save(report);
      return "";
    });

  #cancel(id: string): Promise<boolean> {
    return this.#act.run(async (key) => {
      keepDraft(`payroll ${id}`, "");
      await ask(CancelPayroll, { id }, { key });
      await this.#file.again();
      return "";
    }, id);
  }
}

function running(file: Report | undefined): boolean {
  return file?.status === "queued" || file?.status === "running";
}

/** The format that the address names. */
function chosen(): (typeof formats)[number] {
  return formats.find((f) => f === query().get("format")) ?? "xlsx";
}

/** Whether the page shows less people than the file has. */
function filtered(): boolean {
  return ["business", "search", "person"].some((name) => query().has(name));
}
