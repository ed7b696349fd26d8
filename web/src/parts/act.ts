import { html, nothing, type ReactiveController, type ReactiveControllerHost, type TemplateResult } from "lit";
import { isPassing } from "../api/fault.js";
import { regain } from "./focus.js";
import { words } from "./states.js";

/** What somebody does by a click: one thing at a time, and what became of it. */
export class Act implements ReactiveController {
  busy = false;
  error: unknown;
  /** What was done, in words; "" where nothing was. */
  done = "";
  readonly #host: ReactiveControllerHost;
  /** Names what is sent as long as nobody knows what became of it. */
  #key: string | undefined;
  #sent = "";

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected(): void {
    // It does nothing by itself.
  }

  /**
   * Does something, which says in words what was done, and tells whether that went well. A click
   * while another thing is done does nothing. The key is for the write: what is the same and was not
   * answered is sent again under the same one, and so is done once.
   */
  async run(what: (key: string) => Promise<string>, same = ""): Promise<boolean> {
    if (this.busy) return false;
    if (this.#key === undefined || same !== this.#sent) this.#key = crypto.randomUUID();
    this.#sent = same;
    const had = globalThis.document?.activeElement as HTMLElement | null | undefined;
    this.busy = true;
    this.error = undefined;
    this.done = "";
    this.#host.requestUpdate();
    try {
      this.done = await what(this.#key);
      this.#key = undefined;
    } catch (error) {
      this.error = error;
      if (!isPassing(error) || same === "") this.#key = undefined;
    }
    this.busy = false;
    this.#host.requestUpdate();
    if (had) void this.#return(had);
    return this.error === undefined;
  }

  /** Gives the focus back to what lost it because it could do nothing meanwhile. */
  async #return(had: HTMLElement): Promise<void> {
    await this.#host.updateComplete;
    if (had.isConnected) regain(had);
  }

  /** Forgets what became of it. */
  clear(): void {
    this.error = undefined;
    this.done = "";
    this.#host.requestUpdate();
  }

  /** What became of it, in words. */
  told(): TemplateResult {
    return html`<p role="status" class="outcome">${this.done}</p>
      ${this.error === undefined ? nothing : html`<p class="fault" role="alert">${words(this.error)}</p>`}`;
  }
}
