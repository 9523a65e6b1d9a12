import { expect, test } from "vitest";
import { mappingOf, monthOf } from "./invoice";

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
