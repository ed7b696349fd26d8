import { heard } from "./clock.js";

/** What is wrong with one member of what was sent. */
export interface FieldFault {
  readonly field: string;
  readonly code: string;
  readonly detail: string;
}

/** The members of an error that both APIs and the session's endpoints give. */
interface Facts {
  readonly code: string;
  readonly errors?: readonly FieldFault[];
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly requestId?: string;
}

/** An error of the server, in the language of the page. */
export class Fault extends Error {
  readonly code: string;
  readonly fields: readonly FieldFault[];
  readonly meta: Readonly<Record<string, unknown>>;
  readonly requestId: string;
  /** For how long the server asks not to be asked again, in seconds; 0 where it does not say. */
  readonly retryAfter: number;

  constructor(message: string, facts: Facts, response?: Response) {
    super(message);
    this.code = facts.code;
    this.fields = facts.errors ?? [];
    this.meta = facts.meta ?? {};
    this.requestId = facts.requestId ?? "";
    this.retryAfter = Math.max(0, Number(response?.headers.get("Retry-After")) || 0);
  }

  /** What is wrong with a member, in words; "" for nothing. */
  of(field: string): string {
    return this.fields.find((f) => f.field === field)?.detail ?? "";
  }
}

/** The code of the fault of a request that got no answer. */
export const unreachable = "UNREACHABLE";

/** Whether a fault tells that the request may succeed later as it is. */
export function isPassing(error: unknown): boolean {
  return (
    error instanceof Fault &&
    [unreachable, "UNAVAILABLE", "RATE_LIMITED", "IDEMPOTENCY_IN_PROGRESS"].includes(error.code)
  );
}

/** Whether a fault is one of the server that says by members alone what is wrong. */
export function isOfMembers(error: unknown): boolean {
  return (
    error instanceof Fault && error.code === "VALIDATION_FAILED" && error.fields.length > 0 && error.requestId !== ""
  );
}

/** Whether a fault tells that the server does not know an operation of the app, which is of another version. */
export function isStale(error: unknown): boolean {
  return (
    error instanceof Fault &&
    ["PERSISTED_QUERY_NOT_FOUND", "PERSISTED_QUERY_NOT_SUPPORTED", "OPERATION_NOT_TRUSTED"].includes(error.code)
  );
}

/** An answer that is no answer of the server: a proxy's page, or one cut short. */
function strange(response: Response): Fault {
  const facts = {
    code: response.status >= 500 ? "UNAVAILABLE" : "INTERNAL",
    requestId: response.headers.get("X-Req-Id") ?? "",
  };
  return new Fault("", facts, response);
}

/** Sends a request and reads its answer as JSON. */
export async function fetchJSON(url: string, init: RequestInit): Promise<{ response: Response; body: unknown }> {
  const asked = Date.now();
  let response: Response;
  try {
    response = await fetch(url, { ...init, credentials: "same-origin", cache: "no-store" });
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw new Fault("", { code: unreachable });
  }
  try {
    const answered = Date.now();
    const body = await response.json();
    heard(response.headers.get("Date"), asked, answered); // and not what the page of a proxy says
    return { response, body };
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw strange(response);
  }
}

/** The fault that the body of a refusal tells; of the shape of RFC 9457. */
export function faultOf(response: Response, body: unknown): Fault {
  const problem = body as Partial<Facts> & { detail?: string };
  if (typeof problem?.code !== "string") return strange(response);
  return new Fault(problem.detail ?? "", problem as Facts, response);
}

/** The first error of an answer of /graphql. */
export function faultOfGraphQL(errors: readonly { message: string; extensions?: Facts }[], response?: Response): Fault {
  const first = errors[0];
  return new Fault(first?.message ?? "", first?.extensions ?? { code: "INTERNAL" }, response);
}
