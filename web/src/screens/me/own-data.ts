import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { ask } from "../../api/client.js";
import { Act } from "../../parts/act.js";
import { question } from "../../parts/dialog.js";
import { regain } from "../../parts/focus.js";
import { Form, type Values } from "../../parts/form.js";
import { type NodeOf, nodes } from "../../parts/nodes.js";
import { Part, Reading } from "../../parts/part.js";
import { fileAddress } from "../../parts/save.js";
import { sizeOf } from "../../parts/size.js";
import { shown } from "../../parts/states.js";
import { table } from "../../parts/table.js";
import { dateAndTime } from "../../parts/time.js";
import { may } from "../../router.js";
import type { StartQuery } from "../../shell.graphql.js";
import { type Consents, consent, consents } from "./consent.js";
import {
  AskFaceReset,
  ConsentToCoordinates,
  OwnData as Document,
  ExportNow,
  MakeExport,
  type OwnDataQuery,
  SendFaceCode,
  TakeMyDevice,
} from "./own-data.graphql.js";
import { ownDataTexts } from "./own-data-texts.js";

type Device = NonNullable<OwnDataQuery["trustedDevices"]>[number];
type Reset = NodeOf<NonNullable<OwnDataQuery["faceResets"]>>;
type Export = OwnDataQuery["ownDataExport"];

/** How often it is asked how far an export is, in milliseconds. */
const often = 2_000;

/** What is known of the person: devices, positions and who looked at them, the face, and all of it as a file. */
@customElement("wf-own-data")
export class OwnData extends Part {
  @property({ attribute: false }) start!: StartQuery;
  @state() private agreed: Consents = {};
  @state() private taking: Device | undefined;
  /** Where the code for a reset of the face was sent; "" before. */
  @state() private sentTo = "";
  @state() private made: Export | undefined;
  #timer = 0;
  readonly #act = new Act(this);
  private readonly reset = new Form(this, "face reset", (values, key) => this.askReset(values, key), true);
  private readonly read = new Reading(this, async (signal) => {
    const { start } = this;
    const sees = { devices: may(start, "device.read"), faces: may(start, "attendance.read") };
    const read = await ask(Document, { me: start.viewer.id, ...sees }, { signal });
    this.made = read.ownDataExport;
    this.#follow();
    return read;
  });

  override connectedCallback(): void {
    super.connectedCallback();
    void consents().then((now) => {
      this.agreed = now;
    });
  }

  override disconnectedCallback(): void {
    clearTimeout(this.#timer);
    super.disconnectedCallback();
  }

  private at(time: string): string {
    return dateAndTime(time, this.start.company.timezone);
  }

  protected override render(): TemplateResult {
    return html`${this.#act.told()}${shown(this.read, (read) => this.content(read))}`;
  }

  private content(read: OwnDataQuery): TemplateResult {
    return html`${read.trustedDevices ? this.devices(read.trustedDevices, read.tokenInfo.deviceId) : nothing}
      ${this.position(read)}
      ${this.face(read)}
      ${this.file()}
      ${this.taking ? this.askTaking(this.taking) : nothing}`;
  }

  private devices(devices: readonly Device[], here: string): TemplateResult {
    const t = ownDataTexts();
    const one = (d: Device): TemplateResult => {
      const name = this.nameOf(d);
      const trust = d.trusts.find((x) => x.user.id === this.start.viewer.id && !x.revokedAt);
      return html`<li aria-label=${name}><div><p><strong>${name}</strong>${d.deviceId === here ? ` (${t.here})` : ""}</p>
        <p class="hint">${trust?.trustedAt ? this.at(trust.trustedAt) : ""}</p></div>
        ${
          d.deviceId === here || !may(this.start, "device.write")
            ? nothing
            : html`<div class="actions"><button type="button" class="link" aria-label=${t.takeDeviceOf(name)} ?disabled=${this.#act.busy}
              @click=${() => (this.taking = d)}>${t.takeDevice}</button></div>`
        }</li>`;
    };
    return html`<h2 id="own-devices" tabindex="-1">${t.devices}</h2><p class="hint">${devices.length === 0 ? t.noDevices : t.devicesHint}</p>
      ${devices.length === 0 ? nothing : html`<ul class="items" aria-label=${t.devices}>${devices.map(one)}</ul>`}`;
  }

  private nameOf(d: Device): string {
    const trust = d.trusts.find((x) => x.user.id === this.start.viewer.id);
    return trust?.name || d.model || (d.platform === "web" ? ownDataTexts().web : d.platform);
  }

  private askTaking(device: Device): TemplateResult {
    const t = ownDataTexts();
    const name = this.nameOf(device);
    return question(t.takeDeviceAsk(name), html`<p>${t.takeDeviceHint}</p>`, t.takeDevice, async (yes) => {
      this.taking = undefined;
      if (!yes) return;
      await this.#act.run(async (key) => {
        await ask(TakeMyDevice, { id: device.id }, { key });
        return t.deviceTaken(name);
      }, `take ${device.id}`);
      await this.read.again();
      await this.#return("devices");
    });
  }

