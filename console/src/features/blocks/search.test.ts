import { describe, expect, it } from "vitest";
import { parseSearch, searchParams, whereOf } from "./search";

describe("the search in the block list", () => {
  it("finds phones however they are written", () => {
    const search = parseSearch(new URLSearchParams({ q: "+49 151 (123)", reason: "optOut,nonsense" }));
    expect(whereOf(search)).toEqual({ text: { contains: "+49151123" }, reason: { in: ["optOut"] } });
    expect(searchParams(search).get("reason")).toBe("optOut");
  });
  it("ignores case in addresses", () => {
    expect(whereOf(parseSearch(new URLSearchParams({ q: "Anna@" })))).toEqual({
      text: { contains: "anna@" },
    });
  });
});
