import { expect, it } from "vitest";
import { factsOf } from "./reconciliation";

it("reads numbers and amounts of a document", () => {
  const total = (count: number) => ({ total: count, causes: [] });
  const facts = factsOf({
    counts: {
      materialised: 10,
      sent: { ...total(6), delivered: 4 },
      skipped: total(1),
      failed: total(2),
      unknown: total(1),
      canceled: total(0),
    },
    money: { currency: "USD", charged: "1.25", refunded: "0.25", net: "1", prices: "1", groups: [] },
    differences: [{ what: "money", counted: "1", recorded: "2" }],
  });
  expect(facts.counts).toEqual({ materialised: 10, sent: 6, skipped: 1, failed: 2, unknown: 1, canceled: 0 });
  expect([facts.charged, facts.refunded, facts.prices, facts.currency]).toEqual([1.25, 0.25, 1, "USD"]);
  expect(facts.differences).toHaveLength(1);
});
