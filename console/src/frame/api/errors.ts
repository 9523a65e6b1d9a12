import { CombinedError, type OperationResult } from "urql";

type GraphQLError = CombinedError["graphQLErrors"][number];

/** An error as the console shows it: the server's sentence, and what is needed to report it. */
export interface Problem {
  code: string;
  message: string;
  /** x-request-id of the answer; absent if there was no answer */
  requestId?: string;
  /** seconds after which it may be tried again */
  retryAfter?: number;
  /** one sentence for each rule that a field broke, by the field's name; "" for sentences about no field */
  fields: Record<string, string>;
  /** what else the error says, as docs/errors.md describes it for the code */
  details?: Record<string, unknown>;
}

/** The request was not answered at all. */
export const NETWORK = "network";

/** Codes which say that nobody is logged in any more. */
const LOGGED_OUT = new Set(["unauthenticated", "invalid_token", "session_ended", "needs_console_header"]);

const requestIds = new WeakMap<object, string>();

/** Remembers the request id of an answer, so that its errors can show it. */
export function rememberRequestId(result: OperationResult, response: Response | undefined): void {
  const id = response?.headers.get("x-request-id");
  if (result.error && id) requestIds.set(result.error, id);
}

export function isLoggedOut(error: CombinedError | undefined): boolean {
  if (!error) return false;
  if ((error.response as Response | undefined)?.status === 401) return true;
  return error.graphQLErrors.some((item) => LOGGED_OUT.has(codeOf(item.extensions)));
}

/** Codes which say that the server does not know what the console asked: it may be of another version. */
const UNKNOWN_DOCUMENT = new Set(["document_not_found", "document_not_allowed"]);

export function isOfOtherVersion(error: CombinedError | undefined): boolean {
  return Boolean(error?.graphQLErrors.some((item) => UNKNOWN_DOCUMENT.has(codeOf(item.extensions))));
}

export function isNetworkError(error: CombinedError | undefined): boolean {
  return Boolean(error?.networkError) && error?.response === undefined;
}

export function problemOf(error: CombinedError): Problem {
  const requestId = requestIds.get(error) ?? headerOf(error, "x-request-id");
  const first = error.graphQLErrors[0];
  if (!first) {
    const status = (error.response as Response | undefined)?.status;
    return {
      code: status === undefined ? NETWORK : `http_${status}`,
      message: "",
      requestId,
      fields: {},
    };
  }
  const details = first.extensions.details as Record<string, unknown> | undefined;
  return {
    code: codeOf(first.extensions),
    message: first.message,
    requestId,
    retryAfter: typeof details?.retryAfter === "number" ? details.retryAfter : undefined,
    fields: fieldsOf(first.message, details?.rules),
    details,
  };
}

/**
 * Sorts sentences by the field that they begin with: `body: string should …`, or `to must be a phone number …`.
 * Postern names the field first in both forms.
 */
export function fieldsOf(message: string, rules: unknown): Record<string, string> {
  const sentences = Array.isArray(rules) ? rules.filter((rule) => typeof rule === "string") : [message];
  const fields: Record<string, string> = {};
  for (const sentence of sentences) {
    const match = /^([a-z][A-Za-z]*(?:\.[A-Za-z]+)*)(?::\s+|\s+(?=must|is|may|has|needs)\b)(.*)$/s.exec(
      sentence,
    );
    const name = match?.[1] ?? "";
    const text = match && sentence.includes(`${name}:`) ? (match[2] ?? sentence) : sentence;
    if (fields[name]?.includes(text)) continue; // a value may break the same rule in two ways
    fields[name] = fields[name] ? `${fields[name]} ${text}` : text;
  }
  return fields;
}

/**
 * Returns what a notice has to show beside a form's fields: the problem, unless each of its sentences is about one of
 * `fields`, where the form shows it. A problem without sentences, such as a lost connection, is always for the notice.
 */
export function elsewhere(problem: Problem | null, fields: Iterable<string>): Problem | null {
  if (!problem) return null;
  const shown = new Set(fields);
  const named = Object.keys(problem.fields);
  return named.length > 0 && named.every((name) => shown.has(name)) ? null : problem;
}

export function codeOf(extensions: Record<string, unknown> | undefined): string {
  return typeof extensions?.code === "string" ? extensions.code : "error";
}

/** Returns the codes of all errors of an answer. */
export function codesOf(error: CombinedError | undefined): string[] {
  return error?.graphQLErrors.map((item) => codeOf(item.extensions)) ?? [];
}

/** Returns an answer without the errors of fields of a row that the caller may not see: the row itself is there. */
export function withoutNestedRefusals(result: OperationResult): OperationResult {
  return without(result, (item) => codeOf(item.extensions) === "forbidden" && (item.path?.length ?? 0) >= 2);
}

/** Returns an answer without the errors of modules that are off: what such a module has is null, as if there were none. */
export function withoutModulesOff(result: OperationResult): OperationResult {
  return without(result, (item) => codeOf(item.extensions) === "module_off");
}

function without(result: OperationResult, isLeftOut: (error: GraphQLError) => boolean): OperationResult {
  const errors = result.error?.graphQLErrors ?? [];
  const left = errors.filter((item) => !isLeftOut(item));
  if (left.length === errors.length) return result;
  const error =
    left.length > 0
      ? new CombinedError({ graphQLErrors: left, response: result.error?.response as unknown })
      : undefined;
  return { ...result, error };
}

/** Returns whether the field with this response name failed with this code. */
export function failedWith(error: CombinedError | undefined, field: string, code: string): boolean {
  return Boolean(
    error?.graphQLErrors.some((item) => item.path?.[0] === field && codeOf(item.extensions) === code),
  );
}

function headerOf(error: CombinedError, name: string): string | undefined {
  const response = error.response as Response | undefined;
  return response?.headers.get(name) ?? undefined;
}
