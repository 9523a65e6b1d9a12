import { describe, expect, it } from "vitest";
import { placed } from "./placed";

const problem = (fields: Record<string, string>) => ({ code: "bad_request", message: "No.", fields });

describe("the sentences of a problem", () => {
  it("stand at the fields of the form", () => {
    const both = problem({ to: "to is no phone", "metadata.subject": "is too long" });
    expect(placed(both, ["to", "title"], { "metadata.subject": "title" })).toEqual({
      errors: { to: "to is no phone", title: "is too long" },
      elsewhere: null,
    });
  });
  it("are in a notice as soon as one is about no field of the form", () => {
    const other = problem({ to: "to is no phone", "": "The balance is empty" });
    expect(placed(other, ["to"])).toEqual({ errors: { to: "to is no phone" }, elsewhere: other });
    const none = problem({});
    expect(placed(none, ["to"])).toEqual({ errors: {}, elsewhere: none });
  });
});
