import { type Fault, faultWith, noToken } from "./fault.js";

/** What a page may answer: a token, or one with when it ends. */
export type Given = string | { readonly token: string; readonly expiresAt?: string | number | Date | null };

/** What a token is needed for. */
export interface Need {
  readonly widget: "timesheet" | "tasks" | "ticket";
  /** Whose; null for the person whom the token is for. */
  readonly userId: string | null;
  readonly endpoint: string;
}

export type TokenProvider = (need: Need) => Given | Promise<Given>;

/** Where tokens come from. */
export interface Source {
  /** A token that is valid now, as far as is known. Throws a Fault. */
  token(): Promise<string>;
  /** A token in place of one that was refused, which may be the same. Throws a Fault. */
  another(refused: string): Promise<string>;
  /** From when on token gives another one, in milliseconds since 1970. */
  readonly until: number;
  /** Whether another one may come after one that was refused. */
  readonly renews: boolean;
}

/** The one token that the property has. */
export function fixed(token: string): Source {
  return {
    until: Number.POSITIVE_INFINITY,
    renews: false,
    token: async () => token,
    another: async () => token,
  };
}

/** How long before its end a token is replaced, in milliseconds: more than the time between two polls. */
const early = 60_000;
/** When another one is asked for after none came, or one that has ended by this clock, in milliseconds. */
const again = 15_000;
/** The shortest time between two tokens, in milliseconds. */
const least = 2_000;

const kept = new WeakMap<TokenProvider, Map<string, Source>>();

/** The tokens that a callback gives for one need: widgets with the same callback and need share them. */
export function provided(provider: TokenProvider, need: Need): Source {
  const of = kept.get(provider) ?? new Map<string, Source>();
  kept.set(provider, of);
  const key = JSON.stringify(need);
  const source = of.get(key) ?? new Provided(() => provider(need));
  of.set(key, source);
  return source;
}

class Provided implements Source {
  readonly renews = true;
  until = 0;
  #token = "";
  /** When it ends, in milliseconds since 1970. */
  #ends = 0;
  #asking: Promise<string> | undefined;
  readonly #ask: () => Given | Promise<Given>;

  constructor(ask: () => Given | Promise<Given>) {
    this.#ask = ask;
  }

  async token(): Promise<string> {
    if (this.#token && Date.now() < this.until) return this.#token;
    this.#asking ??= this.#next().finally(() => {
      this.#asking = undefined;
    });
    return await this.#asking;
  }

  async another(refused: string): Promise<string> {
    if (this.#token === refused) this.#token = "";
    return await this.token();
  }

  /** The next token; that of now, where there is none yet and it has not ended. */
  async #next(): Promise<string> {
    try {
      return this.#keep(await this.#ask());
    } catch {
      if (!this.#token || Date.now() >= this.#ends) throw faultWith(noToken, true);
      this.until = Math.min(Date.now() + again, this.#ends);
      return this.#token;
    }
  }

  #keep(given: Given): string {
    const { token, expiresAt } = typeof given === "string" ? { token: given } : given;
    if (typeof token !== "string" || token === "") throw new TypeError("no token");
    const now = Date.now();
    const ends = expiresAt == null ? Number.NaN : new Date(expiresAt).getTime();
    this.#token = token;
    this.#ends = Number.isNaN(ends) ? Number.POSITIVE_INFINITY : ends;
    const life = this.#ends - now;
    this.until = now + (life > 0 ? Math.max(least, life - Math.min(early, life / 2)) : again);
    return token;
  }
}

export function isFault(error: unknown): error is Fault {
  return typeof error === "object" && error !== null && "passing" in error;
}
