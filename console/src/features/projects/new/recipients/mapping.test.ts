import { describe, expect, it } from "vitest";
import {
  clashesOf,
  consentIn,
  fittingChannel,
  hasAddress,
  mappingOf,
  usesOf,
  variableOf,
  withUse,
} from "./mapping";

const columns = [
  { name: "Телефон", samples: ["+79161234567"] },
  { name: "Имя", samples: ["Анна"] },
  { name: "Order No.", samples: ["A-1"] },
  { name: "Note", samples: [] },
];
const mapping = { phone: "телефон", name: "Имя", Order_No: "Order No." };

describe("the mapping of a list", () => {
  it("says what each column is used for, and goes back to the API's form", () => {
    const used = usesOf(columns, mapping);
    expect(used.map(({ use }) => use)).toEqual(["phone", "name", "variable", "none"]);
    expect(mappingOf(used)).toEqual({ phone: "Телефон", name: "Имя", Order_No: "Order No." });
  });

  it("gives a field to one column only", () => {
    const changed = withUse(usesOf(columns, mapping), 3, "name");
    expect(mappingOf(changed)).toEqual({
      phone: "Телефон",
      Имя: "Имя",
      Order_No: "Order No.",
      name: "Note",
    });
  });

  it("finds the column that says who may be written to", () => {
    for (const name of ["Consent", "consent given", "opt-in", "Opted In", "optin_date", "Согласие"])
      expect(consentIn([...columns, { name, samples: [] }])).toBe(name);
    expect(consentIn([...columns, { name: "Newsletter", samples: ["yes", "", "No"] }])).toBe("Newsletter");
    for (const name of ["Options", "Newsletter"])
      expect(consentIn([...columns, { name, samples: ["weekly"] }])).toBeNull();
  });

  it("finds the channel that a list of the other kind needs", () => {
    const phones = usesOf(columns, mapping);
    expect(fittingChannel(phones, "sms")).toBeNull();
    expect(fittingChannel(phones, "email")).toBe("sms");
    const emails = withUse(phones, 0, "email");
    expect(fittingChannel(emails, "sms")).toBe("email");
    expect(fittingChannel(emails, "whatsapp")).toBe("email");
    expect(fittingChannel(emails, "email")).toBeNull();
    expect(fittingChannel(withUse(emails, 3, "phone"), "sms")).toBeNull();
    expect(fittingChannel(withUse(phones, 0, "address"), "email")).toBeNull();
  });

  it("knows when nobody could be written to, and when two columns have one name", () => {
    const used = usesOf(columns, mapping);
    expect(hasAddress(used)).toBe(true);
    expect(hasAddress(withUse(used, 0, "none"))).toBe(false);
    const same = withUse(used, 3, "variable").map((item) =>
      item.name === "Note" ? { ...item, variable: "Order_No" } : item,
    );
    expect(clashesOf(used)).toEqual([]);
    expect(clashesOf(same)).toEqual(["Order_No"]);
  });

  it("makes names that Liquid can read", () => {
    expect(["Order No.", " город ", "2nd name", "!!"].map(variableOf)).toEqual([
      "Order_No",
      "город",
      "_2nd_name",
      "value",
    ]);
  });
});
