/**
 * Decides which requests are sent again, and when.
 *
 *     the answer                              sent again
 *     429                                     always: Postern refuses before it does anything
 *     409 idempotency_in_flight               with a key: the first request with it is under way
 *     502, 503, 504                           GET, PUT, DELETE, and POST and PATCH with an idempotency key
 *     none: no connection was made            always, where `fetch` says so: in Node
 *     none: the connection was lost           GET, PUT, DELETE, and POST and PATCH with an idempotency key
 */

export interface Retries {
  /** Further tries after the first one; 0: none. Default: 3. */
  most: number;
  /** Seconds. If Postern asks to wait longer, the error is thrown at once, with `retryAfter`. Default: 60. */
  longestWait: number;
  /** Seconds before the second try if no `Retry-After` says more; it doubles with each further one. Default: 0.5. */
  firstWait: number;
}

export const RETRIES: Retries = { most: 3, longestWait: 60, firstWait: 0.5 };
export const KEY = "Idempotency-Key";

const REPEATABLE = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);
const PASSING = new Set([502, 503, 504]);

/** Returns the seconds to wait after so many tries, or undefined if that was the last one. */
export function wait(retries: Retries, tries: number, asked: number | undefined): number | undefined {
  if (tries > retries.most || (asked !== undefined && asked > retries.longestWait)) return undefined;
  if (asked !== undefined) return asked + (Math.random() * retries.firstWait) / 5; // not all clients at once
  return Math.min(retries.firstWait * 2 ** (tries - 1), retries.longestWait) * (0.5 + Math.random() / 2);
}

/** Returns whether a request without an answer may be sent again. */
export function isRepeatable(request: Request): boolean {
  return request.headers.has(KEY) || REPEATABLE.has(request.method);
}

/** Returns whether a request with this answer may be sent again. */
export async function isSentAgain(request: Request, response: Response): Promise<boolean> {
  if (response.status === 429) return true;
  if (response.status === 409 && request.headers.has(KEY)) {
    const body = (await response
      .clone()
      .json()
      .catch(() => null)) as { code?: unknown } | null;
    return body?.code === "idempotency_in_flight";
  }
  return PASSING.has(response.status) && isRepeatable(request);
}

/** Returns the seconds that an answer asks to wait (RFC 9110 §10.2.3): a number, or a date. */
export function retryAfter(headers: Headers): number | undefined {
  const value = headers.get("retry-after")?.trim();
  if (!value) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - Date.now()) / 1000);
}
