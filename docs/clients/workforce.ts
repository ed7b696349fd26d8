/** What the client keeps: localStorage, or anything like it that outlives the process. */
export type Store = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

export interface Options {
  /** The address of the server, as in https://api.contoh.id. */
  readonly server: string;
  readonly store: Store;
  /** As in 2.3.0. */
  readonly appVersion?: string;
  /** id or en; the client's language can be changed later. */
  readonly language?: string;
}

/** What somebody does at a clock: position in degrees, accuracy in metres. */
export interface ClockEvent {
  readonly kind: "in" | "out";
  readonly employeeShiftId: string;
  readonly addressId: string;
  readonly latitude: string;
  readonly longitude: string;
  readonly accuracy?: number;
  readonly note?: string;
  /** The points of the face, where the company wants one. */
  readonly faceLandmark?: readonly Point[];
}

/** A point of a face; 1 is the width or height of the picture. */
export interface Point {
  readonly x: number;
  readonly y: number;
  readonly z?: number;
  readonly visibility?: number;
}

/** A clock event that the server has not taken. */
export interface Waiting {
  /** Its Idempotency-Key. */
  readonly id: string;
  readonly userId: string;
  readonly kind: "in" | "out";
  readonly recordedAt: string;
  /** The request, the same with each sending. */
  readonly body: string;
  /** Why the server refused it, until the person has seen that. */
  readonly refused?: { readonly code: string; readonly detail: string };
}

/** Where a code was sent, such as b***@demo.test, and for how many seconds it is valid. */
export interface Verification {
  readonly channel: string;
  readonly destination: string;
  readonly expiresIn: number;
}

interface Login {
  readonly userToken: string;
  readonly verified: boolean;
  readonly verification: Verification | null;
}

interface Pair {
  readonly accessToken: string;
  readonly refreshToken: string;
}

interface Session extends Pair {
  readonly userId: string;
}

/** What is wrong with a member of a request. */
export interface Fault {
  readonly field: string;
  readonly code: string;
  readonly detail: string;
}

/** The members of the body of an error that are needed here. */
interface Problem {
  readonly code?: string;
  readonly detail?: string;
  readonly meta?: Record<string, unknown>;
  readonly errors?: readonly Fault[];
  readonly requestId?: string;
}

/** The first error of an answer of GraphQL, which may have the status 200, in the form of REST's. */
function graphqlProblem(answer: unknown): Problem | undefined {
  type Errors = { errors?: { message: string; extensions?: Problem }[] } | null;
  const first = (answer as Errors)?.errors?.[0];
  return first?.extensions && { ...first.extensions, detail: first.message };
}

/** An answer that is no success. Without a code it does not come from the server: there was none, or a proxy's. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** In seconds; 0 where the server does not say. */
  readonly retryAfter: number;
  readonly meta: Readonly<Record<string, unknown>>;
  /** To show at the fields of a form. */
  readonly errors: readonly Fault[];
  /** By which an operator finds the request. */
  readonly requestId: string;

  constructor(status: number, problem: Problem, retryAfter = 0) {
    super(problem.detail);
    this.status = status;
    this.code = problem.code ?? "";
    this.retryAfter = retryAfter;
    this.meta = problem.meta ?? {};
    this.errors = problem.errors ?? [];
    this.requestId = problem.requestId ?? "";
  }

  /** Whether the same request may succeed later. */
  get passes(): boolean {
    const codes = ["", "IDEMPOTENCY_IN_PROGRESS", "INTERNAL", "RATE_LIMITED", "UNAVAILABLE"]; // with 200 by GraphQL
    return codes.includes(this.code) || this.status === 429 || this.status >= 500;
  }

  /** Whether a clock event is refused for good. */
  get refuses(): boolean {
    return !this.passes && [404, 409, 422].includes(this.status);
  }
}

/** The person has to sign in again. What waits is kept for them. */
export class SignInNeeded extends Error {}

/** How long an answer is waited for, in milliseconds: a refresh must fit twice into a minute. */
const patience = 15_000;

/** Repeats work while its failure passes: after Retry-After, else after about 1, 2, 4 … 300 seconds. */
async function repeat<Result>(work: () => Promise<Result>, times = Infinity): Promise<Result> {
  for (let n = 1; ; n++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ApiError && error.passes) || n >= times) throw error;
      const pause = Math.min(2 ** (n - 1), 300) * (0.5 + Math.random() / 2); // not all phones at once
      await new Promise((done) => setTimeout(done, 1_000 * Math.max(error.retryAfter, pause)));
    }
  }
}

export class Workforce {
  readonly #options: Options;
  readonly #store: Store;
  /** Of messages to the person: id or en; "" for the person's own. */
  language: string;
  /** Of the code that signIn had sent; null where none was. */
  verification: Verification | null = null;
  #userToken = "";
  #refreshing: Promise<void> | undefined;
  #sending: Promise<void> = Promise.resolve();

