import { describe, expect, it } from "vitest";
import { healthOf } from "./health";

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
