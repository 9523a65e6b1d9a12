import { describe, expect, it } from "vitest";
import type { MessengerDriver } from "../../../gql/graphql";
import { kindsOf, loginFrom } from "./kinds";

describe("what can be connected", () => {
  it("is what the operator has enabled, and then what could be enabled", () => {
    const kinds = kindsOf([
      { source: "telegram", driver: "sandbox", label: "Sandbox", about: "" },
      { source: "whatsapp", driver: "whatsapp_cloud", label: "WhatsApp Cloud API", about: "" },
    ]);
    expect(kinds.map(({ id, enabled }) => [id, enabled])).toEqual([
      ["whatsapp-cloud", true],
      ["sandbox-telegram", true],
      ["telegram", false],
      ["whatsapp", false],
    ]);
  });
});

describe("a driver that the console does not know", () => {
  it("is offered with the texts of the API", () => {
    const known = { label: "Signal, as a linked device", about: "You need the phone." };
    const driver = "signal" as MessengerDriver; // a later API has it
    const [kind] = kindsOf([{ source: "telegram", driver, ...known }]);
    expect(kind).toEqual({ id: "signal-telegram", source: "telegram", driver, enabled: true, ...known });
  });
});

describe("the name of an account", () => {
  it("is a phone without its signs, or any other name as it is", () => {
    expect(loginFrom("+1 (415) 555-0100")).toBe("14155550100");
    expect(loginFrom(" shop ")).toBe("shop");
  });
});