  constructor(options: Options) {
    this.#options = options;
    this.#store = options.store;
    this.language = options.language ?? "";
  }

  // Signing in

  /** Signs in; "code" where a code was sent that verify takes. Called again after a minute, it sends another. */
  async signIn(username: string, password: string): Promise<"signed in" | "code"> {
    const body = JSON.stringify({ username, password });
    const login = async () =>
      this.#request<Login>("POST", "/user/login", { "X-Device-Token": await this.#device() }, body);
    const answer = await login().catch(async (error) => {
      if (!(error instanceof ApiError && error.meta.token === "device")) throw error;
      this.#store.removeItem("wf-device"); // revoked: the phone is another one from now on
      return await login();
    });
    this.#userToken = answer.userToken;
    this.verification = answer.verification;
    if (!answer.verified) return "code";
    await this.#begin();
    return "signed in";
  }

  /** Completes a sign-in with the code that was sent. */
  async verify(code: string): Promise<void> {
    const tokens = { "X-Device-Token": await this.#device(), "x-User-Token": this.#userToken };
    await this.#request("POST", "/authorize/verify", tokens, JSON.stringify({ otp: code }));
    await this.#begin();
  }

  /** Ends the session. What waits is kept, and sent when the same person signs in again. */
  async signOut(): Promise<void> {
    await this.call("POST", "/user/logout");
    this.#end();
  }

  async #device(): Promise<string> {
    const known = this.#store.getItem("wf-device");
    if (known) return known;
    const body = JSON.stringify({ deviceId: crypto.randomUUID(), platform: "web" });
    const { deviceToken } = await this.#request<{ deviceToken: string }>("POST", "/device/register", {}, body);
    this.#store.setItem("wf-device", deviceToken);
    return deviceToken;
  }

