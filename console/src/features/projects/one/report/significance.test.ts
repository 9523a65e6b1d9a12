import { describe, expect, it } from "vitest";
import { compare, holm, needed, normal, pOf } from "./significance";

const arm = (hits: number, trials: number) => ({ hits, trials });

describe("the test of two proportions", () => {
  it("has the values of the tables", () => {
    expect(normal(0)).toBeCloseTo(0.5, 6);
    expect(normal(1.96)).toBeCloseTo(0.9750021, 6);
    expect(normal(-2.5758)).toBeCloseTo(0.005, 5);
    // R: prop.test(c(40, 60), c(200, 200), correct = FALSE) gives 0.02092
    expect(pOf(arm(40, 200), arm(60, 200))).toBeCloseTo(0.02092, 4);
    expect(pOf(arm(60, 200), arm(40, 200))).toBeCloseTo(0.02092, 4);
    expect(pOf(arm(0, 10), arm(0, 20))).toBe(1);
  });

  it("knows how many messages tell a difference apart", () => {
    // R: power.prop.test(p1 = 0.2, p2 = 0.3, power = 0.8) gives n = 293.15
    expect(needed(arm(20, 100), arm(30, 100))).toBe(294);
    expect(needed(arm(20, 100), arm(30, 100), 3)).toBeGreaterThan(294);
    expect(needed(arm(20, 100), arm(40, 200))).toBeNull();
  });

  it("corrects p-values by Holm's method", () => {
    // R: p.adjust(c(0.01, 0.04, 0.03), "holm") gives 0.03 0.06 0.06
    expect(holm([0.01, 0.04, 0.03]).map((p) => Number(p.toFixed(4)))).toEqual([0.03, 0.06, 0.06]);
    expect(holm([0.9, 0.8])).toEqual([1, 1]);
    expect(holm([])).toEqual([]);
  });
});

describe("a verdict", () => {
  it("names the better of two variants", () => {
    const verdict = compare([arm(40, 200), arm(60, 200)]);
    expect(verdict).toMatchObject({ kind: "best", best: 1, beaten: [0], open: [] });
    expect(verdict.kind === "best" && verdict.p).toBeCloseTo(0.0209, 4);
  });

  it("says what is missing if the difference may be chance", () => {
    expect(compare([arm(20, 100), arm(30, 100)])).toEqual({ kind: "early", best: 1, next: 0, needed: 294 });
    expect(compare([arm(20, 100), arm(20, 100)])).toEqual({ kind: "early", best: 0, next: 1, needed: null });
  });

  it("does not test a handful of outcomes", () => {
    expect(compare([arm(0, 50), arm(4, 50)])).toEqual({ kind: "few", best: 1, needed: 125 });
    expect(compare([arm(50, 50), arm(50, 50)])).toMatchObject({ kind: "few", needed: 505 });
  });

  it("believes the best of many later than the better of two", () => {
    const close = [arm(40, 200), arm(59, 200)];
    expect(compare(close).kind).toBe("best");
    expect(compare([...close, arm(45, 200), arm(50, 200)]).kind).toBe("early");
  });

  it("says which of several are beaten, and where it is too early", () => {
    const verdict = compare([arm(10, 200), arm(60, 200), arm(52, 200), arm(20, 200)]);
    expect(verdict).toMatchObject({ kind: "best", best: 1, beaten: [0, 3], open: [2] });
  });

  it("has nothing to say about one variant, or without an outcome", () => {
    for (const arms of [[], [arm(5, 10)], [arm(5, 10), arm(0, 0)], [arm(0, 10), arm(0, 10)]]) {
      expect(compare(arms)).toEqual({ kind: "nothing" });
    }
  });
});
