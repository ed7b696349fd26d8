import type { ReactiveController } from "lit";
import type { Part } from "./part.js";

/** How many rows come and go together. */
export const block = 50;
/** How far from what is seen rows are there, in pixels. */
const reach = 1000;

/**
 * Which blocks of many rows of an element are in the page: those near to what is seen, and all while it
 * is printed. Each block is an element with its place, from 0, in `data-block`.
 */
export class Blocks implements ReactiveController {
  readonly #host: Part;
  readonly #now: () => void;
  readonly #within: () => Element | null;
  readonly #heights = new Map<number, number>();
  readonly #usual: number;
  #near: ReadonlySet<number> = new Set([0]);
  #printing = false;
  #watch: IntersectionObserver | undefined;
  #watched = new Set<Element>();

  /**
   * Blocks of an element. now renders it at once; within says in what its rows scroll, null for the page.
   * A row is taken to be usual pixels high before one was seen.
   */
  constructor(host: Part, now: () => void, usual = 40, within: () => Element | null = () => null) {
    this.#host = host;
    this.#now = now;
    this.#usual = usual;
    this.#within = within;
    host.addController(this);
  }

  hostConnected(): void {
    addEventListener("beforeprint", this.#print);
    addEventListener("afterprint", this.#printed);
  }

  hostDisconnected(): void {
    removeEventListener("beforeprint", this.#print);
    removeEventListener("afterprint", this.#printed);
    this.#watch?.disconnect();
    this.#watch = undefined;
    this.#watched.clear();
  }

  /** Watches the blocks that are in the page now. */
  hostUpdated(): void {
    const root = this.#within();
    if (this.#watch?.root !== root) {
      this.#watch?.disconnect();
      this.#watched.clear();
      this.#watch = new IntersectionObserver(this.#seen, { root, rootMargin: `${reach}px 0px` });
    }
    const blocks = new Set(this.#host.querySelectorAll("[data-block]"));
    for (const gone of this.#watched) if (!blocks.has(gone)) this.#watch.unobserve(gone);
    for (const next of blocks) if (!this.#watched.has(next)) this.#watch.observe(next);
    this.#watched = blocks;
  }

  /** How many blocks so many rows have. */
  static count(rows: number): number {
    return Math.ceil(rows / block);
  }

  /** Whether the rows of a block are in the page. */
  has(place: number): boolean {
    return this.#printing || this.#near.has(place);
  }

  /** Has the rows of a block in the page, such as one that the keyboard goes to. */
  show(place: number): void {
    if (this.#near.has(place)) return;
    this.#near = new Set([...this.#near, place]);
    this.#host.requestUpdate();
  }

  /** How high a block is whose rows, of which there are so many, are away, in pixels. */
  height(place: number, rows: number): number {
    const seen = [...this.#heights.values()];
    const usual = seen.length === 0 ? this.#usual : seen.reduce((sum, h) => sum + h, 0) / (seen.length * block);
    return this.#heights.get(place) ?? rows * usual;
  }

  readonly #seen = (entries: readonly IntersectionObserverEntry[]): void => {
    const near = new Set(this.#near);
    for (const { target, isIntersecting, boundingClientRect } of entries) {
      if (!target.isConnected) continue; // its block is another element now
      const place = Number((target as HTMLElement).dataset.block);
      if (isIntersecting) near.add(place);
      // What is hidden has no height, and is as high as before when it is shown again.
      else if (!target.contains(document.activeElement) && near.delete(place) && boundingClientRect.height > 0)
        this.#heights.set(place, boundingClientRect.height);
    }
    if (near.size === this.#near.size && [...near].every((place) => this.#near.has(place))) return;
    this.#near = near;
    this.#host.requestUpdate();
  };

  readonly #print = (): void => {
    this.#printing = true;
    this.#host.requestUpdate();
    this.#now(); // before the page is printed
  };
  readonly #printed = (): void => {
    this.#printing = false;
    this.#host.requestUpdate();
  };
}
