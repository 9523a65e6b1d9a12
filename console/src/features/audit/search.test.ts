import { describe, expect, it } from "vitest";
import { exportFilters, isFiltered, parseSearch, searchParams, whereOf } from "./search";

const NOW = Date.parse("2026-11-25T12:00:00Z");

describe("the search in the audit", () => {
  it("is in the address", () => {
    const search = parseSearch(
      new URLSearchParams({ operation: " blocks.block ", result: "refused", by: "me" }),
    );
    expect(searchParams(search).toString()).toBe("operation=blocks.block&result=refused&by=me");
    expect(whereOf(search, "me-uuid", NOW)).toEqual({
      operation: { eq: "blocks.block" },
      result: { eq: "refused" },
      actorId: { eq: "me-uuid" },
    });
  });
  it("asks for what another person did", () => {
    expect(whereOf(parseSearch(new URLSearchParams({ by: "u2" })), "u1", NOW)).toEqual({
      actorId: { eq: "u2" },
    });
  });
  it("gives an export the same filter", () => {
    const search = parseSearch(new URLSearchParams({ object: "42", by: "me", range: "24h" }));
    expect(whereOf(search, "u1", NOW).createdAt).toEqual({ gte: "2026-11-24T12:00:00.000Z" });
    expect(exportFilters(search, "u1", NOW)).toEqual({
      objectId: "42",
      actorId: "u1",
      dateFrom: "2026-11-24T12:00:00.000Z",
    });
  });
  it("asks for nothing at first", () => {
    const search = parseSearch(new URLSearchParams({ result: "nonsense" }));
    expect(isFiltered(search)).toBe(false);
    expect(whereOf(search, "me-uuid", NOW)).toEqual({});
  });
});