  /** Gets the first tokens; asking for them again is safe. */
  async #begin(): Promise<void> {
    const session = await repeat(async () => {
      const pair = await this.#request<Pair>("GET", "/authorize/access-token", { "x-User-Token": this.#userToken });
      const bearer = { Authorization: `Bearer ${pair.accessToken}` };
      const { userId } = await this.#request<{ userId: string }>("GET", "/user/token-info", bearer);
      return { ...pair, userId };
    }, 5);
    this.#store.setItem("wf-session", JSON.stringify(session));
  }

  /** Forgets the tokens, and not who it was. */
  #end(): void {
    this.#store.setItem("wf-session", JSON.stringify({ userId: this.#who() }));
  }

  // Requests

  /** Sends a request in the session. One with a key is done once, however often it is sent. */
  async call<Result>(method: string, path: string, body?: string, key?: string): Promise<Result> {
    const who = this.#who();
    for (let first = true; ; first = false) {
      const { userId, accessToken } = this.#session();
      if (userId !== who) throw new SignInNeeded(); // somebody else, meanwhile
      const headers = { Authorization: `Bearer ${accessToken}`, ...(key && { "Idempotency-Key": key }) };
      try {
        return await this.#request<Result>(method, path, headers, body);
      } catch (error) {
        if (!(first && error instanceof ApiError && error.code === "UNAUTHENTICATED")) throw error;
        await this.#refresh(accessToken);
      }
    }
  }

  /** Sends a document of GraphQL. The first error is thrown, and data beside errors is left out. */
  async graphql<Data>(query: string, variables: Record<string, unknown> = {}, key?: string): Promise<Data> {
    const body = JSON.stringify({ query, variables });
    const { data } = await this.call<{ data?: Data }>("POST", "/graphql", body, key);
    if (data === undefined) throw new ApiError(0, { detail: "no answer of ours" });
    return data;
  }

  #session(): Session {
    const session: Partial<Session> = JSON.parse(this.#store.getItem("wf-session") ?? "{}");
    if (!session.accessToken) throw new SignInNeeded();
    return session as Session;
  }

  #who(): string {
    return (JSON.parse(this.#store.getItem("wf-session") ?? "{}") as Partial<Session>).userId ?? "";
  }

  /** Replaces the tokens, once for all calls that wait for it. */
  async #refresh(refused: string): Promise<void> {
    this.#refreshing ??= repeat(() => this.#replace(refused), 5).finally(() => (this.#refreshing = undefined));
    await this.#refreshing;
  }

  /**
   * Another tab may do the same: within a minute the server gives both the same tokens, and whoever comes
   * later finds new ones in the store. The same minute covers an answer that was lost.
   */
  async #replace(refused: string): Promise<void> {
    const session = this.#session();
    if (session.accessToken !== refused) return;
    try {
      const tokens = { "x-Refresh-Token": session.refreshToken };
      const pair = await this.#request<Pair>("GET", "/authorize/refresh-token", tokens);
      if (this.#session().accessToken !== refused) return;
      this.#store.setItem("wf-session", JSON.stringify({ ...pair, userId: session.userId }));
    } catch (error) {
      if (!(error instanceof ApiError && error.code === "UNAUTHENTICATED")) throw error;
      if (this.#session().accessToken !== refused) return;
      this.#end();
      throw new SignInNeeded();
    }
  }

  /** Sends one request, and waits for its answer. */
  async #request<Result>(
    method: string,
    path: string,
    tokens: Record<string, string>,
    body: string | null = null,
  ): Promise<Result> {
    const headers: Record<string, string> = { ...tokens, "Content-Type": "application/json" };
    if (this.#options.appVersion) headers["X-App-Version"] = this.#options.appVersion;
    if (this.language) headers["X-Language"] = this.language;
    let response: Response;
    let answer: unknown;
    try {
      const signal = AbortSignal.timeout(patience);
      response = await fetch(this.#options.server + path, { method, headers, body, signal });
      answer = await response.json();
    } catch (cause) {
      throw new ApiError(0, { detail: String(cause) }); // no network, or no answer of ours
    }
    const failed = graphqlProblem(answer);
    if (response.ok && !failed) {
      this.#hear(response.headers.get("Date"));
      return answer as Result;
    }
    const retryAfter = Number(response.headers.get("Retry-After")) || 0;
    throw new ApiError(response.status, failed ?? (answer ?? {}) as Problem, retryAfter);
  }

  /** Notes how far the server's clock is ahead of this one, where that is more than a minute. */
  #hear(date: string | null): void {
    const ahead = Date.parse(date ?? "") - Date.now();
    if (!Number.isNaN(ahead)) this.#store.setItem("wf-ahead", String(Math.abs(ahead) > 60_000 ? ahead : 0));
  }

  // Clocking in and out

  /** Keeps a clock event until the server has it. It is on the disk when this returns; send sends it. */
  clock({ kind, ...event }: ClockEvent): Waiting {
    const userId = this.#who();
    if (userId === "") throw new SignInNeeded();
    const ahead = Number(this.#store.getItem("wf-ahead") ?? 0);
    const recordedAt = new Date(Date.now() + ahead).toISOString();
    const id = crypto.randomUUID();
    const waiting = { id, userId, kind, recordedAt, body: JSON.stringify({ ...event, recordedAt }) };
    const last = Number(this.#names().at(-1)?.split("/")[1] ?? 0);
    this.#store.setItem(`wf-clock/${String(last + 1).padStart(9, "0")}/${id}`, JSON.stringify(waiting));
    return waiting;
  }

  /** The events of who is signed in, or was last, oldest first; refused ones too. */
  waiting(): Waiting[] {
    const all = this.#names().map((name): Waiting => JSON.parse(this.#store.getItem(name) ?? "{}"));
    return all.filter((w) => w.userId === this.#who());
  }

  /** Forgets a refused event, since the person has seen why. */
  seen(id: string): void {
    for (const name of this.#names()) if (name.endsWith(id)) this.#store.removeItem(name);
  }

  /** Sends what waits, oldest first. Fails with what keeps it from going on; all that is not sent is kept. */
  async send(): Promise<void> {
    this.#sending = this.#sending.catch(() => {}).then(() => this.#sendAll());
    await this.#sending;
  }

  /** Sends what waits, again and again while the failure passes. */
  async sendUntilDone(): Promise<void> {
    await repeat(() => this.send());
  }

  async #sendAll(): Promise<void> {
    for (;;) {
      const next = this.waiting().find((w) => !w.refused);
      if (!next) return;
      try {
        const path = next.kind === "in" ? "/attendance/clockIn" : "/attendance/clockOut";
        const taken = await this.call<{ clockedIn?: true; clockedOut?: true }>("POST", path, next.body, next.id);
        if (!taken.clockedIn && !taken.clockedOut) throw new ApiError(0, { detail: "no answer of ours" });
        this.seen(next.id);
      } catch (error) {
        if (!(error instanceof ApiError && error.refuses)) throw error;
        const name = this.#names().find((n) => n.endsWith(next.id));
        const refused = { code: error.code, detail: error.message };
        if (name) this.#store.setItem(name, JSON.stringify({ ...next, refused }));
      }
    }
  }

  /** The names of all events, oldest first: each is an entry of its own, so that tabs do not overwrite another's. */
  #names(): string[] {
    const all = Array.from({ length: this.#store.length }, (_, i) => this.#store.key(i) ?? "");
    return all.filter((name) => name.startsWith("wf-clock/")).sort();
  }
}
