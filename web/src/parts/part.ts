import { LitElement, type ReactiveController, type ReactiveControllerHost } from "lit";
import { isPassing } from "../api/fault.js";

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

/** What was read last under each name: what is shown where the server cannot answer. */
const kept = new Map<string, unknown>();
const mostKept = 20;

function keep(name: string, value: unknown): void {
  kept.delete(name); // it becomes the newest
  kept.set(name, value);
  for (const oldest of kept.keys()) {
    if (kept.size <= mostKept) break;
    kept.delete(oldest);
  }
}

/** Forgets what was read in this tab, since it is no longer its person's. */
export function forget(): void {
  kept.clear();
}

/**
 * What an element shows of the server. It keeps what was read while it reads anew; the latest
 * reading wins, whatever order answers come in. Under a name other than "", the tab keeps what was
 * read for the next element that reads it while there is no connection.
 */
export class Reading<Value> implements ReactiveController {
  value: Value | undefined;
  error: unknown;
  busy = false;
  readonly #host: ReactiveControllerHost;
  readonly #read: (signal: AbortSignal) => Promise<Value>;
  readonly #name: () => string;
  #running: AbortController | undefined;
  #latest: Promise<void> = Promise.resolve();

  constructor(
    host: ReactiveControllerHost,
    read: (signal: AbortSignal) => Promise<Value>,
    name: () => string = () => "",
  ) {
    this.#host = host;
    this.#read = read;
    this.#name = name;
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

  /** Reads anew, and is done when what was read is there, even where a later reading took over. */
  readonly again = (): Promise<void> => {
    this.#running?.abort();
    const mine = new AbortController();
    this.#running = mine;
    this.#latest = this.#run(mine);
    return this.#latest;
  };

  async #run(mine: AbortController): Promise<void> {
    this.busy = true;
    const name = this.#name();
    this.#host.requestUpdate();
    try {
      const value = await this.#read(mine.signal);
      if (this.#running !== mine) return this.#later();
      this.value = value;
      this.error = undefined;
      if (name !== "") keep(name, value);
    } catch (error) {
      if (this.#running !== mine) return this.#later();
      this.error = error;
      if (isPassing(error) && kept.has(name)) this.value = kept.get(name) as Value;
    }
    this.busy = false;
    this.#host.requestUpdate();
  }

  /** The reading that took over, if there is one: an element that is gone has none. */
  #later(): Promise<void> {
    return this.#running ? this.#latest : Promise.resolve();
  }
}
