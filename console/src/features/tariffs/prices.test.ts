import { describe, expect, it } from "vitest";
import { isPrice, priceRows, toPrices } from "./prices";

describe("the prices of a tariff", () => {
  it("are shown and sent without losing a digit", () => {
    const rows = priceRows({ USD: { sms: 0.01, email: 0.000001, push: 0 }, EUR: { sms: 10 } });
    expect(rows).toEqual([
      { currency: "EUR", prices: { sms: "10" } },
      { currency: "USD", prices: { sms: "0.01", email: "0.000001", push: "0" } },
    ]);
    expect(toPrices(rows)).toEqual({
      EUR: { sms: "10" },
      USD: { sms: "0.01", email: "0.000001", push: "0" },
    });
  });
  it("leave out channels without a price, and rows without a currency", () => {
    expect(
      toPrices([
        { currency: " eur ", prices: { sms: "0,5", email: " " } },
        { currency: "", prices: {} },
      ]),
    ).toEqual({
      EUR: { sms: "0.5" },
    });
  });
  it("are not negative", () => {
    expect([isPrice(""), isPrice("0"), isPrice("-1"), isPrice("0.0000001")]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
  it("may be anything the server has", () => {
    expect(priceRows(null)).toEqual([]);
  });
});
