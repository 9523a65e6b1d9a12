import { describe, expect, it } from "vitest";
import { orderOf, parseSearch, searchParams, whereOf } from "./search";

describe("the search for files", () => {
  it("is what the address says", () => {
    const search = parseSearch(new URLSearchParams({ q: " list ", order: "largest" }));
    expect(whereOf(search)).toEqual({ name: { contains: "list" } });
    expect(orderOf(search)).toEqual({ field: "size", direction: "desc" });
    expect(searchParams(search).toString()).toBe("q=list&order=largest");
  });
  it("begins with the newest of all files", () => {
    const search = parseSearch(new URLSearchParams({ order: "nonsense" }));
    expect(whereOf(search)).toEqual({});
    expect(orderOf(search)).toEqual({ field: "createdAt", direction: "desc" });
    expect(searchParams(search).toString()).toBe("");
  });
});
