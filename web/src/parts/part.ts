import { LitElement, type ReactiveController, type ReactiveControllerHost } from "lit";

/**
 * An element of the app. It renders into the page itself, so that labels, ids and the one
 * stylesheet reach it, and anew when the language changes.
 */
export class Part extends LitElement {
  readonly #again = () => this.requestUpdate();

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("wf-language", this.#again);
  }

  override disconnectedCallback(): void {
    removeEventListener("wf-language", this.#again);
    super.disconnectedCallback();
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}

/**
 * What an element shows of the server. It keeps what was read while it reads anew; the latest
 * reading wins, whatever order answers come in.
 */
export class Reading<Value> implements ReactiveController {
  value: Value | undefined;
  error: unknown;
  busy = false;
  readonly #host: ReactiveControllerHost;
  readonly #read: (signal: AbortSignal) => Promise<Value>;
  #running: AbortController | undefined;

  constructor(host: ReactiveControllerHost, read: (signal: AbortSignal) => Promise<Value>) {
    this.#host = host;
    this.#read = read;
    host.addController(this);
  }

  hostConnected(): void {
    addEventListener("online", this.again);
    void this.again();
  }

  hostDisconnected(): void {
    removeEventListener("online", this.again);
    this.#running?.abort();
    this.#running = undefined;
  }

  /** Reads anew. */
  readonly again = async (): Promise<void> => {
    this.#running?.abort();
    const mine = new AbortController();
    this.#running = mine;
    this.busy = true;
    this.#host.requestUpdate();
    try {
      const value = await this.#read(mine.signal);
      if (this.#running !== mine) return;
      this.value = value;
      this.error = undefined;
    } catch (error) {
      if (this.#running !== mine) return;
      this.error = error;
    }
    this.busy = false;
    this.#host.requestUpdate();
  };
}
