import { describe, expect, it } from "vitest";
import { clockOf, insideOf, minutesOf, toggled, weekBetween, weekOf, windowOf } from "./window";

describe("a drawn window", () => {
  it("is the rectangle of a stroke, in any direction", () => {
    const week = { days: [2, 3, 4], from: 540, to: 720 };
    expect(weekBetween({ day: 2, hour: 9 }, { day: 4, hour: 11 })).toEqual(week);
    expect(weekBetween({ day: 4, hour: 11 }, { day: 2, hour: 9 })).toEqual(week);
  });

  it("goes to the API's form and back", () => {
    const window = windowOf({ days: [1, 2], from: 570, to: 1440 }, "Europe/Berlin", true);
    expect(window).toEqual({
      timezone: "Europe/Berlin",
      recipientTimezone: true,
      days: [1, 2],
      from: "09:30",
      to: "24:00",
    });
    expect(weekOf({ days: [2, 1], from: "09:30", to: "24:00" })).toEqual({
      days: [1, 2],
      from: 570,
      to: 1440,
    });
    expect(weekOf({ days: [], from: "24:00", to: "08:00" })).toEqual({
      days: [1, 2, 3, 4, 5, 6, 7],
      from: 0,
      to: 480,
    });
    expect([clockOf(minutesOf("07:05")), clockOf(1440)]).toEqual(["07:05", "24:00"]);
  });

  it("colors the part of an hour that is inside", () => {
    const week = { days: [1], from: 570, to: 720 };
    expect(insideOf(week, { day: 1, hour: 9 })).toBe(0.5);
    expect(insideOf(week, { day: 1, hour: 10 })).toBe(1);
    expect(insideOf(week, { day: 1, hour: 12 })).toBe(0);
    expect(insideOf(week, { day: 2, hour: 10 })).toBe(0);
  });

  it("belongs to the day on which it opens when it crosses midnight", () => {
    const night = { days: [7], from: 22 * 60, to: 2 * 60 };
    expect(insideOf(night, { day: 7, hour: 23 })).toBe(1);
    expect(insideOf(night, { day: 1, hour: 1 })).toBe(1);
    expect(insideOf(night, { day: 7, hour: 1 })).toBe(0);
  });

  it("switches days, in their order", () => {
    const week = { days: [1, 3], from: 0, to: 60 };
    expect(toggled(week, 2).days).toEqual([1, 2, 3]);
    expect(toggled(week, 3).days).toEqual([1]);
  });
});
