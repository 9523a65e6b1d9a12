import { CombinedError } from "urql";
import { describe, expect, it } from "vitest";
import type { OperationResult } from "urql";
import {
  codesOf,
  elsewhere,
  fieldsOf,
  isLoggedOut,
  isNetworkError,
  NETWORK,
  problemOf,
  withoutModulesOff,
} from "./errors";

function failed(code: string, message: string, details?: unknown): CombinedError {
  return new CombinedError({ graphQLErrors: [{ message, extensions: { code, message, details } }] });
}

describe("problemOf", () => {
  it("sorts the broken rules by their fields", () => {
    const rules = [
      "body: string should have at least 1 character",
      "validSeconds: input should be at least 30",
    ];
    expect(problemOf(failed("validation_failed", rules.join("; "), { rules })).fields).toEqual({
      body: "string should have at least 1 character",
      validSeconds: "input should be at least 30",
    });
  });

  it("finds the field in a sentence, and keeps the whole sentence", () => {
    expect(fieldsOf("to must be a phone number, best written like +14155550100.", undefined)).toEqual({
      to: "to must be a phone number, best written like +14155550100.",
    });
    expect(fieldsOf("metadata.subject must not contain line breaks.", undefined)).toEqual({
      "metadata.subject": "metadata.subject must not contain line breaks.",
    });
    expect(fieldsOf("The balance is too low.", undefined)).toEqual({ "": "The balance is too low." });
  });

  it("distinguishes a server that does not answer from one that refuses", () => {
    const lost = new CombinedError({ networkError: new TypeError("Failed to fetch") });
    expect(isNetworkError(lost)).toBe(true);
    expect(problemOf(lost).code).toBe(NETWORK);
    expect(isNetworkError(failed("forbidden", "No."))).toBe(false);
  });

  it("knows the codes that end a login", () => {
    for (const code of ["unauthenticated", "invalid_token", "session_ended"]) {
      expect(isLoggedOut(failed(code, ""))).toBe(true);
    }
    expect(isLoggedOut(failed("forbidden", ""))).toBe(false);
  });
});

describe("an answer without the modules that are off", () => {
  const answer = (...codes: string[]) =>
    ({
      data: { eventFeed: null, me: { uuid: "1" } },
      error: new CombinedError({
        graphQLErrors: codes.map((code) => ({ message: code, extensions: { code } })),
      }),
    }) as unknown as OperationResult;

  it("has no error if nothing else is wrong", () => {
    expect(withoutModulesOff(answer("module_off", "module_off")).error).toBeUndefined();
  });
  it("keeps every other error", () => {
    expect(codesOf(withoutModulesOff(answer("module_off", "forbidden")).error)).toEqual(["forbidden"]);
  });
});

describe("elsewhere", () => {
  const problem = { code: "validation_failed", message: "No." };

  it("leaves to the fields what is shown at them", () => {
    expect(elsewhere({ ...problem, fields: { url: "bad" } }, ["url", "types"])).toBeNull();
    expect(elsewhere(null, ["url"])).toBeNull();
  });

  it("keeps what is about other fields, about none, or about nothing", () => {
    for (const fields of [{ url: "bad", query: "bad" }, { "": "No." }, {}] as Record<string, string>[]) {
      expect(elsewhere({ ...problem, fields }, ["url"])).not.toBeNull();
    }
  });
});
