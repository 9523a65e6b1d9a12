import { describe, expect, it } from "vitest";
import { internalPath } from "./internalPath";

describe("internalPath", () => {
  it("keeps a path of the console with its search and hash", () => {
    expect(internalPath("/messages?status=failed#top")).toBe("/messages?status=failed#top");
  });

  it.each([
    null,
    "",
    "messages",
    "//evil.example",
    "/\\evil.example",
    "/\t/evil.example",
    "/.//evil.example",
    "https://evil.example/",
    "javascript:alert(1)",
    "/login?next=/login",
  ])("refuses %j", (target) => {
    expect(internalPath(target)).toBe("/");
  });
});
