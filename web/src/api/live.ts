import { type Client, createClient } from "graphql-ws";
import { named, type Operation } from "./client.js";
import { session } from "./session.js";

/** What somebody follows. */
interface Follower {
  readonly operation: Operation<unknown, unknown>;
  /** Called after each event, and after each time in which events may have been missed. */
  readonly changed: () => void;
  /** Called as the page becomes live or is not any more. */
  readonly live: (live: boolean) => void;
}

/** How long before its token ends a socket is replaced, in milliseconds. */
const early = 60_000;
/** How long the answer to a ping may take, in milliseconds. */
const patience = 5_000;
const shortestWait = 1_000;
const longestWait = 30_000;

/** The socket of this tab: open while somebody follows something, and opened again where it is lost. */
class Live {
  readonly #followers = new Set<Follower>();
  #current: Socket | undefined;
  #next: Socket | undefined;
  #timer = 0;
  #wait = shortestWait;

  constructor() {
    addEventListener("online", () => this.#open());
    addEventListener("offline", () => {
      this.#close();
      for (const f of this.#followers) f.live(false);
    });
  }

  /** Follows a subscription until the function that it returns is called. */
  follow<Answer>(
    operation: Operation<Answer, Record<string, never>>,
    changed: () => void,
    live: (live: boolean) => void,
  ): () => void {
    const follower = { operation, changed, live };
    this.#followers.add(follower);
    this.#next?.add(follower);
    if (this.#current) {
      this.#current.add(follower);
      live(true);
      changed(); // what it read may be older than the subscription
    } else {
      this.#open();
    }
    return () => {
      this.#followers.delete(follower);
      this.#current?.remove(follower);
      this.#next?.remove(follower);
      if (this.#followers.size === 0) this.#close();
    };
  }

  /** Opens a socket; the one before stays until this one is acknowledged. */
  #open(): void {
    if (this.#next || this.#followers.size === 0) return;
    clearTimeout(this.#timer);
    const next = new Socket({
      opened: () => this.#opened(next),
      closed: () => this.#closed(next),
    });
    this.#next = next;
    for (const f of this.#followers) next.add(f);
  }

  #opened(socket: Socket): void {
    if (socket !== this.#next) return;
    const before = this.#current;
    this.#current = socket;
    this.#next = undefined;
    this.#wait = shortestWait;
    before?.close();
    for (const f of this.#followers) {
      f.live(true);
      if (!before) f.changed(); // what was before the socket was told to nobody
    }
    this.#later(Math.max(shortestWait, session.renewal(early) - Date.now()));
  }

  #closed(socket: Socket): void {
    if (socket === this.#next) this.#next = undefined;
    else if (socket === this.#current) this.#current = undefined;
    else return;
    if (!this.#current) for (const f of this.#followers) f.live(false);
    if (this.#next || session.userId === undefined) return;
    this.#later(this.#wait * (0.5 + Math.random()));
    this.#wait = Math.min(2 * this.#wait, longestWait);
  }

  #later(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.#open(), milliseconds);
  }

  #close(): void {
    clearTimeout(this.#timer);
    const open = [this.#current, this.#next];
    this.#current = undefined;
    this.#next = undefined;
    for (const s of open) s?.close();
  }
}

/** One socket, from its opening to its end; it is not opened again. */
class Socket {
  readonly #client: Client;
  readonly #subscriptions = new Map<Follower, () => void>();
  #token = "";

  constructor(tell: { opened: () => void; closed: () => void }) {
    let silent = 0;
    this.#client = createClient({
      url: `${location.origin.replace(/^http/, "ws")}/graphql`,
      lazy: false,
      retryAttempts: 0,
      keepAlive: 15_000,
      onNonLazyError: () => {}, // "closed" tells it
      connectionParams: async () => {
        this.#token = await session.token("", early);
        return { Authorization: `Bearer ${this.#token}` };
      },
      on: {
        connected: () => {
          tell.opened();
        },
        ping: (received) => {
          if (!received) silent = window.setTimeout(() => this.#client.terminate(), patience);
        },
        pong: (received) => {
          if (received) clearTimeout(silent);
        },
        closed: (event) => {
          clearTimeout(silent);
          const code = event instanceof CloseEvent ? event.code : 0;
          if (code === 4401 || code === 4403) void session.token(this.#token).then(tell.closed, tell.closed);
          else tell.closed();
        },
      },
    });
  }

  add(follower: Follower): void {
    const end = this.#client.subscribe(
      { query: "", ...named(follower.operation) }, // the client sends nothing without a text
      {
        next: ({ errors }) => {
          if (!errors) follower.changed();
        },
        error: (why) => {
          if (Array.isArray(why)) follower.live(false); // it is refused; the end of a socket "closed" tells
        },
        complete: () => {},
      },
    );
    this.#subscriptions.set(follower, end);
  }

  remove(follower: Follower): void {
    this.#subscriptions.get(follower)?.();
    this.#subscriptions.delete(follower);
  }

  close(): void {
    void Promise.resolve(this.#client.dispose()).catch(() => {}); // it may not be open yet
  }
}

export const live = new Live();
