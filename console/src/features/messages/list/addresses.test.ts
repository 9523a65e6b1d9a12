import { describe, expect, it } from "vitest";
import { addressesOf, blockableOf } from "./addresses";
import type { Row } from "./row";

const rows = ["+14155550100", "anna@example.com", "+14155550100", "", "@anna", "sandbox-delivered"].map(
  (address) => ({ address }) as Row,
);

describe("the addresses of chosen messages", () => {
  it("are named once", () => {
    expect(addressesOf(rows)).toEqual(["+14155550100", "anna@example.com", "@anna", "sandbox-delivered"]);
  });
  it("can be blocked if they are phones or email addresses", () => {
    expect(blockableOf(addressesOf(rows))).toEqual(["+14155550100", "anna@example.com"]);
  });
});
