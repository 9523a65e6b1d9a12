import { describe, expect, it } from "vitest";
import { draftOf, patchOf } from "./draft";

const before = draftOf({
  uuid: "u1",
  email: "ada@example.com",
  displayName: "Ada",
  status: "active",
  roles: ["user"],
  createdAt: "2026-01-02T00:00:00Z",
});

describe("a changed user", () => {
  it("is sent without what was not changed", () => {
    expect(patchOf(before, { ...before, name: " Ada " })).toEqual({});
    expect(patchOf(before, { ...before, email: "ada@example.org " })).toEqual({ email: "ada@example.org" });
    expect(patchOf(before, { ...before, name: "" })).toEqual({ displayName: "" });
  });
  it("keeps the role of a user beside the one of administrators", () => {
    expect(patchOf(before, { ...before, admin: true })).toEqual({ roles: ["admin", "user"] });
    expect(patchOf({ ...before, admin: true }, before)).toEqual({ roles: ["user"] });
  });
});
