import { describe, expect, it } from "vitest";
import { draftOf, inputOf, isValid, patchOf } from "./draft";

const TARIFF = {
  code: "gold",
  name: "Gold",
  public: true,
  maxConcurrentProjects: 1,
  maxRecipientsPerProject: 2,
  messagesPerDay: 3,
  messagesPerMinute: 4,
  channels: ["sms" as const, "email" as const],
  prices: { USD: { sms: 0.01, email: 0.001 } },
  priceListId: null,
};
const before = draftOf(TARIFF);

describe("the form of a tariff", () => {
  it("sends nothing that was not changed", () => {
    expect(patchOf(before, before)).toEqual({});
    expect(patchOf(before, { ...before, name: " Gold " })).toEqual({});
    expect(patchOf(before, { ...before, limits: { ...before.limits, messagesPerDay: "5 000" } })).toEqual({
      messagesPerDay: 5000,
    });
  });
  it("takes the prices of a channel away together with the channel", () => {
    expect(patchOf(before, { ...before, channels: ["email"] })).toEqual({
      channels: ["email"],
      prices: { USD: { email: "0.001" } },
    });
  });
  it("sends all of a new tariff", () => {
    expect(inputOf({ ...draftOf(null), name: "New" })).toEqual({
      name: "New",
      public: false,
      channels: ["sms", "email", "push", "telegram", "whatsapp"],
      prices: { USD: {} },
      priceListId: null,
      messagesPerDay: 10_000_000,
      messagesPerMinute: 10_000_000,
      maxConcurrentProjects: 100,
      maxRecipientsPerProject: 10_000_000,
    });
  });
  it("is not saved with a price that nobody can read, unless its channel is not chosen", () => {
    const draft = { ...before, rows: [{ currency: "USD", prices: { sms: "cheap" } }] };
    expect([isValid(before), isValid(draft), isValid({ ...draft, channels: ["email"] })]).toEqual([
      true,
      false,
      true,
    ]);
    expect(isValid({ ...before, rows: [{ currency: "", prices: { sms: "1" } }] })).toBe(false);
  });
});