  private position(read: OwnDataQuery): TemplateResult {
    const t = ownDataTexts();
    const since = read.viewer.coordinateConsentAt;
    const reads = read.coordinateReads.nodes;
    const here = this.agreed.position === true;
    return html`<h2 id="own-position" tabindex="-1">${t.position}</h2>
      <p>${here ? t.positionHere : t.positionHereNo}.
        ${here ? html`<button type="button" @click=${() => this.#say({ position: false })}>${t.revokePosition}</button>` : nothing}</p>
      <h3>${t.duty}</h3>
      <p>${since ? t.dutyYes(this.at(since)) : t.dutyNo}</p>
      <button type="button" ?disabled=${this.#act.busy} @click=${() => this.#allow(!since)}>${since ? t.stopDuty : t.allowDuty}</button>
      <h3>${t.looked}</h3>
      ${
        reads.length === 0
          ? html`<p class="hint">${t.nobodyLooked}</p>`
          : table(
              t.looked,
              [
                { name: "who", label: t.who, text: (r: (typeof reads)[number]) => r.reader?.name ?? t.unknown },
                { name: "when", label: t.when, text: (r) => this.at(r.at), order: (r) => r.at },
              ],
              reads,
              "",
            )
      }`;
  }

  async #say(change: Consents): Promise<void> {
    this.agreed = await consent(change);
    await this.#return("face" in change ? "face" : "position");
  }

  /** Gives the focus to the heading of a part of the page, where what had it is gone. */
  async #return(part: string): Promise<void> {
    await this.updateComplete;
    regain(this.querySelector(`#own-${part}`));
  }

  async #allow(granted: boolean): Promise<void> {
    const t = ownDataTexts();
    await this.#act.run(async (key) => {
      await ask(ConsentToCoordinates, { granted }, { key });
      return granted ? t.dutyAllowed : t.dutyStopped;
    }, `consent ${granted}`);
    await this.read.again();
  }

  private face(read: OwnDataQuery): TemplateResult {
    const t = ownDataTexts();
    const registered = read.profile.faceLandmark.length > 0;
    const last = nodes(read.faceResets ?? {})[0];
    const { face } = this.agreed;
    return html`<h2 id="own-face" tabindex="-1">${t.face}</h2>
      <p>${registered ? t.faceYes : t.faceNo}</p>
      <p>${face === undefined ? t.faceAsk : face ? t.faceHere : t.faceHereNo}
        ${
          face === undefined
            ? nothing
            : html`<button type="button" @click=${() => this.#say({ face: face ? false : undefined })}>${face ? t.revokeFace : t.allowFace}</button>`
        }</p>
      ${registered && may(this.start, "attendance.write") ? this.resetting(last) : nothing}`;
  }

  private resetting(last: Reset | undefined): TemplateResult {
    const t = ownDataTexts();
    if (last?.status === "pending") return html`<p class="warning">${t.resetWaits(this.at(last.requestedAt))}</p>`;
    return html`<h3>${t.resetFace}</h3>
      ${last?.status === "rejected" ? html`<p>${t.resetRefused(last.note ?? "")}</p>` : nothing}
      <p class="hint">${t.resetHint}</p>
      ${
        this.sentTo === ""
          ? html`<button type="button" ?disabled=${this.#act.busy} @click=${this.#sendCode}>${t.sendCode}</button>`
          : html`<p>${t.codeSent(this.sentTo)}</p>${this.reset.render(
              () => html`${this.reset.text("otp", t.code, { most: 6, inputmode: "numeric", autocomplete: "one-time-code", required: true })}
                ${this.reset.text("reason", t.reason, { most: 250, required: true })}`,
              t.askReset,
            )}`
      }`;
  }

  readonly #sendCode = async (): Promise<void> => {
    await this.#act.run(async (key) => {
      this.sentTo = (await ask(SendFaceCode, {}, { key })).sendFaceResetCode.destination;
      return "";
    });
  };

  private async askReset(values: Values, key: string): Promise<string> {
    const input = { otp: values.otp?.trim() ?? "", reason: values.reason?.trim() ?? "" };
    await ask(AskFaceReset, { input }, { key });
    this.sentTo = "";
    void this.read.again();
    return ownDataTexts().resetAsked;
  }

  private file(): TemplateResult {
    const t = ownDataTexts();
    const { made } = this;
    const runs = made?.status === "queued" || made?.status === "running";
    return html`<h2>${t.export}</h2><p class="hint">${t.exportHint}</p>
      <p role="status">${
        made?.status === "done"
          ? t.exportDone(sizeOf(made.size ?? 0), made.expiresAt ? this.at(made.expiresAt) : "")
          : runs
            ? t.making(made.progress)
            : ""
      }</p>
      ${made?.status === "failed" ? html`<p class="fault" role="alert">${t.exportFailed}</p>` : nothing}
      ${runs ? html`<progress max="100" value=${made.progress} aria-label=${t.export}></progress>` : nothing}
      <div class="actions">
        ${made?.status === "done" && made.url ? html`<a class="button primary" href=${fileAddress(made.url)} download>${t.download}</a>` : nothing}
        <button type="button" aria-disabled=${runs || this.#act.busy ? "true" : nothing} @click=${this.#make}>${t.makeExport}</button></div>`;
  }

  readonly #make = async (): Promise<void> => {
    if (["queued", "running"].includes(this.made?.status ?? "")) return; // the button keeps the focus meanwhile
    await this.#act.run(async (key) => {
      await ask(MakeExport, {}, { key });
      return "";
    });
    await this.#look();
  };

  async #look(): Promise<void> {
    try {
      this.made = (await ask(ExportNow, {})).ownDataExport;
    } catch {
      // It is asked again.
    }
    this.#follow();
  }

  /** Asks again how far the export is as long as it is being made. */
  #follow(): void {
    clearTimeout(this.#timer);
    if (!this.isConnected || !["queued", "running"].includes(this.made?.status ?? "")) return;
    this.#timer = window.setTimeout(() => void this.#look(), often);
  }
}
