import { describe, expect, it } from "vitest";
import { addressesFor, choicesFor } from "./addresses";

const DOMAINS = ["example.com", "shop.example"];

describe("choicesFor", () => {
  it("begins with the listed senders that match", () => {
    const listed = ["News <news@example.com>", "help@shop.example"];
    expect(choicesFor("", listed, DOMAINS)).toEqual(listed);
    expect(choicesFor("HELP", listed, DOMAINS)).toEqual([
      "help@shop.example",
      "HELP@example.com",
      "HELP@shop.example",
    ]);
    expect(choicesFor("help@shop.example", listed, DOMAINS)).toEqual(["help@shop.example"]);
  });
});

describe("addressesFor", () => {
  it("adds each domain to the part before the @", () => {
    expect(addressesFor("news", DOMAINS)).toEqual(["news@example.com", "news@shop.example"]);
    expect(addressesFor("news@S", DOMAINS)).toEqual(["news@shop.example"]);
  });

  it("keeps the name", () => {
    expect(addressesFor("The shop <news", DOMAINS)).toEqual([
      "The shop <news@example.com>",
      "The shop <news@shop.example>",
    ]);
    expect(addressesFor("Shop <news@example.com>", DOMAINS)).toEqual(["Shop <news@example.com>"]);
  });

  it("has nothing for what is no address", () => {
    expect(addressesFor("", DOMAINS)).toEqual([]);
    expect(addressesFor("two words", DOMAINS)).toEqual([]);
    expect(addressesFor("news@elsewhere.test", DOMAINS)).toEqual([]);
  });
});
