import { describe, expect, it } from "vitest";
import { healthOf, nextTry } from "./health";

const FINE = {
  enabled: true,
  failures: 0,
  replaying: false,
  waiting: 0,
  deliveredAt: "2026-11-22T00:00:00Z",
};

describe("the health of a webhook", () => {
  it.each([
    [{}, "working"],
    [{ deliveredAt: null }, "untried"],
    [{ waiting: 3 }, "waiting"],
    [{ waiting: 3, failures: 2 }, "failing"],
    [{ replaying: true, waiting: 3 }, "replaying"],
    [{ enabled: false, failures: 9 }, "off"],
  ])("%j is %s", (part, health) => {
    expect(healthOf({ ...FINE, ...part })).toBe(health);
  });
});

describe("the next try of a delivery", () => {
  const early = "2026-11-22T00:00:00Z";
  const late = "2026-11-22T00:05:00Z";
  it("waits for the endpoint and for its own time", () => {
    const waiting = { state: "waiting", attempts: 1, nextAt: early };
    expect(nextTry({ nextAt: late }, waiting)).toBe(late);
    expect(nextTry({ nextAt: null }, waiting)).toBe(early);
    expect(nextTry({ nextAt: late }, { ...waiting, state: "delivered" })).toBeNull();
  });
});
