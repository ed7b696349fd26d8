import { language } from "../texts/texts.js";
import { Fault, faultOf, faultOfGraphQL, fetchJSON } from "./fault.js";
import { session } from "./session.js";

/** An operation of the API: its text, with the types of its answer and its variables. */
export type Operation<Answer, Variables> = string & { readonly answer?: Answer; readonly variables?: Variables };

type Options = {
  readonly signal?: AbortSignal;
  /** Names a write for good: sent again with the same key, it is done once. */
  readonly key?: string;
};

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
  const key = options.key ?? (operation.startsWith("mutation") ? crypto.randomUUID() : "");
  const token = await session.token();
  try {
    return await send(operation, variables, token, key, options.signal);
  } catch (error) {
    if (!(error instanceof Fault && error.code === "UNAUTHENTICATED")) throw error;
    return await send(operation, variables, await session.token(token), key, options.signal);
  }
}

async function send<Answer, Variables>(
  query: Operation<Answer, Variables>,
  variables: Variables,
  token: string,
  key: string,
  signal?: AbortSignal,
): Promise<Answer> {
  const headers = new Headers({
    "Content-Type": "application/json",
    Accept: "application/json",
    Authorization: `Bearer ${token}`,
    "X-Language": language(),
  });
  if (key !== "") headers.set("Idempotency-Key", `"${key}"`);
  const body = JSON.stringify({ query, variables });
  const got = await fetchJSON("/graphql", { method: "POST", headers, body, ...(signal && { signal }) });
  const answer = got.body as GraphQLAnswer<Answer>;
  if (answer.errors?.length) throw faultOfGraphQL(answer.errors);
  if (answer.data == null) throw faultOf(got.response, got.body);
  return answer.data;
}
