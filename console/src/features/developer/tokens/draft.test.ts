import { describe, expect, it } from "vitest";
import type { TokenRowFragment } from "../../../gql/graphql";
import { draftOf, EMPTY, inputOf, patchOf, paysLater } from "./draft";

const NOW = Date.parse("2026-11-25T00:00:00Z");
const TOKEN = {
  uuid: "1",
  name: "nightly",
  scopes: ["messages:read", "messages:send"],
  networks: ["192.0.2.0/24", "2001:db8::/48"],
  accountIds: null,
  spendPerDay: null,
  messagesPerDay: null,
  approvalAbove: null,
  expiresAt: "2027-01-01T00:00:00Z",
} as TokenRowFragment;

describe("the form of an API token", () => {
  it("sends no limits for a token that may everything", () => {
    const input = inputOf({ ...EMPTY, name: " nightly ", life: "30", scopes: ["messages:send"] }, NOW);
    expect(input).toEqual({
      name: "nightly",
      expiresAt: "2026-12-25T00:00:00.000Z",
      scopes: null,
      networks: null,
      accountIds: null,
      spendPerDay: null,
      messagesPerDay: null,
      approvalAbove: null,
    });
  });

  it("has limits of money unless it may do what is paid later", () => {
    expect(paysLater(EMPTY)).toBe(true);
    expect(paysLater({ ...EMPTY, full: false, scopes: ["messages:send"] })).toBe(false);
    expect(paysLater({ ...EMPTY, full: false, scopes: ["messages:send", "recipients:write"] })).toBe(true);
    const limits = { accountIds: ["b", "a"], spendPerDay: 2.5, messagesPerDay: 9, approvalAbove: 0 };
    expect(inputOf({ ...EMPTY, ...limits }, NOW)).toMatchObject({ ...limits, accountIds: ["a", "b"] });
  });

  it("sends no permission at all as an empty list, which the server refuses", () => {
    expect(inputOf({ ...EMPTY, full: false }, NOW).scopes).toEqual([]);
  });

  it("reads one network a line, and also those between commas", () => {
    const { networks } = inputOf({ ...EMPTY, networks: " 192.0.2.0/24\n\n10.0.0.0/8, 2001:db8::/48 " }, NOW);
    expect(networks).toEqual(["192.0.2.0/24", "10.0.0.0/8", "2001:db8::/48"]);
  });

  it("changes nothing if nothing was changed", () => {
    expect(patchOf(draftOf(TOKEN), draftOf(TOKEN), NOW)).toEqual({});
  });

  it("changes what was changed, and takes limits away by null", () => {
    const draft = draftOf(TOKEN);
    const ticked = { ...draft, scopes: ["messages:send"], networks: "" };
    expect(patchOf(draft, ticked, NOW)).toEqual({ scopes: ["messages:send"], networks: null });
    expect(patchOf(draft, { ...draft, full: true }, NOW)).toEqual({ scopes: null });
    expect(patchOf(draft, { ...draft, life: "never" }, NOW)).toEqual({ expiresAt: null });
  });

  it("does not mind in which order permissions were ticked", () => {
    const draft = draftOf(TOKEN);
    const ticked = { ...draft, scopes: ["messages:send", "messages:read"] };
    expect(patchOf(draft, ticked, NOW)).toEqual({});
  });
});
