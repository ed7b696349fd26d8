import type { ReactiveController, ReactiveControllerHost } from "lit";
import type { Fix } from "./clock.js";

/** What is known of where the phone is. */
export type Known = "off" | "looking" | "found" | "denied" | "unavailable";

/** How long a position is waited for, in milliseconds. */
const patience = 30_000;

/** Watches where the phone is: from start on, as long as its element is in the page and the page is seen. */
export class Whereabouts implements ReactiveController {
  known: Known = "off";
  fix: Fix | undefined;
  readonly #host: ReactiveControllerHost;
  #wanted = false;
  #watch: number | undefined;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected(): void {
    document.addEventListener("visibilitychange", this.#seen);
  }

  hostDisconnected(): void {
    document.removeEventListener("visibilitychange", this.#seen);
    this.stop();
  }

  /** Whether the browser gives the position without asking. */
  async allowed(): Promise<boolean> {
    try {
      return (await navigator.permissions.query({ name: "geolocation" })).state === "granted";
    } catch {
      return false; // a browser that does not tell asks
    }
  }

  /** Watches from now on; the browser may ask whether it may. */
  readonly start = (): void => {
    this.#wanted = true;
    this.#follow();
  };

  /** Watches no more, and forgets where the phone was. */
  stop(): void {
    this.#wanted = false;
    this.#end();
    this.#tell("off", undefined);
  }

  #follow(): void {
    if (!this.#wanted || this.#watch !== undefined || document.hidden) return;
    if (!("geolocation" in navigator)) {
      this.#tell("unavailable", undefined);
      return;
    }
    if (!this.fix) this.#tell("looking", undefined);
    this.#watch = navigator.geolocation.watchPosition(
      ({ coords }) => {
        const { latitude, longitude, accuracy } = coords;
        this.#tell("found", { latitude, longitude, accuracy });
      },
      (error) => {
        if (error.code === error.PERMISSION_DENIED) {
          this.#end();
          this.#tell("denied", undefined);
        } else if (!this.fix) this.#tell("unavailable", undefined);
      },
      { enableHighAccuracy: true, timeout: patience, maximumAge: 0 },
    );
  }

  #end(): void {
    if (this.#watch !== undefined) navigator.geolocation.clearWatch(this.#watch);
    this.#watch = undefined;
  }

  #tell(known: Known, fix: Fix | undefined): void {
    this.known = known;
    this.fix = fix;
    this.#host.requestUpdate();
  }

  readonly #seen = (): void => {
    if (!document.hidden) this.#follow();
    else this.#end();
  };
}
