import { describe, expect, it } from "vitest";
import { sampleList, sampleRecipient } from "./samples";

describe("sample recipients", () => {
  it("are those that the sandbox knows, in the format of each channel", () => {
    expect(sampleRecipient("failed", "sms")).toBe("+15005550010");
    expect(sampleRecipient("failed", "whatsapp", 3)).toBe("+15005550013");
    expect(sampleRecipient("bounced", "email")).toBe("bounced@sandbox.postern.test");
    expect(sampleRecipient("bounced", "email", 2)).toBe("bounced+2@sandbox.postern.test");
    expect(sampleRecipient("flaky", "push", 1)).toBe("sandbox-flaky-1");
  });

  it.each(["sms", "email", "push", "telegram", "whatsapp"])(
    "make a list of ten different ones by %s",
    (channel) => {
      const list = sampleList(channel);
      expect(list).toHaveLength(10);
      expect(new Set(list).size).toBe(10);
    },
  );
});
