import { describe, expect, it } from "vitest";
import { EMPTY, fieldsOf, inputOf, metadataOf } from "./draft";

const ALL = {
  ...EMPTY,
  to: " +14155550100 ",
  body: "Hello",
  title: "News",
  from: "shop@example.com",
  sender: "Shop",
  replyTo: "help@example.com",
  source: "00000000-0000-7000-8000-000000000001",
};
const SENT = { to: "+14155550100", body: "Hello", accountId: null };

describe("a message that is written", () => {
  it("has of each field only what its channel serves", () => {
    expect(inputOf(ALL)).toEqual({ ...SENT, channel: "sms", sender: "Shop" });
    expect(inputOf({ ...ALL, channel: "email" })).toEqual({
      ...SENT,
      channel: "email",
      from: "shop@example.com",
      replyTo: "help@example.com",
      metadata: { subject: "News" },
    });
    expect(inputOf({ ...ALL, channel: "push" })).toEqual({
      ...SENT,
      channel: "push",
      metadata: { title: "News" },
    });
    expect(inputOf({ ...ALL, channel: "whatsapp" })).toEqual({
      ...SENT,
      channel: "whatsapp",
      fromAccount: ALL.source,
    });
  });
  it("is sent at the time of the browser's zone, or at once", () => {
    expect(inputOf({ ...ALL, sendAt: "2030-01-02T10:00" }).sendAt).toBe(
      new Date("2030-01-02T10:00").toISOString(),
    );
    expect(inputOf(ALL)).not.toHaveProperty("sendAt");
    expect(fieldsOf({ ...ALL, sendAt: "2030-01-02T10:00" })).toContain("sendAt");
  });
  it("is written again with what its metadata name", () => {
    expect(metadataOf({ replyTo: "help@example.com", messenger_account: "x" })).toEqual({
      replyTo: "help@example.com",
      source: "x",
    });
    expect(metadataOf(null)).toEqual({ replyTo: "", source: null });
  });
});
