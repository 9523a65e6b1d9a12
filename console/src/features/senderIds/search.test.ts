import { describe, expect, it } from "vitest";
import { countriesOf } from "./countries";
import { isFiltered, parseSearch, searchParams, whereOf } from "./search";

describe("the search of senders", () => {
  it("is what the address says, and back", () => {
    const params = new URLSearchParams("q=Acme&state=pending,refused&kind=alpha");
    const search = parseSearch(params);
    expect(search).toEqual({ text: "Acme", state: ["pending", "refused"], kind: ["alpha"] });
    expect(searchParams(search).toString()).toBe("q=Acme&state=pending%2Crefused&kind=alpha");
    expect(whereOf(search)).toEqual({
      value: { eq: "Acme" },
      state: { in: ["pending", "refused"] },
      kind: { in: ["alpha"] },
    });
  });

  it("asks for nothing without filters", () => {
    const search = parseSearch(new URLSearchParams("state=unknown"));
    expect(whereOf(search)).toEqual({});
    expect(isFiltered(search)).toBe(false);
  });
});

describe("countriesOf", () => {
  it("reads a line of codes", () => {
    expect(countriesOf(" de, AT;ch  de")).toEqual(["DE", "AT", "CH"]);
    expect(countriesOf("")).toEqual([]);
  });
});
