import { describe, expect, it } from "vitest";
import { parseSearch, searchParams, whereOf } from "./search";

describe("the search for rules", () => {
  it("is what the address says", () => {
    const search = parseSearch(new URLSearchParams("route=sms-1&route=a, b&route="));
    expect(whereOf(search)).toEqual({ route: { in: ["sms-1", "a, b"] } });
    expect(parseSearch(searchParams(search))).toEqual(search);
  });
  it("asks for all rules without a filter", () => {
    expect(whereOf(parseSearch(new URLSearchParams()))).toEqual({});
  });
});
