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
  /** Whether another one may come after one that was refused. */
  readonly renews: boolean;
}

/** The one token that the property has. */
export function fixed(token: string): Source {
  return {
    renews: false,
    token: async () => token,
    another: async () => token,
  };
}

/** How long before its end a token is replaced, in milliseconds: more than the time between two polls. */
const early = 60_000;

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
  #token = "";
  /** When it is to be replaced, in milliseconds since 1970. */
  #until = 0;
  #asking: Promise<string> | undefined;
  readonly #ask: () => Given | Promise<Given>;

  constructor(ask: () => Given | Promise<Given>) {
    this.#ask = ask;
  }

  async token(): Promise<string> {
    if (this.#token && Date.now() < this.#until) return this.#token;
    this.#asking ??= this.#next().finally(() => {
      this.#asking = undefined;
    });
    return await this.#asking;
  }

  async another(refused: string): Promise<string> {
    if (this.#token === refused) this.#token = "";
    return await this.token();
  }

  async #next(): Promise<string> {
    let given: Given;
    try {
      given = await this.#ask();
    } catch {
      throw faultWith(noToken, true);
    }
    const { token, expiresAt } = typeof given === "string" ? { token: given } : (given ?? { token: "" });
    if (typeof token !== "string" || token === "") throw faultWith(noToken, true);
    const now = Date.now();
    const ends = expiresAt == null ? Number.NaN : new Date(expiresAt).getTime();
    this.#token = token;
    this.#until = Number.isNaN(ends) ? Number.POSITIVE_INFINITY : ends - Math.min(early, Math.max(0, ends - now) / 2);
    return token;
  }
}

export function isFault(error: unknown): error is Fault {
  return typeof error === "object" && error !== null && "passing" in error;
}
