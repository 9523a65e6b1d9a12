import { describe, expect, it } from "vitest";
import { isFiltered, parseSearch, searchParams, whereOf } from "./search";

describe("the search in users", () => {
  it("comes back from its address, without what nobody knows", () => {
    const address = { q: " Ada ", status: "invited,asleep", role: "boss", tariff: "gold" };
    const search = parseSearch(new URLSearchParams(address));
    expect(whereOf(search)).toEqual({
      text: { contains: "Ada" },
      status: { in: ["invited"] },
      tariffCode: { eq: "gold" },
    });
    expect(searchParams(search).toString()).toBe("q=Ada&status=invited&tariff=gold");
    expect(isFiltered(parseSearch(new URLSearchParams()))).toBe(false);
  });
});
