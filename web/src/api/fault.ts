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

  constructor(message: string, facts: Facts) {
    super(message);
    this.code = facts.code;
    this.fields = facts.errors ?? [];
    this.meta = facts.meta ?? {};
    this.requestId = facts.requestId ?? "";
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

/** An answer that is no answer of the server: a proxy's page, or one cut short. */
function strange(response: Response): Fault {
  return new Fault("", {
    code: response.status >= 500 ? "UNAVAILABLE" : "INTERNAL",
    requestId: response.headers.get("X-Req-Id") ?? "",
  });
}

/** Sends a request and reads its answer as JSON. */
export async function fetchJSON(url: string, init: RequestInit): Promise<{ response: Response; body: unknown }> {
  let response: Response;
  try {
    response = await fetch(url, { ...init, credentials: "same-origin", cache: "no-store" });
    heard(response.headers.get("Date"));
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw new Fault("", { code: unreachable });
  }
  try {
    return { response, body: await response.json() };
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw strange(response);
  }
}

/** The fault that the body of a refusal tells; of the shape of RFC 9457. */
export function faultOf(response: Response, body: unknown): Fault {
  const problem = body as Partial<Facts> & { detail?: string };
  return typeof problem?.code === "string" ? new Fault(problem.detail ?? "", problem as Facts) : strange(response);
}

/** The first error of an answer of /graphql. */
export function faultOfGraphQL(errors: readonly { message: string; extensions?: Facts }[]): Fault {
  const first = errors[0];
  return new Fault(first?.message ?? "", first?.extensions ?? { code: "INTERNAL" });
}
