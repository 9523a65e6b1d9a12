import { expect, test } from "vitest";
import { parseSearch, searchParams, whereOf } from "./search";
import { addressesOf, linesOf, textOf, valueOf } from "./values";

test("texts and values of fields", () => {
  expect(valueOf("number", " 7.5 ")).toBe(7.5);
  expect(valueOf("number", "many")).toBe("many");
  expect(valueOf("bool", "false")).toBe(false);
  expect(valueOf("list", "tea, jazz,,")).toEqual(["tea", "jazz"]);
  expect(valueOf("date", "  ")).toBeNull();
  expect([textOf(null), textOf(7), textOf(["a", "b"])]).toEqual(["", "7", "a, b"]);
});

test("lines of addresses", () => {
  const lines = "anna@example.com\n+1 415 555 0100\nwhatsapp +14155550100\n@anna_b";
  const addresses = addressesOf(`${lines}\n\n`);
  expect(addresses.map(({ channel }) => channel)).toEqual(["email", "sms", "whatsapp", "telegram"]);
  expect(linesOf(addresses)).toBe(lines);
});

test("the search is in the address", () => {
  const search = { text: "berg", channel: "sms", field: "points", value: "7" } as const;
  expect(parseSearch(searchParams(search))).toEqual(search);
  expect(whereOf(search, Number)).toEqual({
    name: { contains: "berg" },
    channel: { eq: "sms" },
    fields: [{ key: "points", eq: 7 }],
  });
});
