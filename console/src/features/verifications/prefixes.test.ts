import { describe, expect, it } from "vitest";
import { prefixesOf, wrongPrefix } from "./prefixes";

describe("allowed prefixes", () => {
  it("are read from lines and commas, each once", () => {
    expect(prefixesOf("+49 151\n+4915, 33;+33 \n\n")).toEqual(["+49151", "+4915", "+33"]);
    expect(prefixesOf(" \n ")).toEqual([]);
  });

  it("are beginnings of numbers", () => {
    expect(wrongPrefix("+4915\n+1 (415)")).toBeNull();
    expect(wrongPrefix("+4915\nabc")).toBe("+abc");
    expect(wrongPrefix("+0")).toBe("+0");
    expect(wrongPrefix("+1234567890123456")).toBe("+1234567890123456");
  });
});
