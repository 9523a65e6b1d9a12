import { describe, expect, it } from "vitest";
import { lastsFor, rateOf, trustOf } from "./plan";

describe("rateOf", () => {
  const free = { perMinute: null, perAccountPerMinute: null, senders: 0, tariffPerMinute: 1e7 };
  it("takes the lowest limit", () => {
    expect(rateOf({ ...free, perMinute: 60 })).toBe(60);
    expect(rateOf({ ...free, senders: 3, perMinute: 60, perAccountPerMinute: 5 })).toBe(15);
    expect(rateOf({ ...free, tariffPerMinute: 30, perMinute: 60 })).toBe(30);
  });
  it("knows when nothing limits it", () => {
    expect(rateOf(free)).toBeNull();
    expect(rateOf({ ...free, perAccountPerMinute: 5 })).toBeNull();
  });
});

describe("lastsFor", () => {
  const plan = (amount: number, exact = true) => ({
    exact,
    toSend: 96_000,
    cost: { currency: "EUR", price: 0.01, amount, atMost: amount, parts: 1, byCountry: [] },
  });
  it("says how many messages the balance pays", () => {
    expect(lastsFor(plan(960), 98.765)).toBe(9876);
    expect(lastsFor(plan(960, false), 98.765)).toBe(9800);
    expect(lastsFor(plan(960), 0)).toBe(0);
    expect(lastsFor(plan(0.3), 0.1)).toBe(32_000);
  });
  it("says nothing if it pays all, or there is no price", () => {
    expect(lastsFor(plan(960), 960)).toBeNull();
    expect(lastsFor({ ...plan(960), cost: null }, 1)).toBeNull();
  });
});

describe("trustOf", () => {
  const cost = { currency: "EUR", price: 0.05, amount: 10, atMost: 10, parts: 1, byCountry: [] };
  it("has one cost if every recipient was examined", () => {
    expect(trustOf({ exact: true, cost })).toEqual({ exact: true, cost: 10, atMost: null });
  });
  it("has a bound if the cost is extrapolated", () => {
    expect(trustOf({ exact: false, cost: { ...cost, atMost: 30 } }).atMost).toBe(30);
  });
  it("has no cost without a price", () => {
    expect(trustOf({ exact: true, cost: null }).cost).toBeNull();
  });
});
