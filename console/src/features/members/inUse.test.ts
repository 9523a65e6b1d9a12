import { describe, expect, it } from "vitest";
import { choicesOf, inUseOf, nothingKept, type InUse } from "./inUse";

const used = (kind: InUse["kind"]): InUse => ({ kind, credentialUuid: "1", name: "n", lastUsedAt: null });

describe("credentials in use", () => {
  it("are those of the error that asks about them", () => {
    const credentials = [used("hook_key")];
    const problem = { code: "credentials_in_use", message: "", fields: {}, details: { credentials } };
    expect(inUseOf(problem)).toEqual(credentials);
    expect(inUseOf({ ...problem, code: "conflict" })).toEqual([]);
    expect(inUseOf(null)).toEqual([]);
  });

  it("have one choice for all of a kind", () => {
    const credentials = [used("hook_key"), used("hook_secret"), used("webhook"), used("event_sink")];
    expect(choicesOf(credentials)).toEqual(["keepHookSecrets", "keepWebhooks"]);
    expect(nothingKept(credentials)).toEqual({ keepHookSecrets: false, keepWebhooks: false });
  });
});
