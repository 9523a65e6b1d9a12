import { describe, expect, it } from "vitest";
import type { OneMessageQuery } from "../../../gql/graphql";
import { failureGroup } from "../../../frame/failure/failure";
import { storyOf } from "./story";

const message: NonNullable<OneMessageQuery["message"]> = {
  uuid: "m",
  direction: "outbound",
  channel: "email",
  to: "a@example.com",
  sender: null,
  body: "Hello",
  metadata: { subject: "Subject" },
  deliveryState: "failed",
  failureCode: "invalid_recipient",
  sendAt: null,
  price: 0.001,
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:03.000Z",
  accountId: "a",
  category: "transactional",
  trial: false,
  segments: 1,
  attempts: 1,
  provider: "smtp",
  providerMessageId: null,
  failureReason: "No such mailbox.",
  sentAt: "2026-01-01T00:00:01.000Z",
  deliveredAt: null,
  failedAttempts: [],
  steps: null,
  webhookDeliveries: { nodes: [] },
  mailReports: { nodes: [] },
  ledgerEntries: [],
  account: { uuid: "a", name: "Main", currency: "USD" },
};

describe("storyOf", () => {
  it("lists the states of a message that bounced, in their order", () => {
    const story = storyOf({ message, messageRecord: null });
    expect(story?.steps.map((step) => step.name)).toEqual(["accepted", "sent", "failed"]);
    expect(story?.open).toBe(false);
    expect(story?.title).toBe("Subject");
  });

  it("has each attempt that failed before", () => {
    const failedAttempts = [
      { at: "2026-01-01T00:00:00.500Z", code: "down", reason: null, provider: "smtp" },
      { at: "2026-01-01T00:00:00.700Z", code: "busy", reason: "Come back later.", provider: null },
    ];
    const story = storyOf({ message: { ...message, failedAttempts }, messageRecord: null });
    expect(story?.steps.map(({ name, detail }) => [name, detail])).toEqual([
      ["accepted", undefined],
      ["attempt", "smtp: down"],
      ["attempt", "Come back later."],
      ["sent", undefined],
      ["failed", undefined],
    ]);
  });

  it("is canceled only before it is handed over", () => {
    const cancelable = (deliveryState: "scheduled" | "queued" | "sending" | "sent") =>
      storyOf({ message: { ...message, deliveryState }, messageRecord: null })?.cancelable;
    expect((["scheduled", "queued", "sending", "sent"] as const).map(cancelable)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it("waits for the end of a message that is unknown", () => {
    const story = storyOf({ message: { ...message, deliveryState: "unknown" }, messageRecord: null });
    expect(story?.open).toBe(true);
  });

  it("is null if there is no message", () => {
    expect(storyOf({ message: null, messageRecord: null })).toBeNull();
  });
});

describe("failureGroup", () => {
  it("knows what to do about a code, and has an answer for codes it does not know", () => {
    expect(failureGroup("invalid_recipient")).toBe("recipient");
    expect(failureGroup("something_new")).toBe("other");
  });
});
