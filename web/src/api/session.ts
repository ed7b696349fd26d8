import { language } from "../texts/texts.js";
import { Fault, faultOf, fetchJSON } from "./fault.js";

/** What the endpoints of the session answer. */
export interface SignedIn {
  readonly state: "signed_in";
  readonly userId: string;
  readonly accessToken: string;
  /** Seconds. */
  readonly expiresIn: number;
}

export interface CodeSent {
  readonly state?: "code";
  readonly channel: string;
  readonly destination: string;
  /** Seconds. */
  readonly expiresIn: number;
}

export type SignInAnswer = SignedIn | CodeSent | { readonly state: "approval" };

/** What the tabs of a browser tell each other. */
type Told = { readonly signedIn: Access } | { readonly ended: End };

/** How a session ended: as its person wanted, or not. */
export type End = "signed_out" | "expired";

/** An access token and whose it is. */
export interface Access {
  readonly userId: string;
  readonly token: string;
  /** When it was given and when it ends, in milliseconds since 1970 by this browser's clock. */
  readonly given: number;
  readonly ends: number;
}

/** How long before its end a token is replaced, in milliseconds. */
const early = 30_000;

/**
 * The session of this browser. The access token is in memory alone; the rest is in cookies that
 * no script reads. All tabs share what one of them gets, and one at a time asks.
 */
export class Session {
  /** Whose session it is; undefined while nobody is signed in. */
  userId: string | undefined;
  /** Called when the session of a person begins, ends, is known to have ended, or takes the place of another person's. */
  onchange: (userId: string | undefined, before: string | undefined, end: End) => void = () => {};

  #access: Access | undefined;
  readonly #tabs = new BroadcastChannel("wf-session");

  constructor() {
    this.#tabs.onmessage = (event: MessageEvent<Told>) => {
      if ("signedIn" in event.data) this.#take(event.data.signedIn);
      else this.#take(undefined, event.data.ended);
    };
  }

  /**
   * An access token that is valid for some milliseconds, or half of its life where that is less,
   * and not the one that was refused. Throws UNAUTHENTICATED where the session has ended.
   */
  async token(refused = "", valid = early): Promise<string> {
    return (await this.access(refused, valid)).token;
  }

  /** As token, with whose it is. */
  async access(refused = "", valid = early): Promise<Access> {
    const kept = this.#usable(refused, valid);
    if (kept) return kept;
    return await this.#alone(async () => {
      const told = this.#usable(refused, valid);
      if (told) return told; // another tab was faster
      try {
        return this.#keep((await this.#post("refresh", {})) as SignedIn);
      } catch (error) {
        if (error instanceof Fault && error.code === "UNAUTHENTICATED") this.#end("expired");
        throw error;
      }
    });
  }

  /** Hears and tells nothing more. */
  close(): void {
    this.#tabs.close();
  }

  /** From when on token gives another one, in milliseconds since 1970; 0 without one. */
  renewal(valid: number): number {
    const access = this.#access;
    return access ? access.ends - Math.min(valid, (access.ends - access.given) / 2) : 0;
  }

  async signIn(username: string, password: string): Promise<SignInAnswer> {
    return await this.#begin("sign-in", { username, password });
  }

  async verify(otp: string): Promise<SignInAnswer> {
    return await this.#begin("verify", { otp });
  }

  async resume(): Promise<SignInAnswer> {
    return await this.#begin("resume", {});
  }

  async forgot(username: string): Promise<CodeSent> {
    return (await this.#alone(() => this.#post("forgot", { username }))) as CodeSent;
  }

  async reset(otp: string, password: string): Promise<void> {
    await this.#alone(() => this.#post("reset", { otp, password }));
  }

  /** Sets the password by an operator's link. The session that this browser has is over then. */
  async recover(token: string, password: string): Promise<void> {
    await this.#alone(() => this.#post("recover", { token, password }));
    if (this.userId !== undefined) this.#end("signed_out");
  }

  async signOut(): Promise<void> {
    await this.#alone(() => this.#post("sign-out", {}));
    this.#end("signed_out");
  }

  async #begin(name: string, body: object): Promise<SignInAnswer> {
    return await this.#alone(async () => {
      const answer = (await this.#post(name, body)) as SignInAnswer;
      if (answer.state === "signed_in") this.#keep(answer);
      return answer;
    });
  }

  /** The access token, if it is valid for a while and not the refused one. */
  #usable(refused: string, valid: number): Access | undefined {
    const access = this.#access;
    return access && access.token !== refused && this.renewal(valid) > Date.now() ? access : undefined;
  }

  #keep(answer: SignedIn): Access {
    const given = Date.now();
    const access = { userId: answer.userId, token: answer.accessToken, given, ends: given + answer.expiresIn * 1000 };
    this.#take(access);
    this.#tabs.postMessage({ signedIn: access } satisfies Told);
    return access;
  }

  #end(end: End): void {
    this.#take(undefined, end);
    this.#tabs.postMessage({ ended: end } satisfies Told);
  }

  #take(access: Access | undefined, end: End = "expired"): void {
    this.#access = access;
    const before = this.userId;
    if (access && before === access.userId) return;
    this.userId = access?.userId;
    this.onchange(this.userId, before, end);
  }

  /** Runs a call of the session while no tab of this browser runs another. */
  async #alone<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    return (await navigator.locks.request("wf-session", call)) as Answer;
  }

  async #post(name: string, body: object): Promise<unknown> {
    const got = await fetchJSON(`/app/session/${name}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json", "X-Language": language() },
      body: JSON.stringify(body),
    });
    if (!got.response.ok) throw faultOf(got.response, got.body);
    return got.body;
  }
}

export const session = new Session();
