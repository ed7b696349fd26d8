import { html, type PropertyValues, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { scriptAddress } from "../api/trusted.js";
import { closeDialog, dialog } from "../parts/dialog.js";
import { regain } from "../parts/focus.js";
import { Part } from "../parts/part.js";
import { type CameraFault, cameraFault, closeCamera, Eye, openCamera } from "./camera.js";
import { type Advice, advice, type FacePoint, points, Steadiness, usable, type View } from "./judge.js";
import type { Answer, Look } from "./messages.js";
import { faceTexts } from "./texts.js";
import address from "./worker.ts?worker&url";

export type { FacePoint } from "./judge.js";

export type Fault = CameraFault | "offline" | "failed";
type Sight = Extract<Answer, { state: "seen" }>;
type Taken = readonly FacePoint[] | undefined;

/**
 * Opens a dialog with the camera's picture and an oval, and gives 468 points of the one face before it;
 * undefined where the person goes on without: cancelled, or no camera, which is said in words. why is
 * what the face is for, as a sentence; lacking is called with what kept the face from being taken.
 */
export async function captureFace(why: string, lacking: (fault: Fault) => void = () => {}): Promise<Taken> {
  const element = new Capture();
  element.why = why;
  element.lacking = lacking;
  const taken = new Promise<Taken>((resolve) => {
    element.done = resolve;
  });
  document.body.append(element);
  try {
    return await taken;
  } finally {
    element.remove();
  }
}

/** The dialog. It has the camera and a worker for as long as it is in the page. */
@customElement("wf-face")
export class Capture extends Part {
  why = "";
  done: (taken: Taken) => void = () => {};
  lacking: (fault: Fault) => void = () => {};
  @state() private fault: Fault | undefined;
  @state() private said: Advice | "starting" | "loading" | "taken" = "starting";
  private taken: Taken;
  private next: Advice | undefined;
  private asked = false;
  private stream: MediaStream | undefined;
  private worker: Worker | undefined;
  private ready = false;
  private readonly eye = new Eye();
  private readonly steadiness = new Steadiness();

  override connectedCallback(): void {
    super.connectedCallback();
    void this.start();
  }

  override disconnectedCallback(): void {
    this.stop();
    this.done(this.taken); // also where the session ended, and the page is another
    super.disconnectedCallback();
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("fault")) regain(this.querySelector("button"));
  }

  protected override render(): TemplateResult {
    const t = faceTexts();
    const content = html`<p>${this.why}</p>${this.fault ? this.failed(this.fault) : this.looking()}`;
    return dialog(t.heading, content, this.closed);
  }

  private looking(): TemplateResult {
    const t = faceTexts();
    const { said } = this;
    const words = said === "starting" || said === "loading" || said === "taken" ? t[said] : t.advice[said];
    return html`<div class="face" ?data-good=${said === "hold" || said === "taken"}>
        <video muted playsinline aria-label=${t.preview} @loadeddata=${this.look}></video>
        <div class="oval"></div>
      </div>
      <p class="said" role="status">${words}</p>
      <p class="hint">${t.private}</p>
      <div class="actions">
        <button type="button" class="primary" @click=${this.take}>${t.take}</button>
        <button type="button" @click=${closeDialog}>${t.cancel}</button>
      </div>`;
  }

  private failed(fault: Fault): TemplateResult {
    const t = faceTexts();
    return html`<p class="fault" role="alert">${t.faults[fault]}</p>
      <div class="actions">
        <button type="button" class="primary" @click=${this.start}>${t.again}</button>
        <button type="button" @click=${closeDialog}>${t.without}</button>
      </div>`;
  }

  private readonly start = async (): Promise<void> => {
    this.stop();
    this.fault = undefined;
    this.said = "starting";
    this.startWorker();
    try {
      const stream = await openCamera();
      if (!this.isConnected || this.fault) return closeCamera(stream);
      this.stream = stream;
      stream.getVideoTracks()[0]?.addEventListener("ended", () => this.fail("busy"));
      this.tell(this.ready ? "none" : "loading");
      await this.updateComplete;
      const video = this.querySelector("video");
      if (video) video.srcObject = stream;
      await video?.play();
    } catch (error) {
      this.fail(cameraFault(error));
    }
  };

  private startWorker(): void {
    const worker = new Worker(scriptAddress(address));
    this.worker = worker;
    worker.addEventListener("message", ({ data, timeStamp }: MessageEvent<Answer>) => {
      if (data.state === "failed") this.fail(navigator.onLine ? "failed" : "offline");
      else if (data.state === "seen") this.see(data, timeStamp);
      else this.begin();
    });
    worker.addEventListener("error", () => this.fail(navigator.onLine ? "failed" : "offline"));
  }

  private begin(): void {
    this.ready = true;
    this.look();
  }

  /** Has the worker look at the next picture, one at a time. */
  private readonly look = (): void => {
    const video = this.querySelector("video");
    const picture = this.ready && video ? this.eye.picture(video) : undefined;
    if (!picture) return; // what is missing calls again
    this.ready = false;
    const message: Look = { picture };
    this.worker?.postMessage(message, [picture.data.buffer]);
  };

  /** Judges what the worker saw, at a time in milliseconds. */
  private see({ faces, light, points: found, width, height }: Sight, at: number): void {
    if (this.taken) return;
    const view: View = { faces, light, points: found && points(found, width, height) };
    const wrong = advice(view);
    const asked = this.asked && wrong !== "none" && wrong !== "several" && view.points && usable(view.points);
    this.asked = false;
    if (wrong || !view.points) this.steadiness.lost();
    if (view.points && (asked || (!wrong && this.steadiness.add(view.points, at)))) {
      this.taken = view.points;
      this.said = "taken";
      this.stop();
      this.querySelector("dialog")?.close();
      return;
    }
    this.tell(wrong ?? "hold");
    this.ready = true;
    requestAnimationFrame(this.look);
  }

  /** Says what two views in a row were of, so that words do not flicker. */
  private tell(words: Advice | "loading"): void {
    const first = this.said === "starting" || this.said === "loading";
    if (first || words === "loading" || words === this.next) this.said = words;
    this.next = words === "loading" ? undefined : words;
  }

  private readonly take = (): void => {
    this.asked = true;
  };

  private fail(fault: Fault): void {
    if (!this.isConnected || this.taken || this.fault) return;
    this.stop();
    this.fault = fault;
  }

  private readonly closed = (): void => {
    if (this.fault) this.lacking(this.fault);
    this.done(this.taken);
  };

  private stop(): void {
    closeCamera(this.stream);
    this.stream = undefined;
    this.worker?.terminate();
    this.worker = undefined;
    this.ready = false;
    this.asked = false;
    this.steadiness.lost();
  }
}
