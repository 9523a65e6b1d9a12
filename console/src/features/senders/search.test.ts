import { describe, expect, it } from "vitest";
import { isFiltered, parseSearch, searchParams, whereOf } from "./search";

describe("the search for senders", () => {
  it("is what the address says", () => {
    const search = parseSearch(new URLSearchParams({ q: " shop ", status: "blocked,deleted,nonsense" }));
    expect(whereOf(search)).toEqual({ text: { contains: "shop" }, status: { in: ["blocked"] } });
    expect(searchParams(search).toString()).toBe("q=shop&status=blocked");
    expect(isFiltered(search)).toBe(true);
  });
  it("asks for all senders without a filter", () => {
    const search = parseSearch(new URLSearchParams());
    expect(whereOf(search)).toEqual({});
    expect(isFiltered(search)).toBe(false);
  });
});
