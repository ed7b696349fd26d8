import { language } from "../texts/texts.js";
import { Fault, faultOf, faultOfGraphQL, fetchJSON, isStale } from "./fault.js";
import { session } from "./session.js";

/** An operation of the API, which the server knows by its hash; with the types of its answer and its variables. */
export interface Operation<Answer, Variables> {
  readonly name: string;
  readonly kind: "query" | "mutation" | "subscription";
  /** The SHA-256 of its text. */
  readonly hash: string;
  readonly answer?: Answer;
  readonly variables?: Variables;
}

/** The members of a request that name an operation. */
export function named({ name, hash }: Operation<unknown, unknown>) {
  return { operationName: name, extensions: { persistedQuery: { version: 1, sha256Hash: hash } } };
}

type Options = {
  readonly signal?: AbortSignal;
  /** Names a write for good: sent again with the same key, it is done once. */
  readonly key?: string;
  /** Whose it is: asked in the session of nobody else. */
  readonly userId?: string;
  /** The language of the answer, where that is not the page's. */
  readonly language?: string;
};

/** The code of the fault of what is not asked, since another person is signed in. */
export const otherPerson = "OTHER_PERSON";

interface GraphQLAnswer<Answer> {
  readonly data?: Answer | null;
  readonly errors?: Parameters<typeof faultOfGraphQL>[0];
}

/**
 * Asks the server. An access token that ended is replaced once. Throws a Fault; where an
 * operation was answered in part, too.
 */
export async function ask<Answer, Variables>(
  operation: Operation<Answer, Variables>,
  variables: Variables,
  options: Options = {},
): Promise<Answer> {
  const key = options.key ?? (operation.kind === "mutation" ? crypto.randomUUID() : "");
  const token = await tokenOf(options.userId);
  try {
    return await send(operation, variables, token, { ...options, key });
  } catch (error) {
    if (!(error instanceof Fault && error.code === "UNAUTHENTICATED")) throw error;
    return await send(operation, variables, await tokenOf(options.userId, token), { ...options, key });
  }
}

/** An access token of a person, or of whoever is signed in; not the one that was refused. */
async function tokenOf(userId: string | undefined, refused?: string): Promise<string> {
  const access = await session.access(refused);
  if (userId !== undefined && access.userId !== userId) throw new Fault("", { code: otherPerson });
  return access.token;
}

async function send<Answer, Variables>(
  operation: Operation<Answer, Variables>,
  variables: Variables,
  token: string,
  options: Options,
): Promise<Answer> {
  const headers = new Headers({
    Accept: "application/json",
    Authorization: `Bearer ${token}`,
    "X-Language": options.language ?? language(),
  });
  if (options.key) headers.set("Idempotency-Key", `"${options.key}"`);
  const body = bodyOf(operation, variables);
  if (typeof body === "string") headers.set("Content-Type", "application/json");
  else headers.set("GraphQL-Preflight", "1"); // a form of another site could not send it
  const got = await fetchJSON("/graphql", {
    method: "POST",
    headers,
    body,
    ...(options.signal && { signal: options.signal }),
  });
  const answer = got.body as GraphQLAnswer<Answer> | null;
  if (answer?.errors?.length) throw told(faultOfGraphQL(answer.errors, got.response));
  if (answer?.data == null) throw told(faultOf(got.response, got.body));
  return answer.data;
}

/** Says to the page, with the event "wf-stale", where the server does not know an operation: it is of another version. */
function told(fault: Fault): Fault {
  if (isStale(fault)) dispatchEvent(new Event("wf-stale"));
  return fault;
}

/** An operation as JSON; with files as the multipart form that graphql-multipart-request-spec describes. */
export function bodyOf(operation: Operation<unknown, unknown>, variables: unknown): string | FormData {
  const files = new Map<string, File>();
  const without = (value: unknown, path: string): unknown => {
    if (value instanceof File) {
      files.set(path, value);
      return null;
    }
    if (Array.isArray(value)) return value.map((v, i) => without(v, `${path}.${i}`));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, v]) => [name, without(v, `${path}.${name}`)]));
  };
  const operations = JSON.stringify({ ...named(operation), variables: without(variables, "variables") });
  if (files.size === 0) return operations;
  const form = new FormData();
  form.set("operations", operations);
  form.set("map", JSON.stringify(Object.fromEntries([...files.keys()].map((path, i) => [i, [path]]))));
  [...files.values()].forEach((file, i) => {
    form.set(String(i), file);
  });
  return form;
}
