import { describe, expect, it } from "vitest";
import type { MemberRowFragment } from "../../gql/graphql";
import { draftOf, EMPTY, givable, joinLink, newMemberOf, patchOf, stateOf } from "./draft";

const NOW = Date.parse("2026-11-25T00:00:00Z");
const MEMBER: MemberRowFragment = {
  uuid: "1",
  email: "anna@example.com",
  role: "viewer",
  permissions: ["profile:read", "profile:write", "projects:read"],
  hasOwnPermissions: false,
  approvalAbove: null,
  createdAt: "2026-11-20T00:00:00Z",
  joinedAt: null,
  expiresAt: "2026-11-27T00:00:00Z",
};

describe("the form of a member", () => {
  it("sends a role, or the permissions that were chosen in its place", () => {
    expect(newMemberOf(" anna@example.com ", EMPTY)).toEqual({
      email: "anna@example.com",
      role: "viewer",
      permissions: null,
      approvalAbove: null,
    });
    const chosen = { ...EMPTY, chosen: true, permissions: ["projects:read", "audit:read"] };
    expect(newMemberOf("anna@example.com", chosen).permissions).toEqual(["audit:read", "projects:read"]);
  });

  it("begins with what the member may now, without what everybody has", () => {
    expect(draftOf(MEMBER)).toEqual({
      role: "viewer",
      chosen: false,
      permissions: ["projects:read"],
      approvalAbove: null,
    });
  });

  it("sends only what was changed", () => {
    const draft = draftOf(MEMBER);
    expect(patchOf(draft, draft)).toEqual({});
    expect(patchOf(draft, { ...draft, role: "editor" })).toEqual({ role: "editor" });
    expect(patchOf(draft, { ...draft, chosen: true })).toEqual({ permissions: ["projects:read"] });
    expect(patchOf(draft, { ...draft, approvalAbove: 0 })).toEqual({ approvalAbove: 0 });
    expect(patchOf({ ...draft, approvalAbove: 5 }, draft)).toEqual({ approvalAbove: null });
    expect(patchOf({ ...draft, chosen: true }, draft)).toEqual({ permissions: null });
  });

  it("offers what can be given", () => {
    const offered = ["profile:read", "members:write", "users:write", "system:read", "audit:read"];
    const all = offered.map((name) => ({
      name,
      description: "",
      presets: [],
      granted: name !== "system:read",
    }));
    expect(givable(all).map(({ name }) => name)).toEqual(["audit:read"]);
  });
});

describe("an invitation", () => {
  it("is open until it is accepted or expires", () => {
    expect(stateOf(MEMBER, NOW)).toBe("invited");
    expect(stateOf(MEMBER, NOW + 3 * 86_400_000)).toBe("expired");
    expect(stateOf({ ...MEMBER, joinedAt: MEMBER.createdAt, expiresAt: null }, NOW)).toBe("joined");
  });

  it("has a link whose token no server is sent", () => {
    expect(new URL(joinLink("https://example.com", "mbr_x")).pathname).toBe("/console/join");
    expect(new URL(joinLink("https://example.com", "mbr_x")).hash).toBe("#mbr_x");
  });
});
