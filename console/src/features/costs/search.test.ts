import { expect, test } from "vitest";
import { inputOf, parseSearch, searchParams } from "./search";

const NOW = Date.parse("2026-11-30T12:00:00Z");

test("an address names period and group; the default is 30 days by country", () => {
  const plain = parseSearch(new URLSearchParams("group=moon"));
  expect(plain).toEqual({ range: "30d", from: null, until: null, group: "country" });
  expect(inputOf(plain, NOW)).toMatchObject({ groupBy: ["country"], dateFrom: "2026-10-31T12:00:00.000Z" });
  const search = parseSearch(new URLSearchParams("from=2026-11-01T00:00:00Z&group=route"));
  expect(inputOf(search, NOW)).toMatchObject({
    groupBy: ["route"],
    dateFrom: "2026-11-01T00:00:00.000Z",
    dateTo: null,
  });
  expect(parseSearch(searchParams(search))).toEqual(search);
  const both = parseSearch(new URLSearchParams("group=country,route"));
  expect(inputOf(both, NOW).groupBy).toEqual(["country", "route"]);
  expect(parseSearch(searchParams(both))).toEqual(both);
});
