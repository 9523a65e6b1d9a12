import { describe, expect, it } from "vitest";
import {
  countFilters,
  directWhere,
  inOtherList,
  parseSearch,
  plainAddress,
  recordWhere,
  searchParams,
} from "./search";

const parse = (text: string) => parseSearch(new URLSearchParams(text));
const NOW = Date.parse("2026-06-01T12:00:00Z");

describe("the address of the list", () => {
  it.each([
    "",
    "status=failed%2Cqueued&channel=sms&range=24h",
    "kind=project&status=unknown&project=0190&to=%2B14155550100&order=asc",
    "user=0191&account=0192",
    "from=2026-05-01T00%3A00%3A00.000Z&until=2026-05-02T00%3A00%3A00.000Z",
  ])("survives a round trip: %s", (text) => {
    expect(searchParams(parse(text)).toString()).toBe(text);
  });

  it("ignores what it does not know", () => {
    expect(parse("status=nonsense,failed&channel=fax&range=9y&from=soon&direction=up").status).toEqual([
      "failed",
    ]);
    expect(countFilters(parse("channel=fax&range=9y&from=soon&direction=up"))).toBe(0);
  });
});

describe("the filter for the server", () => {
  it("filters direct messages", () => {
    expect(directWhere(parse("status=failed&user=0191&to=anna@example.com&range=1h"), NOW)).toEqual({
      ownerId: { eq: "0191" },
      deliveryState: { in: ["failed"] },
      to: { eq: "anna@example.com" },
      createdAt: { gte: "2026-06-01T11:00:00.000Z" },
    });
  });

  it("filters the messages of a project", () => {
    expect(recordWhere(parse("kind=project&project=0190&status=read"), NOW)).toEqual({
      status: { in: ["read"] },
      sendingProjectUuid: { eq: "0190" },
    });
  });

  it("writes a phone as the server stores it", () => {
    expect(plainAddress(" +1 (415) 555-0100 ")).toBe("+14155550100");
    expect(plainAddress("004915112345678")).toBe("+4915112345678");
    expect(plainAddress("anna@example.com")).toBe("anna@example.com");
  });
});

describe("the other list", () => {
  const other = (text: string) => {
    const found = inOtherList(parse(text));
    return found && searchParams(found).toString();
  };

  it("is searched with the same filters", () => {
    expect(other("to=%2B14155550100&status=failed&range=24h")).toBe(
      "kind=project&status=failed&to=%2B14155550100&range=24h",
    );
    expect(other("kind=project&channel=sms")).toBe("channel=sms");
  });

  it("has nothing for filters that only one of them has", () => {
    for (const text of ["account=0192", "kind=project&project=0190", "kind=project&status=skipped"])
      expect(other(text)).toBeNull();
  });
});
