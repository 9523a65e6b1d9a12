import { describe, expect, it } from "vitest";
import type { Permission, Rights } from "../rights";
import { isOpenFor, pagesFor } from "./navigation";

const member = (...permissions: Permission[]): Rights => ({
  isAdmin: false,
  membership: null,
  may: (permission) => permissions.includes(permission),
});

describe("the pages of a member", () => {
  it("are open with the permission to read", () => {
    const paths = pagesFor(member("messengers:read", "blocks:read")).map(({ path }) => path);
    expect(paths).toEqual(["/blocks", "/inbox", "/messengers", "/tokens", "/webhooks"]);
  });
  it("make nothing without the permission to write", () => {
    const reader = member("messengers:read", "events:read");
    expect(isOpenFor(reader, "/messengers/1")).toBe(true);
    expect(isOpenFor(reader, "/messengers/new")).toBe(false);
    expect(isOpenFor(reader, "/webhooks/new")).toBe(false);
    expect(isOpenFor(member("events:write"), "/webhooks/new")).toBe(true);
  });
});
