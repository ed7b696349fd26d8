/** Why a widget shows nothing, or nothing new. */
export interface Fault {
  /** A code of the API, or one of those below. */
  readonly code: string;
  /** In words, in the language that was asked for; "" where the widget has words of its own. */
  readonly message: string;
  /** The id under which the server's log has the request; "" where none was answered. */
  readonly requestId: string;
  /** For how long the server asks not to be asked again, in milliseconds; 0 where it does not say. */
  readonly retryAfter: number;
  /** Whether the same request may succeed later. */
  readonly passing: boolean;
}

/** No answer came, or none that this page may read. */
export const unreachable = "UNREACHABLE";
/** The page has given no token, or its tokenProvider failed. */
export const noToken = "NO_TOKEN";
/** The attribute endpoint is no address. */
export const badEndpoint = "BAD_ENDPOINT";
export const ended = "UNAUTHENTICATED";

export function faultWith(code: string, passing: boolean): Fault {
  return { code, message: "", requestId: "", retryAfter: 0, passing };
}

/** The fault that an answer tells: of the shape of RFC 9457, or a proxy's. */
export async function faultOf(response: Response, now: number): Promise<Fault> {
  const problem = await response.json().catch(() => null);
  const { status, headers } = response;
  const known = typeof problem?.code === "string";
  return {
    code: known ? problem.code : (ofStatus[status] ?? (status >= 500 ? "UNAVAILABLE" : "INTERNAL")),
    message: (known && inWords(problem)) || "",
    requestId: problem?.requestId ?? headers.get("X-Req-Id") ?? "",
    retryAfter: waitOf(headers.get("Retry-After"), now),
    passing: status >= 500 || status === 429 || status === 408,
  };
}

const ofStatus: Record<number, string> = { 401: ended, 403: "FORBIDDEN", 404: "NOT_FOUND", 429: "RATE_LIMITED" };

/** What is wrong with a request, with each member that is. */
function inWords({ detail, errors }: { detail?: string; errors?: { field: string; detail: string }[] }): string {
  return [detail, ...(errors ?? []).map((e) => `${e.field}: ${e.detail}`)].filter(Boolean).join(" ");
}

/** Retry-After, seconds or a date, in milliseconds; 0 without one. */
function waitOf(header: string | null, now: number): number {
  if (!header) return 0;
  const seconds = Number(header);
  const wait = Number.isNaN(seconds) ? Date.parse(header) - now : seconds * 1000;
  return wait > 0 ? Math.min(wait, 3_600_000) : 0;
}
