import { describe, expect, it } from "vitest";
import { audienceOf, finishOf, priceOf, rateOf, reaches, weekMinute, willSend } from "./plan";

const MINUTE = 60_000;
const monday = Date.UTC(2026, 10, 23, 8, 0); // Monday, 08:00 UTC
const free = { perMinute: null, perDay: 1e9, limit: "none" } as const;

describe("rateOf", () => {
  const tariff = { senders: 0, tariffPerMinute: 1e7, tariffPerDay: 1e7 };
  it("takes the lowest limit", () => {
    expect(rateOf({ ...tariff, perMinute: 60, perAccountPerMinute: null }).perMinute).toBe(60);
    expect(rateOf({ ...tariff, senders: 3, perMinute: 60, perAccountPerMinute: 5 })).toEqual({
      perMinute: 15,
      perDay: 1e7,
      limit: "senders",
    });
    expect(rateOf({ ...tariff, tariffPerMinute: 30, perMinute: 60, perAccountPerMinute: null }).limit).toBe(
      "tariff",
    );
  });
  it("knows when nothing limits it", () => {
    expect(rateOf({ ...tariff, perMinute: null, perAccountPerMinute: null }).perMinute).toBeNull();
  });
});

describe("finishOf", () => {
  const workdays = { days: [1, 2, 3, 4, 5], from: 9 * 60, to: 18 * 60 };
  it("divides by the rate", () => {
    expect(
      finishOf({
        count: 600,
        rate: { ...free, perMinute: 10 },
        startsAt: monday,
        week: null,
        timezone: "UTC",
      }),
    ).toEqual({ begins: monday, ends: monday + 60 * MINUTE });
  });
  it("waits for the window, in its zone", () => {
    const found = finishOf({
      count: 60,
      rate: { ...free, perMinute: 1 },
      startsAt: monday,
      week: workdays,
      timezone: "America/New_York", // 03:00 there
    });
    expect(found).toEqual({ begins: monday + 6 * 60 * MINUTE, ends: monday + 7 * 60 * MINUTE });
  });
  it("goes on when the window opens the next day", () => {
    const found = finishOf({
      count: 600,
      rate: { ...free, perMinute: 1 },
      startsAt: monday + 60 * MINUTE,
      week: workdays,
      timezone: "UTC",
    });
    expect(found?.ends).toBe(monday + (25 + 1) * 60 * MINUTE);
  });
  it("respects what the tariff allows in a day of UTC", () => {
    const found = finishOf({
      count: 150,
      rate: { ...free, perDay: 100 },
      startsAt: monday,
      week: null,
      timezone: "UTC",
    });
    expect(found).toEqual({ begins: monday, ends: monday + 16 * 60 * MINUTE });
  });
  it("gives up when the end is too far away", () => {
    const week = { days: [1], from: 0, to: 15 };
    const rate = { ...free, perMinute: 1 };
    expect(finishOf({ count: 1e6, rate, startsAt: monday, week, timezone: "UTC" })).toBeNull();
  });
  it("reads the local week", () => {
    expect(weekMinute(monday, "UTC")).toBe(8 * 60);
    expect(weekMinute(monday, "Asia/Tokyo")).toBe(17 * 60);
  });
});

describe("audienceOf", () => {
  const people = [
    { address: "+1", name: "Anna", variables: { city: "Bonn" } },
    { address: "+2", name: null, variables: { city: "" } },
    { address: "x@y", variables: {} },
    { address: "+3", variables: { city: "Ulm", name: "Ben" } },
  ];
  const options = { channel: "sms", blocked: new Set(["+1"]), required: ["name", "city"] };
  it("counts each recipient for one reason", () => {
    const found = audienceOf(people, { ...options, skip: true });
    expect(found).toMatchObject({ looked: 4, blocked: 1, unreachable: 1, lacking: 1 });
    expect(found.lacks).toEqual({ name: 2, city: 2 });
    expect(willSend(found, 4)).toBe(1);
    expect(willSend(found, 400)).toBe(100);
  });
  it("skips nobody for a value that may be empty", () => {
    expect(audienceOf(people, { ...options, skip: false }).lacking).toBe(0);
  });
  it("knows which addresses a channel reaches", () => {
    expect(reaches("email", "x@y")).toBe(true);
    expect(reaches("telegram", "@anna")).toBe(true);
    expect(reaches("whatsapp", "anna")).toBe(false);
  });
  it("finds prices", () => {
    expect(priceOf({ EUR: { sms: 0.05 } }, "EUR", "sms")).toBe(0.05);
    expect(priceOf({ EUR: {} }, "USD", "sms")).toBeUndefined();
  });
});
