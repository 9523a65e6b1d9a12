import { describe, expect, it } from "vitest";
import { internationalPhone, phoneIn, plainPhone, usernameIn } from "./phone";

describe("phones", () => {
  it("are read however people write them", () => {
    expect(phoneIn(" +1 (415) 555-0100 ")).toBe("+14155550100");
    expect(phoneIn("4155550100")).toBe("4155550100");
    expect(phoneIn("1234")).toBeNull();
    expect(phoneIn("123456", 7)).toBeNull();
    expect(phoneIn("1234567890123456")).toBeNull();
    expect(phoneIn("anna@example.com")).toBeNull();
  });

  it("are international with + or 00", () => {
    expect(internationalPhone("00 1 415 555 0100")).toBe("+14155550100");
    expect(internationalPhone("+14155550100")).toBe("+14155550100");
    expect(internationalPhone("4155550100")).toBeNull();
  });

  it("lose their separators in a search, and other texts only their outer spaces", () => {
    expect(plainPhone("+1 (415) 55")).toBe("+141555");
    expect(plainPhone(" shop-1 ")).toBe("shop-1");
  });

  it("are not usernames", () => {
    expect(usernameIn(" @anna.k ")).toBe("@anna.k");
    expect(usernameIn("@a")).toBeNull();
    expect(usernameIn("+14155550100")).toBeNull();
  });
});
