import { describe, expect, it } from "vitest";
import type { AccountState } from "../../gql/graphql";
import { explains, groupOf, GROUPS, isInactive, phoneOf, secondsLeft } from "./states";

describe("the states of an account", () => {
  it("belong to one group each", () => {
    const all = Object.values(GROUPS).flat() as AccountState[];
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBe(13);
    expect(groupOf("showCode")).toBe("login");
    expect(isInactive("blocked")).toBe(true);
    expect(isInactive("reconnecting")).toBe(false);
  });

  it("are explained by a reason only where it is theirs", () => {
    expect(explains("failed", "flood_wait")).toBe(true);
    expect(explains("waitQr", "qr_expired")).toBe(false);
    expect(explains("blocked", null)).toBe(false);
  });

  it("know the phone that has logged in before the one that the login was started with", () => {
    expect(phoneOf({ source: "telegram", phone: "1415", connectedPhone: "+1500" })).toBe("+1500");
    expect(phoneOf({ source: "telegram", phone: "1415" })).toBe("+1415");
    expect(phoneOf({ source: "telegram" })).toBeNull();
  });
});

describe("how long a code is valid", () => {
  const at = "2026-01-01T00:00:00Z";
  it("is counted from when the server sent it, whatever the clock of the browser says", () => {
    const code = { expiresAt: "2026-01-01T00:00:20Z" };
    expect(secondsLeft(code, at, 5_000, 5_000)).toBe(20);
    expect(secondsLeft(code, at, 5_000, 12_500)).toBe(13);
    expect(secondsLeft(code, at, 5_000, 90_000)).toBe(0);
  });
  it("is not known if the messenger does not say", () => {
    expect(secondsLeft({ expiresAt: null }, at, 0, 0)).toBeNull();
  });
});
