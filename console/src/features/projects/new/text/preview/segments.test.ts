import { describe, expect, it } from "vitest";
import { partsOfSms } from "./segments";

const lengths = (text: string, encoding: "gsm" | "ucs2") =>
  partsOfSms(text, encoding).map((part) => part.length);

describe("partsOfSms", () => {
  it("has one part of 160 characters, or parts of 153", () => {
    expect(lengths("a".repeat(160), "gsm")).toEqual([160]);
    expect(lengths("a".repeat(161), "gsm")).toEqual([153, 8]);
    expect(lengths("a".repeat(307), "gsm")).toEqual([153, 153, 1]);
  });
  it("has one part of 70 characters of other alphabets, or parts of 67", () => {
    expect(lengths("я".repeat(70), "ucs2")).toEqual([70]);
    expect(lengths("я".repeat(71), "ucs2")).toEqual([67, 4]);
  });
  it("splits no character that needs two places", () => {
    expect(lengths("€".repeat(80), "gsm")).toEqual([80]);
    expect(lengths("€".repeat(81), "gsm")).toEqual([76, 5]);
    expect(lengths("😀".repeat(36), "ucs2")).toEqual([66, 6]);
  });
  it("loses nothing", () => {
    const text = "Hello {name} €5 ".repeat(30);
    expect(partsOfSms(text, "gsm").join("")).toBe(text);
  });
});
