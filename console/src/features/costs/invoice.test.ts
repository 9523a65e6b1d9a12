import { expect, test } from "vitest";
import { makeFormat } from "../../frame/values/format";
import { amountOf, mappingOf, monthOf } from "./invoice";

const NONE = { messageId: "", phone: " ", at: "", parts: "", price: "" };

test("columns are found by their names if none is named", () => {
  expect(mappingOf(NONE)).toBeNull();
  expect(mappingOf({ ...NONE, messageId: " SID " })).toEqual({
    messageId: "SID",
    phone: null,
    at: null,
    parts: null,
    price: null,
  });
});

test("the month is the one before", () => {
  expect(monthOf(new Date("2026-01-31T23:00:00Z"))).toBe("2025-12");
  expect(monthOf(new Date("2026-12-01T00:00:00Z"))).toBe("2026-11");
});

test("amounts have all their digits, also without a currency", () => {
  const format = makeFormat("en", "UTC");
  expect(amountOf(format, 0.012, null)).toBe("0.012");
  expect(amountOf(format, 3.2215, "USD")).toBe("$3.2215");
});
