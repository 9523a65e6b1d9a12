import { describe, expect, it } from "vitest";
import { behaviourOf, documentOf, STATES } from "./behaviour";

describe("the behaviour of an account", () => {
  it("is the server's own without a document", () => {
    const behaviour = behaviourOf({});
    expect(behaviour).toEqual({
      autoRead: false,
      takeover: false,
      reconnect: true,
      maxAttempts: null,
      quiet: [],
      states: [...STATES],
    });
    expect(documentOf(behaviour)).toEqual({});
  });

  it.each([
    { autoRead: true, takeover: true },
    { reconnect: { enabled: false } },
    { reconnect: { maxAttempts: 5 } },
    { quiet: { ignoreGroups: true, ignoreReactions: true } },
    { stateWebhooks: false },
    { stateWebhooks: { syncing: false } },
  ])("comes back as it was written: %j", (document) => {
    expect(documentOf(behaviourOf(document))).toEqual(document);
  });

  it("leaves out what is as the server has it", () => {
    const document = {
      autoRead: false,
      reconnect: { enabled: true },
      quiet: {},
      stateWebhooks: { failed: true },
    };
    expect(documentOf(behaviourOf(document))).toEqual({});
  });
});
