import { describe, expect, it } from "vitest";
import type { Account, Chat } from "../../model";
import { paramsOf, windowOf } from "./window";

const NOW = Date.parse("2026-06-02T12:00:00Z");
const cloud = { driver: "whatsapp_cloud" } as Account;
const chat = (lastIncomingAt: string | null) => ({ lastIncomingAt }) as Chat;

describe("the window of WhatsApp Cloud", () => {
  it("is open for 24 hours from the last message that came in", () => {
    expect(windowOf(cloud, chat("2026-06-01T12:00:01Z"), NOW)).toEqual({
      state: "open",
      until: Date.parse("2026-06-02T12:00:01Z"),
    });
    expect(windowOf(cloud, chat("2026-06-01T12:00:00Z"), NOW)).toEqual({
      state: "closed",
      since: "2026-06-01T12:00:00Z",
    });
    expect(windowOf(cloud, chat(null), NOW)).toEqual({ state: "unknown" });
    expect(windowOf(cloud, null, NOW)).toEqual({ state: "unknown" });
  });
  it("is not there for other accounts", () => {
    expect(windowOf({ driver: "sandbox" } as Account, chat("2026-06-01T12:00:00Z"), NOW)).toBeNull();
  });
});

describe("the parameters of a template", () => {
  it("are its lines", () => {
    expect(paramsOf("Anna\n\n Friday \n\n")).toEqual(["Anna", "", "Friday"]);
    expect(paramsOf("")).toEqual([]);
  });
});
