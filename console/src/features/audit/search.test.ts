import { describe, expect, it } from "vitest";
import { isFiltered, parseSearch, searchParams, whereOf } from "./search";

describe("the search in the audit", () => {
  it("is in the address", () => {
    const search = parseSearch(
      new URLSearchParams({ operation: " blocks.block ", result: "refused", by: "me" }),
    );
    expect(searchParams(search).toString()).toBe("operation=blocks.block&result=refused&by=me");
    expect(whereOf(search, "me-uuid")).toEqual({
      operation: { eq: "blocks.block" },
      result: { eq: "refused" },
      actorId: { eq: "me-uuid" },
    });
  });
  it("asks for what another person did", () => {
    expect(whereOf(parseSearch(new URLSearchParams({ by: "u2" })), "u1")).toEqual({ actorId: { eq: "u2" } });
  });
  it("asks for nothing at first", () => {
    const search = parseSearch(new URLSearchParams({ result: "nonsense" }));
    expect(isFiltered(search)).toBe(false);
    expect(whereOf(search, "me-uuid")).toEqual({});
  });
});
