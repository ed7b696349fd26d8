/** A value as it is kept: with whose key it is sealed, and its text under AES-GCM. */
interface Sealed {
  readonly person: string;
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly text: ArrayBuffer;
}

/** A clock event with its place in the order in which events were added. */
export interface Row<Value> {
  readonly place: number;
  readonly value: Value;
}

let opened: Promise<IDBDatabase> | undefined;

/**
 * The database of this browser: keys by person, snapshots by person and name, clock events in the
 * order in which they were added.
 */
function database(): Promise<IDBDatabase> {
  opened ??= new Promise<IDBDatabase>((done, failed) => {
    const asked = indexedDB.open("wf-phone", 1);
    asked.onupgradeneeded = () => {
      asked.result.createObjectStore("keys");
      asked.result.createObjectStore("snapshots");
      asked.result.createObjectStore("events", { autoIncrement: true });
    };
    asked.onsuccess = () => {
      asked.result.onversionchange = () => asked.result.close();
      asked.result.onclose = close;
      done(asked.result);
    };
    asked.onerror = () => failed(asked.error);
  }).catch((cause) => {
    close();
    throw cause;
  });
  return opened;
}

/** Has the next call open the database anew. */
function close(): void {
  opened = undefined;
}

type Store = "keys" | "snapshots" | "events";

/** Runs requests in one transaction, which is on the disk when this resolves with the answer of the last of them. */
async function run<Answer>(
  store: Store,
  mode: IDBTransactionMode,
  ask: (of: IDBObjectStore) => IDBRequest<Answer>,
): Promise<Answer> {
  const transaction = (await database()).transaction(store, mode, { durability: "strict" });
  return await new Promise((done, failed) => {
    const asked = ask(transaction.objectStore(store));
    transaction.oncomplete = () => done(asked.result);
    transaction.onabort = () => failed(transaction.error);
  });
}

/** The key of a person on this phone, which no script can read; made at its first use. */
async function keyOf(person: string): Promise<CryptoKey> {
  const kept = await run<CryptoKey | undefined>("keys", "readonly", (keys) => keys.get(person));
  if (kept) return kept;
  const made = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
  return await run<CryptoKey>("keys", "readwrite", (keys) => {
    const first = keys.get(person); // another tab may have been faster
    first.onsuccess = () => {
      if (first.result === undefined) keys.put(made, person);
    };
    return first;
  }).then((first: CryptoKey | undefined) => first ?? made);
}

function algorithm(person: string, iv: Uint8Array<ArrayBuffer>): AesGcmParams {
  return { name: "AES-GCM", iv, additionalData: new TextEncoder().encode(person) };
}

async function seal(person: string, value: unknown): Promise<Sealed> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const text = new TextEncoder().encode(JSON.stringify(value));
  return { person, iv, text: await crypto.subtle.encrypt(algorithm(person, iv), await keyOf(person), text) };
}

async function unseal<Value>({ person, iv, text }: Sealed): Promise<Value> {
  const open = await crypto.subtle.decrypt(algorithm(person, iv), await keyOf(person), text);
  return JSON.parse(new TextDecoder().decode(open)) as Value;
}

/** Keeps a snapshot of a person under a name. */
export async function putSnapshot(person: string, name: string, value: unknown): Promise<void> {
  const sealed = await seal(person, value);
  await run("snapshots", "readwrite", (snapshots) => snapshots.put(sealed, [person, name]));
}

/** The snapshot of a person under a name; undefined for none, or one that cannot be opened. */
export async function snapshot<Value>(person: string, name: string): Promise<Value | undefined> {
  const sealed = await run<Sealed | undefined>("snapshots", "readonly", (snapshots) => snapshots.get([person, name]));
  return sealed && (await unseal<Value>(sealed).catch(() => undefined));
}

/** Deletes the snapshots of a person. */
export async function eraseSnapshots(person: string): Promise<void> {
  const all = IDBKeyRange.bound([person], [person, []]);
  await run("snapshots", "readwrite", (snapshots) => snapshots.delete(all));
}

/** Adds a clock event of a person after all others, and gives its place. */
export async function addEvent(person: string, value: unknown): Promise<number> {
  const sealed = await seal(person, value);
  return (await run("events", "readwrite", (events) => events.add(sealed))) as number;
}

/** Writes a clock event anew, unless it was removed. */
export async function setEvent(person: string, { place, value }: Row<unknown>): Promise<void> {
  const sealed = await seal(person, value);
  await run("events", "readwrite", (events) => {
    const there = events.getKey(place);
    there.onsuccess = () => {
      if (there.result !== undefined) events.put(sealed, place);
    };
    return there;
  });
}

export async function removeEvent(place: number): Promise<void> {
  await run("events", "readwrite", (events) => events.delete(place));
}

/** The clock events of a person, oldest first, but those that cannot be opened. */
export async function events<Value>(person: string): Promise<Row<Value>[]> {
  const rows = await sealedEvents(person);
  const open = rows.map(async ({ place, value }) => ({ place, value: await unseal<Value>(value) }));
  return (await Promise.allSettled(open)).flatMap((row) => (row.status === "fulfilled" ? [row.value] : []));
}

/** How many clock events wait, whoever's they are. */
export async function countEvents(): Promise<number> {
  return await run("events", "readonly", (events) => events.count());
}

async function sealedEvents(person: string): Promise<Row<Sealed>[]> {
  const rows: Row<Sealed>[] = [];
  await run("events", "readonly", (events) => {
    const each = events.openCursor();
    each.onsuccess = () => {
      const cursor = each.result;
      if (!cursor) return;
      const value = cursor.value as Sealed;
      if (value.person === person) rows.push({ place: cursor.key as number, value });
      cursor.continue();
    };
    return each;
  });
  return rows;
}
