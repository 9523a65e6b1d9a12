import { describe, expect, it } from "vitest";
import { isFiltered, parseSearch, searchParams, whereOf } from "./search";

describe("the search among messenger accounts", () => {
  it("is in the address, without what it does not know", () => {
    const search = parseSearch(new URLSearchParams({ q: " shop ", state: "down", source: "icq" }));
    expect(search).toEqual({ text: " shop ", source: null, group: "down" });
    expect(searchParams(search).toString()).toBe("q=shop&state=down");
    expect(isFiltered(search)).toBe(true);
    expect(isFiltered(parseSearch(new URLSearchParams()))).toBe(false);
  });
  it("finds phones however they are written", () => {
    const where = whereOf(parseSearch(new URLSearchParams({ q: "+1 (500) 555-1001" })));
    expect(where).toEqual({ text: { contains: "15005551001" } });
  });
  it("asks for all states of a group", () => {
    const where = whereOf(parseSearch(new URLSearchParams({ state: "down", source: "whatsapp" })));
    expect(where).toEqual({
      source: { eq: "whatsapp" },
      state: { in: ["failed", "loggedOut", "blocked"] },
    });
  });
});
