import { describe, expect, it } from "vitest";
import { kindsOf, loginFrom } from "./kinds";

describe("what can be connected", () => {
  it("is what the operator has enabled, and then what could be enabled", () => {
    const kinds = kindsOf([
      { source: "telegram", driver: "sandbox" },
      { source: "whatsapp", driver: "whatsapp_cloud" },
    ]);
    expect(kinds.map(({ id, enabled }) => [id, enabled])).toEqual([
      ["whatsapp-cloud", true],
      ["sandbox-telegram", true],
      ["telegram", false],
      ["whatsapp", false],
    ]);
  });
});

describe("the name of an account", () => {
  it("is a phone without its signs, or any other name as it is", () => {
    expect(loginFrom("+1 (415) 555-0100")).toBe("14155550100");
    expect(loginFrom(" shop ")).toBe("shop");
  });
});
