import { describe, expect, it } from "vitest";
import { stateOf } from "../../frame/ui/figures/AccountBadge";
import { ledgerParams, ledgerWhere, parseLedger, parseSearch, searchParams, whereOf } from "./search";

describe("the search in accounts", () => {
  it("comes back from its address, without what nobody knows", () => {
    const search = parseSearch(new URLSearchParams({ owner: "u1", plan: "pro,gold" }));
    expect(whereOf(search)).toEqual({ ownerId: { eq: "u1" }, plan: { in: ["pro"] } });
    expect(searchParams(search).toString()).toBe("owner=u1&plan=pro");
  });
});

describe("the search in a ledger", () => {
  it("has kinds and a time", () => {
    const search = parseLedger(new URLSearchParams({ kind: "credit,theft", from: "2026-01-02", until: "x" }));
    expect(ledgerWhere(search, 0)).toEqual({
      kind: { in: ["credit"] },
      createdAt: { gte: "2026-01-02T00:00:00.000Z" },
    });
    expect(parseLedger(ledgerParams(search))).toEqual(search);
  });
  it("counts a range back from now", () => {
    const search = parseLedger(new URLSearchParams({ range: "24h" }));
    expect(ledgerWhere(search, 86_400_000)).toEqual({
      grouped: { eq: true },
      createdAt: { gte: "1970-01-01T00:00:00.000Z" },
    });
  });
});

describe("the state of an account", () => {
  it("is low only below its limit", () => {
    expect(stateOf({ balance: 0, lowBalance: null })).toBe("empty");
    expect(stateOf({ balance: 4.99, lowBalance: 5 })).toBe("low");
    expect(stateOf({ balance: 5, lowBalance: 5 })).toBe("funded");
    expect(stateOf({ balance: 0.01 })).toBe("funded");
  });
});
