import { describe, expect, it } from "vitest";
import { EMPTY, inputOf, isPrefix, isWhole } from "./draft";

describe("the form of a rule", () => {
  it("takes prefixes as people write them", () => {
    for (const prefix of ["", "+49", "49", "+49 30", "1 (416)"]) expect(isPrefix(prefix)).toBe(true);
    for (const prefix of ["+", "0049", "Berlin", "+4915112345678901"]) expect(isPrefix(prefix)).toBe(false);
    expect(inputOf({ ...EMPTY, prefix: " +49 30 ", route: "sms-1" })).toMatchObject({ prefix: "+4930" });
  });
  it("takes whole numbers up to 1000", () => {
    for (const text of ["1", " 20 ", "1000"]) expect(isWhole(text, 1)).toBe(true);
    for (const text of ["", " ", "0", "1.5", "1001", "-1", "two"]) expect(isWhole(text, 1)).toBe(false);
    expect(isWhole("0", 0)).toBe(true);
  });
  it("is sent with all values, as a rule is replaced as a whole", () => {
    expect(inputOf({ ...EMPTY, route: "sms-1", weight: "3" })).toEqual({
      prefix: "",
      route: "sms-1",
      category: null,
      ownerId: null,
      priority: 0,
      weight: 3,
      fallback: true,
    });
  });
});
