import { describe, expect, it } from "vitest";
import { figuresOf, type Outcome } from "./figures";

const result: Outcome = {
  intended: 62,
  accepted: 61,
  reportsDelivery: false,
  delivered: null,
  cameBack: 1,
  bounced: 0,
  refused: 1,
  complained: 0,
  replied: null,
  unsubscribed: 0,
};
const names = (of: Outcome, channel = "email") => figuresOf(of, channel).map(({ name }) => name);

describe("the figures of a result", () => {
  it("lead with what was accepted where no delivery is reported", () => {
    expect(figuresOf(result, "email")[0]).toMatchObject({ name: "accepted", count: 61 });
    expect(figuresOf({ ...result, delivered: 60 }, "email")[0]).toMatchObject({
      name: "delivered",
      count: 60,
    });
  });
  it("are those that the channel can have", () => {
    expect(names(result)).toEqual(["accepted", "cameBack", "complained", "replied", "unsubscribed"]);
    expect(names({ ...result, delivered: 1, cameBack: null }, "sms")).toEqual([
      "delivered",
      "replied",
      "unsubscribed",
    ]);
  });
  it("lead to the people behind them", () => {
    const filterOf = (of: Outcome) => figuresOf(of, "email").find(({ name }) => name === "cameBack")?.filter;
    expect(filterOf(result)).toBe("status=failed");
    expect(filterOf({ ...result, refused: 0, bounced: 1 })).toBe("reaction=bounced");
  });
});
