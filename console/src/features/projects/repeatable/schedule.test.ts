import { describe, expect, it } from "vitest";
import { planOf, scheduleOf, type Plan } from "./schedule";

const plan: Plan = { frequency: "day", weekday: 7, monthday: 15, at: "09:05", cron: "", timezone: "UTC" };

describe("a schedule", () => {
  it.each([
    ["day", "5 9 * * *"],
    ["workday", "5 9 * * 1-5"],
    ["week", "5 9 * * 0"],
    ["month", "5 9 15 * *"],
  ] as const)("of every %s is cron, and is recognized again", (frequency, cron) => {
    expect(scheduleOf({ ...plan, frequency })).toEqual({ cron, timezone: "UTC", misfire: "skip" });
    expect(planOf(cron, "UTC")).toMatchObject({ frequency, at: "09:05" });
  });

  it("of another form stays as it is written", () => {
    expect(scheduleOf({ ...plan, frequency: "cron", cron: " */5 * * * * " }).cron).toBe("*/5 * * * *");
    expect(planOf("*/5 * * * *", "UTC")).toBeNull();
    expect(planOf("0 9 1 * 1", "UTC")).toBeNull();
  });
});
