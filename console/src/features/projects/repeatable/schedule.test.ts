import { describe, expect, it } from "vitest";
import { firstPlan, planOf, planOfSchedule, scheduleOf, type Plan } from "./schedule";

const plan: Plan = { ...firstPlan(), weekday: 7, monthday: 15, at: "09:05", timezone: "UTC" };
const range = { startAt: null, endAt: null, maxRuns: null, misfire: "skip" } as const;

describe("a schedule", () => {
  it.each([
    ["day", "5 9 * * *"],
    ["workday", "5 9 * * 1-5"],
    ["week", "5 9 * * 0"],
    ["month", "5 9 15 * *"],
  ] as const)("of every %s is cron, and is recognized again", (frequency, cron) => {
    expect(scheduleOf({ ...plan, frequency })).toEqual({ cron, timezone: "UTC", ...range });
    expect(planOf(cron, "UTC")).toMatchObject({ frequency, at: "09:05" });
  });

  it("that was saved is changed only where somebody changes it", () => {
    const saved = { cron: "5 9 15 * *", timezone: "Asia/Tokyo", misfire: "one", maxRuns: 3 } as const;
    expect(scheduleOf(planOfSchedule(saved))).toEqual({ ...range, ...saved });
    const rule = {
      rrule: "FREQ=YEARLY",
      timezone: "UTC",
      misfire: "skip",
      endAt: "2027-01-01T00:00:00Z",
    } as const;
    expect(planOfSchedule(rule).frequency).toBe("rrule");
    expect(scheduleOf(planOfSchedule(rule))).toEqual({ ...range, ...rule });
    expect(scheduleOf({ ...planOfSchedule(rule), frequency: "day", at: "01:00" }).cron).toBe("0 1 * * *");
  });

  it("of another form stays as it is written", () => {
    expect(scheduleOf({ ...plan, frequency: "cron", cron: " */5 * * * * " }).cron).toBe("*/5 * * * *");
    expect(planOf("*/5 * * * *", "UTC")).toBeNull();
    expect(planOf("0 9 1 * 1", "UTC")).toBeNull();
  });
});
