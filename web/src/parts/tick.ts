import type { ReactiveController, ReactiveControllerHost } from "lit";

/** Has an element render anew as time goes on. */
export class Ticking implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #every: number;
  #timer = 0;

  /** every is in milliseconds. */
  constructor(host: ReactiveControllerHost, every: number) {
    this.#host = host;
    this.#every = every;
    host.addController(this);
  }

  hostConnected(): void {
    this.#timer = window.setInterval(() => this.#host.requestUpdate(), this.#every);
  }

  hostDisconnected(): void {
    clearInterval(this.#timer);
  }
}
