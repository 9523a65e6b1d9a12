import { describe, expect, it } from "vitest";
import { CHANNELS, isPrice, priceRows, rowProblem, toPrices } from "./prices";

describe("the prices of a tariff", () => {
  it("are shown and sent without losing a digit", () => {
    const rows = priceRows({ USD: { sms: 0.01, email: 0.000001, push: 0 }, EUR: { sms: 10 } });
    expect(rows).toEqual([
      { currency: "EUR", prices: { sms: "10" } },
      { currency: "USD", prices: { sms: "0.01", email: "0.000001", push: "0" } },
    ]);
    expect(toPrices(rows, CHANNELS)).toEqual({
      EUR: { sms: "10" },
      USD: { sms: "0.01", email: "0.000001", push: "0" },
    });
  });
  it("leave out channels without a price, and rows without anything", () => {
    expect(
      toPrices(
        [
          { currency: " eur ", prices: { sms: "0,5", email: " " } },
          { currency: "", prices: {} },
        ],
        CHANNELS,
      ),
    ).toEqual({
      EUR: { sms: "0.5" },
    });
  });
  it("leave out channels that are not chosen", () => {
    expect(toPrices([{ currency: "EUR", prices: { sms: "1", email: "2" } }], ["email"])).toEqual({
      EUR: { email: "2" },
    });
  });
  it("need a currency of three letters, which no other row has", () => {
    const problems = (...rows: [string, string][]) => {
      const all = rows.map(([currency, sms]) => ({ currency, prices: { sms } }));
      return all.map((_row, index) => rowProblem(all, index, ["sms"]));
    };
    expect(problems(["EUR", "1"], ["USD", ""], ["", ""])).toEqual([null, null, null]);
    expect(problems(["", "1"], ["EU", "1"], ["E1R", "1"])).toEqual(["currency", "currency", "currency"]);
    expect(problems(["EUR", "1"], ["USD", "1"], [" eur", "2"])).toEqual([null, null, "twice"]);
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
