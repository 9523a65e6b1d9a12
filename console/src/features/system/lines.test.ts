import { expect, test } from "vitest";
import { byAddress, filtered, type Line } from "./lines";

const line = (address: string, at: string, more: Partial<Line> = {}): Line => ({
  address,
  at,
  method: "GET",
  path: "/users",
  reason: "notListed",
  blocked: false,
  listed: false,
  ...more,
});

// The newest are first, as the API returns them.
const LINES = [
  line("203.0.113.9", "2026-01-01T12:00:03Z", { path: "/messages" }),
  line("10.0.0.1", "2026-01-01T12:00:02Z", { listed: true }),
  line("10.0.0.1", "2026-01-01T12:00:02Z", { listed: true }),
  line("10.0.0.1", "2026-01-01T12:00:02Z", { listed: true }),
  line("203.0.113.9", "2026-01-01T12:00:01Z"),
  line("203.0.113.9", "2026-01-01T12:00:00Z"),
  line("-", "2026-01-01T11:00:00Z", { reason: "noHeader" }),
];

test("requests are counted by address; those that would be refused come first", () => {
  const groups = byAddress(LINES);
  expect(groups.map(({ address, count }) => [address, count])).toEqual([
    ["203.0.113.9", 3],
    ["-", 1],
    ["10.0.0.1", 3],
  ]);
  expect(groups[0]?.lastAt).toBe("2026-01-01T12:00:03Z");
  expect(groups[0]?.paths).toEqual(["GET /users", "GET /messages"]);
  expect(groups[1]?.reason).toBe("noHeader");
});

test("a part of an address finds its requests", () => {
  expect(filtered(LINES, " 113.9 ")).toHaveLength(3);
  expect(filtered(LINES, "")).toHaveLength(LINES.length);
  expect(filtered(LINES, "198")).toEqual([]);
});
