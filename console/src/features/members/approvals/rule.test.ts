import { describe, expect, it } from "vitest";
import { draftOf, inputOf, isIncomplete, type Rule } from "./rule";

const RULE: Rule = {
  mode: "above",
  aboveRecipients: 100,
  aboveAmount: null,
  channels: ["email"],
  categories: [],
  selfApproval: false,
  updatedAt: null,
};

describe("the rule of approval in its form", () => {
  it("is sent as it was read if nothing was changed", () => {
    expect(inputOf(draftOf(RULE))).toEqual({
      mode: "above",
      aboveRecipients: 100,
      aboveAmount: null,
      channels: ["email"],
      categories: [],
      selfApproval: false,
    });
  });

  it("needs a number that is shown", () => {
    const draft = { ...draftOf(RULE), aboveRecipients: "", aboveAmount: 5 };
    expect(isIncomplete(draft, false)).toBe(false);
    expect(isIncomplete(draft, true)).toBe(true);
    expect(isIncomplete({ ...draft, mode: "always" }, true)).toBe(false);
    expect(isIncomplete({ ...draft, aboveRecipients: 0 }, true)).toBe(false);
  });
});
