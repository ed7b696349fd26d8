import { type Fault, faultOf, faultWith, unreachable } from "./fault.js";

/** How long an answer is new, in milliseconds. */
export const every = 30_000;
/** The longest time between two tries after faults, in milliseconds. */
const longest = 300_000;
/** How long a request may take, in milliseconds. */
const patience = 30_000;

/** An answer, with the tag by which it is asked for again. */
export interface Answer {
  readonly value: unknown;
  readonly etag: string;
}

export interface Request {
  readonly url: string;
  readonly token: string;
  readonly language: string;
}

/** One request of a page, which all widgets that need it share: it is sent once, and again once it is due. */
export class Exchange {
  answer: Answer | undefined;
  fault: Fault | undefined;
  /** From when on it may be sent again, in milliseconds since 1970. */
  due = 0;
  /** When it was last answered or given up, in milliseconds since 1970. */
  at = 0;

  #failures = 0;
  #sending: Promise<void> | undefined;
  #abort = new AbortController();
  readonly #readers = new Set<() => void>();
  readonly #key: string;
  readonly #request: Request;

  constructor(key: string, request: Request) {
    this.#key = key;
    this.#request = request;
  }

  /** Tells reader of each outcome, until it is left. */
  join(reader: () => void): void {
    this.#readers.add(reader);
  }

  /** Ends what join began; the last one who leaves takes the request along. */
  leave(reader: () => void): void {
    this.#readers.delete(reader);
    if (this.#readers.size > 0) return;
    this.#abort.abort();
    if (all.get(this.#key) === this) all.delete(this.#key);
  }

  /** Sends it where it is due, once for all who ask meanwhile. */
  send(): void {
    if (Date.now() < this.due) return;
    this.#sending ??= this.#send().finally(() => {
      this.#sending = undefined;
    });
  }

  async #send(): Promise<void> {
    const abort = new AbortController();
    const stop = () => abort.abort();
    const timer = setTimeout(stop, patience);
    this.#abort.signal.addEventListener("abort", stop);
    let fault: Fault | undefined;
    try {
      fault = await this.#read(abort.signal);
    } catch {
      fault = faultWith(unreachable, true);
    }
    clearTimeout(timer);
    this.#abort.signal.removeEventListener("abort", stop);
    if (this.#abort.signal.aborted) return; // nobody waits
    this.at = Date.now();
    this.#failures = fault ? this.#failures + 1 : 0;
    this.fault = fault;
    if (fault && !fault.passing) this.answer = undefined; // it may no longer be seen
    this.due = this.at + (fault ? waitAfter(fault, this.#failures) : every);
    for (const reader of [...this.#readers]) reader();
  }

  /** Keeps the answer, or returns why there is none. Throws where no answer came. */
  async #read(signal: AbortSignal): Promise<Fault | undefined> {
    const { url, token, language } = this.#request;
    const headers: Record<string, string> = {
      Accept: "application/json",
      "Accept-Language": language,
      Authorization: `Bearer ${token}`,
    };
    if (this.answer?.etag) headers["If-None-Match"] = this.answer.etag;
    const response = await fetch(url, {
      headers,
      signal,
      mode: "cors",
      credentials: "omit",
      cache: "no-store",
      redirect: "error",
      referrerPolicy: "no-referrer",
    });
    if (response.status === 304 && this.answer) return undefined;
    if (response.status !== 200) return await faultOf(response, Date.now());
    this.answer = { value: await response.json(), etag: response.headers.get("ETag") ?? "" };
    return undefined;
  }
}

/** How long to wait after a fault, the nth in a row, in milliseconds; without end where it would come again. */
function waitAfter({ passing, retryAfter }: Fault, nth: number): number {
  if (!passing) return Number.POSITIVE_INFINITY;
  if (nth === 1 && retryAfter > 0) return retryAfter;
  const wait = Math.min(longest, every * 2 ** (nth - 1));
  return Math.max(retryAfter, wait * (1 + Math.random() / 5)); // not all pages at once
}

const all = new Map<string, Exchange>();

/**
 * The exchange of a request. Known is what the same address answered before, under another token, which
 * is new until due.
 */
export function exchangeOf(request: Request, known: Answer | undefined, due: number): Exchange {
  const key = JSON.stringify([request.url, request.token, request.language]);
  let exchange = all.get(key);
  if (!exchange) {
    exchange = new Exchange(key, request);
    exchange.answer = known;
    if (known) exchange.due = due;
    all.set(key, exchange);
  }
  return exchange;
}
