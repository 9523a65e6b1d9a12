/**
 * What a call can throw.
 *
 *     PosternError
 *     ├── ConnectionFailed     no answer: `maybeDone` says whether Postern may have carried out the request
 *     ├── WebhookRefused       a request to a webhook that is not signed by Postern, or too old
 *     └── ApiError             an answer of Postern: `code` for programs, `advice` for people
 *         ├── BadRequest       400, 413, 422
 *         ├── NotAuthenticated 401
 *         ├── PaymentRequired  402
 *         ├── Forbidden        403
 *         ├── NotFound         404, 410
 *         ├── Conflict         409
 *         ├── RateLimited      429
 *         └── Unavailable      500 and above
 */
import { ADVICE } from "./generated/advice.js";
import { retryAfter } from "./retries.js";

/** The base class of all errors of this package. */
export class PosternError extends Error {
  override name = this.constructor.name;
}

/**
 * Postern has not answered. With `maybeDone` the request may have been carried out: repeat it with the same idempotency
 * key.
 */
export class ConnectionFailed extends PosternError {
  constructor(
    message: string,
    readonly maybeDone: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The request is not one that Postern has just sent to this webhook. Answer 401. */
export class WebhookRefused extends PosternError {}

/** Postern has refused a request. */
export class ApiError extends PosternError {
  /** The sentences that say what is wrong: one, or after a failed validation one for each rule. */
  readonly reasons: readonly string[];
  /** The stable code, such as `insufficient_balance`: compare this one. */
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** What to do, as docs/errors.md has it; undefined for a code that this version does not have. */
  readonly advice: string | undefined;
  /** Send it to the operator when you report a problem. */
  readonly requestId: string | undefined;
  /** Seconds to wait before the next try, if Postern says so. */
  readonly retryAfter: number | undefined;

  constructor(
    readonly status: number,
    body: Record<string, unknown>,
    headers: Headers,
  ) {
    const message = body["message"] ?? "Postern has answered without a reason.";
    const reasons = Array.isArray(message) ? message.map(String) : [String(message)];
    const code = String(body["code"] ?? `http_${status}`);
    super(`${code}: ${reasons.join(" ")}`);
    this.reasons = reasons;
    this.code = code;
    this.details = (body["details"] ?? {}) as Record<string, unknown>;
    this.advice = Object.hasOwn(ADVICE, code) ? ADVICE[code] : undefined;
    this.requestId = headers.get("x-request-id") ?? undefined;
    this.retryAfter = retryAfter(headers);
  }

  /** Returns what is wrong and what to do about it, in one or two sentences for a log. */
  explain(): string {
    const advice = this.advice === undefined ? "" : ` What to do: ${this.advice}.`;
    const request = this.requestId === undefined ? "" : ` (request ${this.requestId})`;
    return this.message + advice + request;
  }
}

/** Something is wrong with the request. */
export class BadRequest extends ApiError {}

/** The token is wrong, expired or revoked. */
export class NotAuthenticated extends ApiError {}

/** The balance is too low. */
export class PaymentRequired extends ApiError {}

/** The token may not do this. */
export class Forbidden extends ApiError {}

/** There is no such object, or it is another owner's; or its module is off. */
export class NotFound extends ApiError {}

/** The object is not in the state for this. */
export class Conflict extends ApiError {}

/** There were too many requests: `retryAfter` says how long to wait. */
export class RateLimited extends ApiError {}

/** Postern, or what it depends on, can't do it at the moment. */
export class Unavailable extends ApiError {}

const BY_STATUS: Record<number, typeof ApiError> = {
  400: BadRequest,
  401: NotAuthenticated,
  402: PaymentRequired,
  403: Forbidden,
  404: NotFound,
  409: Conflict,
  410: NotFound,
  413: BadRequest,
  422: BadRequest,
  429: RateLimited,
};

/** Returns the error that an answer is; `body` is what was read of it. */
export function errorOf(response: Response, body: unknown): ApiError {
  const { status, headers } = response;
  const kind = BY_STATUS[status] ?? (status >= 500 ? Unavailable : ApiError);
  const ours = typeof body === "object" && body !== null && !Array.isArray(body);
  const other = { message: `The answer has the status ${status}, and is none of Postern's.` }; // a proxy's own
  return new kind(status, ours ? (body as Record<string, unknown>) : other, headers);
}
