import { describe, expect, it } from "vitest";
import { causesOf, ENDS, endsOf, listOf, numbersOf, type Outcome } from "./outcomes";

const none: Outcome = {
  kind: "direct",
  channel: "sms",
  total: 0,
  queued: 0,
  sending: 0,
  sent: 0,
  delivered: 0,
  read: 0,
  failed: 0,
  skipped: 0,
  unknown: 0,
  canceled: 0,
};
const FROM = "2026-01-01T10:00:00Z";

describe("the numbers of the overview", () => {
  it("have one denominator: the ends add up to all messages", () => {
    const numbers = numbersOf([
      { ...none, total: 9, queued: 1, sending: 1, sent: 1, delivered: 2, failed: 2, unknown: 1, canceled: 1 },
      { ...none, kind: "project", total: 3, read: 1, skipped: 2 },
    ]);
    expect(numbers).toEqual({
      total: 12,
      delivered: 3,
      accepted: 0,
      underway: 3,
      failed: 2,
      unknown: 1,
      unsent: 3,
    });
    expect(ENDS.reduce((sum, end) => sum + numbers[end], 0)).toBe(numbers.total);
  });

  it("lead to the list with the same states, period and channel", () => {
    const query = (address: string) => Object.fromEntries(new URL(address, "http://a").searchParams);
    expect(query(listOf("direct", "delivered", FROM, null))).toEqual({
      status: "delivered",
      direction: "outbound",
      from: FROM,
    });
    expect(query(listOf("project", "unsent", FROM, "email"))).toEqual({
      kind: "project",
      status: "skipped,canceled",
      channel: "email",
      direction: "outbound",
      from: FROM,
    });
    expect(query(listOf("direct", "total", FROM, null))).toEqual({ direction: "outbound", from: FROM });
  });

  it("call a message accepted, and not on the way, where its channel reports no delivery", () => {
    const silent = new Set(["email"]);
    const outcomes: Outcome[] = [
      { ...none, channel: "email", total: 4, queued: 1, sent: 3 },
      { ...none, total: 2, sent: 1, delivered: 1 },
    ];
    const numbers = numbersOf(outcomes, silent);
    expect(numbers).toEqual({
      total: 6,
      delivered: 1,
      accepted: 3,
      underway: 2,
      failed: 0,
      unknown: 0,
      unsent: 0,
    });
    expect(endsOf(numbers)).toEqual(["total", "delivered", "accepted", "underway", "failed", "unknown"]);
    expect(endsOf(numbersOf(outcomes.slice(0, 1), silent))).not.toContain("delivered");
    expect(endsOf(numbersOf(outcomes))).not.toContain("accepted");
    const query = (address: string) => Object.fromEntries(new URL(address, "http://a").searchParams);
    expect(query(listOf("project", "accepted", FROM, null, silent))).toMatchObject({
      status: "sent",
      channel: "email",
    });
    expect(query(listOf("project", "underway", FROM, "email", silent)).status).toBe("queued,sending");
    expect(query(listOf("project", "underway", FROM, null, silent)).channel).not.toContain("email");
  });

  it("say the most frequent cause first, and keep the two lists apart", () => {
    const failed = (...codes: (string | null)[]) => codes.map((failureCode) => ({ failureCode }));
    expect(causesOf({ direct: failed("a", null), project: failed("b", "b", "a") })).toEqual([
      { kind: "project", code: "b", count: 2 },
      { kind: "direct", code: "a", count: 1 },
      { kind: "project", code: "a", count: 1 },
    ]);
  });
});
