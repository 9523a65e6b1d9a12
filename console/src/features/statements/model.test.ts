import { expect, it } from "vitest";
import { csvUrl, factsOf, monthName } from "./model";

const line = (kind: string, amount: string | null, more: object = {}) => ({
  kind,
  channel: "sms",
  category: "transactional",
  country: "DE",
  route: "sms-1",
  sender: null,
  project: null,
  projectName: null,
  messages: 1,
  parts: 2,
  amount,
  ...more,
});

const document = {
  account: { currency: "EUR" },
  balance: { opening: "10", net: "-0.5", late: "0", closing: "9.5" },
  totals: [
    { kind: "credit", entries: 1, messages: 0, parts: 0, amount: "1" },
    { kind: "free", entries: 0, messages: 4, parts: 4, amount: null },
  ],
  groupedBy: ["channel", "category", "country", "route", "sender", "project"],
  lines: [
    line("credit", "1", { channel: null, country: null, messages: 0, parts: 0 }),
    line("charge", "-0.1"),
    line("charge", "-0.2", { project: "p", projectName: "Sale" }),
    line("charge", "-1.3", { country: "US", channel: "email" }),
    line("refund", "0.1"),
    line("free", null, { country: "AT" }),
  ],
  late: [],
  differences: [],
};

it("adds up charges and refunds by each value", () => {
  const facts = factsOf(document);
  expect([facts.opening, facts.closing, facts.currency]).toEqual([10, 9.5, "EUR"]);
  expect(facts.totals[1]).toMatchObject({ kind: "free", messages: 4, amount: null });
  expect(facts.tables.country).toEqual([
    { value: "US", messages: 1, parts: 2, amount: -1.3 },
    { value: "DE", messages: 1, parts: 2, amount: -0.2 },
    { value: "AT", messages: 1, parts: 2, amount: 0 },
  ]);
  expect(facts.tables.project[1]).toMatchObject({ value: "Sale", uuid: "p", amount: -0.2 });
  expect(facts.tables.sender).toHaveLength(1);
});

it("has no rows of what a reduced statement is not grouped by", () => {
  const { tables } = factsOf({ ...document, groupedBy: ["channel", "category", "country", "route"] });
  expect([tables.sender, tables.project]).toEqual([[], []]);
  expect(tables.route).toHaveLength(1);
});

it("names months in UTC", () => {
  expect(monthName("2026-10", "en")).toBe("October 2026");
  expect(csvUrl("/x?expires=1")).toBe("/x?expires=1&format=csv");
});
