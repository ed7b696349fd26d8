import { html, type ReactiveController, type ReactiveControllerHost, type TemplateResult } from "lit";
import type { Operation } from "../api/client.js";
import { live } from "../api/live.js";
import { texts } from "../texts/texts.js";

/** How often at most an element reads anew because something changed, in milliseconds. */
const often = 2_000;

/** Has an element read anew when what it shows changed: at once, and then at most once in 2 s. */
export class Following<Answer> implements ReactiveController {
  live = false;
  readonly #host: ReactiveControllerHost;
  readonly #operation: Operation<Answer, Record<string, never>>;
  readonly #read: () => void;
  #end: () => void = () => {};
  #timer = 0;
  #last = 0;

  constructor(host: ReactiveControllerHost, operation: Operation<Answer, Record<string, never>>, read: () => void) {
    this.#host = host;
    this.#operation = operation;
    this.#read = read;
    host.addController(this);
  }

  hostConnected(): void {
    this.#last = Date.now(); // the host reads by itself
    this.#end = live.follow(this.#operation, this.#changed, (now) => {
      this.live = now;
      this.#host.requestUpdate();
    });
  }

  hostDisconnected(): void {
    this.#end();
    clearTimeout(this.#timer);
    this.#timer = 0;
  }

  readonly #changed = (): void => {
    if (this.#timer !== 0) return;
    this.#timer = window.setTimeout(
      () => {
        this.#timer = 0;
        this.#last = Date.now();
        this.#read();
      },
      Math.max(0, this.#last + often - Date.now()),
    );
  };

  /** Says whether changes are shown as they happen. */
  mark(): TemplateResult {
    const t = texts().shell;
    return html`<p class="live" role="status" data-live=${this.live}>${this.live ? t.live : t.notLive}</p>`;
  }
}
