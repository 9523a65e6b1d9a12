import { describe, expect, it } from "vitest";
import { EFFECTS, recipientOf, sendTo } from "./recipients";

describe("sandbox recipients", () => {
  it("are those that the channel knows", () => {
    expect(recipientOf("failed", "email")).toBe("failed@sandbox.postern.test");
    expect(EFFECTS.map((effect) => recipientOf(effect, "sms"))).toEqual([
      "+15005550000",
      "+15005550010",
      "+15005550020",
      "+15005550030",
      "+15005550040",
      "+15005550050",
      "+15005550060",
      "+15005550070",
    ]);
    expect(recipientOf("silent", "push")).toBe("sandbox-silent");
  });
  it("keep the plus of a phone in an address", () => {
    const params = new URL(sendTo("+15005550000", "sms"), "http://a").searchParams;
    expect(params.get("recipient")).toBe("+15005550000");
  });
});
