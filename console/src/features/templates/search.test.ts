import { describe, expect, it } from "vitest";
import { isFiltered, matching, parseSearch, searchParams, whereOf } from "./search";

describe("the search for templates", () => {
  it("is what the address says", () => {
    const search = parseSearch(new URLSearchParams({ q: " order ", archived: "1" }));
    expect(whereOf(search)).toEqual({ archived: { eq: true } });
    expect(searchParams(search).toString()).toBe("q=order&archived=1");
    expect(isFiltered(search)).toBe(true);
    expect(isFiltered(parseSearch(new URLSearchParams()))).toBe(false);
  });
  it("asks for each word in the name or in the key", () => {
    const rows = [
      { name: "Your order has left", key: "shipped" },
      { name: "Welcome", key: "welcome-order" },
      { name: "Invoice", key: "invoice" },
    ];
    expect(matching(rows, "ORDER").map(({ key }) => key)).toEqual(["shipped", "welcome-order"]);
    expect(matching(rows, "order shipped").map(({ key }) => key)).toEqual(["shipped"]);
    expect(matching(rows, " ")).toBe(rows);
  });
});
