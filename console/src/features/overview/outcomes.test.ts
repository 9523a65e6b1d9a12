import { describe, expect, it } from "vitest";
import { causesOf, ENDS, listOf, numbersOf, type Outcome } from "./outcomes";

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
    expect(numbers).toEqual({ total: 12, delivered: 3, underway: 3, failed: 2, unknown: 1, unsent: 3 });
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

  it("say the most frequent cause first, and keep the two lists apart", () => {
    const failed = (...codes: (string | null)[]) => codes.map((failureCode) => ({ failureCode }));
    expect(causesOf({ direct: failed("a", null), project: failed("b", "b", "a") })).toEqual([
      { kind: "project", code: "b", count: 2 },
      { kind: "direct", code: "a", count: 1 },
      { kind: "project", code: "a", count: 1 },
    ]);
  });
});
