import { describe, expect, it } from "vitest";
import type { PersonFragment } from "../../gql/graphql";
import { addressOn, isAddress, recipientOf, valuesOf } from "./person";

const ANNA: PersonFragment = {
  uuid: "00000000-0000-7000-8000-000000000001",
  name: "Anna",
  externalId: null,
  locale: "de",
  fields: { city: "Berlin" },
  addresses: [
    { channel: "email", address: "old@example.com", primary: false },
    { channel: "email", address: "anna@example.com", primary: true },
  ],
};

describe("a contact as a recipient", () => {
  it("is reached at its first choice", () => {
    expect(addressOn(ANNA, "email")).toBe("anna@example.com");
    expect(addressOn(ANNA, "sms")).toBeNull();
  });
  it("has the variables that the server gives it", () => {
    const recipient = recipientOf(ANNA, "email");
    expect(recipient).toEqual({
      address: "anna@example.com",
      name: "Anna",
      variables: { locale: "de", city: "Berlin" },
    });
    expect(valuesOf(recipient)).toEqual({ name: "Anna", locale: "de", city: "Berlin" });
  });
});

describe("isAddress", () => {
  it("knows phones and emails from names", () => {
    expect(["anna@example.com", "+1 415 555 0100", "Anna 2"].map(isAddress)).toEqual([true, true, false]);
  });
});
