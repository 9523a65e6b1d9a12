import { describe, expect, it } from "vitest";
import { addDecimal, parseDecimal } from "./decimal";

describe("decimal numbers", () => {
  it("are read as people write them", () => {
    expect(parseDecimal(" 1 000,50 ")).toBe("1000.50");
    expect(parseDecimal("25")).toBe("25");
    expect(parseDecimal("0,005")).toBe("0.005");
    expect(parseDecimal("0.000001")).toBe("0.000001");
  });
  it.each(["", "-5", "1,000.50", "25,503", "1.2.3", "1e3", "0.0000001", ".5", "5.", "abc", "1".repeat(13)])(
    "refuse %j",
    (text) => expect(parseDecimal(text)).toBeNull(),
  );
  it("are added exactly", () => {
    expect(addDecimal(0.1, "0.2")).toBe(0.3);
    expect(addDecimal(99.9925, "0.0075")).toBe(100);
    expect(addDecimal(-0.5, "0.25")).toBe(-0.25);
    expect(addDecimal(99999999.999999, "0.000001")).toBe(100000000);
  });
});
