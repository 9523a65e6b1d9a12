import { describe, expect, it } from "vitest";
import { EMPTY, inputOf, patchOf } from "./draft";

describe("the settings of a webhook", () => {
  it("an empty document is the documented shape", () => {
    expect(inputOf({ ...EMPTY, url: " https://a.example ", query: "  " })).toMatchObject({
      url: "https://a.example",
      query: null,
    });
  });
  it("an edit sends only what was changed", () => {
    const before = { ...EMPTY, url: "https://a.example", types: ["a"] };
    expect(patchOf(before, { ...before, batch: 10 })).toEqual({ batch: 10 });
    expect(patchOf(before, { ...before, types: [] })).toEqual({ types: [] });
    expect(patchOf({ ...before, query: "subscription { events { type } }" }, before)).toEqual({
      query: null,
    });
    expect(patchOf(before, { ...before })).toEqual({});
  });
});
