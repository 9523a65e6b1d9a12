import { describe, expect, it } from "vitest";
import { healthOf } from "./health";

const STATUS = { lag: 0, ratePerSecond: 1, published: 5, missed: 0, replaying: false };
const FINE = { enabled: true, failures: 0, publishedAt: "2026-11-22T00:00:00Z", status: STATUS };

describe("the health of a sink", () => {
  it.each([
    [{}, "working"],
    [{ publishedAt: null }, "untried"],
    [{ status: { ...STATUS, lag: 1000 } }, "working"],
    [{ status: { ...STATUS, lag: 1001 } }, "behind"],
    [{ status: { ...STATUS, lag: 5000, replaying: true } }, "replaying"],
    [{ status: { ...STATUS, replaying: true }, failures: 1 }, "failing"],
    [{ failures: 9, enabled: false }, "off"],
  ])("%j is %s", (part, health) => {
    expect(healthOf({ ...FINE, ...part })).toBe(health);
  });
});
