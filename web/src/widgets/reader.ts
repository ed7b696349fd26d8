import { type Answer, type Exchange, every, exchangeOf } from "./exchange.js";
import { ended, type Fault, faultWith, noToken } from "./fault.js";
import { isFault, type Source } from "./token.js";

/** What a widget reads, and with whose tokens. */
export interface Wanted {
  readonly url: string;
  readonly language: string;
  readonly source: Source | undefined;
}

/** How long a page may take until it gives a token, in milliseconds. */
const patience = 5_000;
/** How long to wait where a page gives no token, in milliseconds, at first and at most. */
const soon = 5_000;
const late = 300_000;

/**
 * Reads for one widget: at once, and again as long as it is started and the page is seen. Widgets that
 * want the same share its requests.
 */
export class Reader {
  value: unknown;
  fault: Fault | undefined;

  #wanted: Wanted | undefined;
  #started = false;
  /** Counts what is wanted and each start and stop, so that what belongs to an earlier one is dropped. */
  #turn = 0;
  #exchange: Exchange | undefined;
  /** The token that the server refused, while another one is not known. */
  #refused = "";
  /** Whether a token was asked for after the last refusal. */
  #again = false;
  #token = "";
  #misses = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #known: Answer | undefined;
  readonly #changed: () => void;

  /** changed is called when value or fault is another one. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Reads something; the same as before goes on as it is. */
  want(wanted: Wanted | undefined): void {
    const before = this.#wanted;
    if (wanted?.url === before?.url && wanted?.source === before?.source && wanted?.language === before?.language)
      return;
    this.#wanted = wanted;
    if (wanted?.url !== before?.url || wanted?.source !== before?.source) this.#show(undefined, undefined);
    this.#begin();
  }

  start(): void {
    if (this.#started) return;
    this.#started = true;
    document.addEventListener("visibilitychange", this.#seen);
    this.#begin();
  }

  stop(): void {
    this.#started = false;
    document.removeEventListener("visibilitychange", this.#seen);
    this.#end();
  }

  /** Reads now, whatever was to be waited for. */
  retry(): void {
    if (this.#exchange) this.#exchange.due = 0;
    this.#again = false;
    void this.#read();
  }

  #end(): void {
    this.#turn++;
    clearTimeout(this.#timer);
    this.#exchange?.leave(this.#settled);
    this.#exchange = undefined;
    this.#refused = this.#token = "";
    this.#again = false;
    this.#misses = 0;
  }

  #begin(): void {
    this.#end();
    if (!this.#started || !this.#wanted) return;
    if (this.#wanted.source) void this.#read();
    else this.#timer = setTimeout(() => this.#show(this.value, faultWith(noToken, false)), patience);
  }

  /** The page is seen, or no longer. */
  readonly #seen = () => {
    if (!this.#wanted?.source) return;
    clearTimeout(this.#timer);
    const exchange = this.#exchange;
    if (document.visibilityState === "hidden") return;
    const stuck = exchange?.fault && !exchange.fault.passing;
    if (!stuck) void this.#read();
    else if (Date.now() - exchange.at >= every && (exchange.fault?.code !== ended || this.#wanted.source.renews))
      this.retry();
  };

  /** Reads what is due, with a token that is valid; else shows what is known, and waits. */
  async #read(): Promise<void> {
    clearTimeout(this.#timer);
    const wanted = this.#wanted;
    if (!this.#started || !wanted?.source || document.visibilityState === "hidden") return;
    const turn = ++this.#turn;
    try {
      const token = await (this.#refused ? wanted.source.another(this.#refused) : wanted.source.token());
      if (turn !== this.#turn) return;
      this.#misses = 0;
      this.#refused = "";
      this.#use(token, wanted);
    } catch (error) {
      if (turn !== this.#turn) return;
      this.#missed(isFault(error) ? error : faultWith(noToken, true));
    }
  }

  /** Shares the exchange of a token. */
  #use(token: string, { url, language }: Wanted): void {
    const known = this.#known?.value === this.value ? this.#known : undefined; // what is shown
    const before = this.#exchange?.fault ? undefined : this.#exchange;
    const next = exchangeOf({ url, language, token }, known, before?.due ?? 0);
    this.#token = token;
    if (next !== this.#exchange) {
      next.join(this.#settled);
      this.#exchange?.leave(this.#settled);
      this.#exchange = next;
    }
    if (Date.now() < next.due) this.#settled();
    else next.send();
  }

  /** There is no token. */
  #missed(fault: Fault): void {
    this.#show(this.value, fault);
    this.#wait(Math.min(late, soon * 2 ** this.#misses++));
  }

  /** The exchange has an outcome, or had one that is still new. */
  readonly #settled = () => {
    const { answer, fault, due } = this.#exchange as Exchange;
    if (fault?.code === ended && this.#wanted?.source?.renews) {
      this.#refused = this.#token;
      if (!this.#again) {
        this.#again = true;
        void this.#read();
        return;
      }
    }
    if (!fault) this.#again = false;
    this.#known = answer;
    this.#show(fault && !fault.passing ? undefined : answer?.value, fault);
    if (due < Number.POSITIVE_INFINITY) this.#wait(Math.min(due, this.#wanted?.source?.until ?? due) - Date.now());
  };

  #wait(milliseconds: number): void {
    clearTimeout(this.#timer);
    if (this.#started && document.visibilityState !== "hidden")
      this.#timer = setTimeout(() => void this.#read(), milliseconds);
  }

  #show(value: unknown, fault: Fault | undefined): void {
    if (value === this.value && fault === this.fault) return;
    this.value = value;
    this.fault = fault;
    this.#changed();
  }
}
