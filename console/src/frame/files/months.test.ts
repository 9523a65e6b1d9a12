import { expect, test } from "vitest";
import { lastMonths } from "./months";

test("the newest months, over the turn of a year", () => {
  const months = lastMonths("en", new Date("2026-02-01T00:30:00+01:00"));
  expect(months.slice(0, 3)).toEqual([
    { value: "2026-01", label: "January 2026" },
    { value: "2025-12", label: "December 2025" },
    { value: "2025-11", label: "November 2025" },
  ]);
  expect(months).toHaveLength(24);
});
