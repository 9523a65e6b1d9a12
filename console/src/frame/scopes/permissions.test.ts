import { describe, expect, it } from "vitest";
import { byArea, presetsOf, presetWith, type Permission } from "./permissions";

const PERMISSIONS: Permission[] = [
  { name: "messages:read", description: "see", presets: ["read", "send"], granted: true },
  { name: "messages:send", description: "send", presets: ["send"], granted: true },
  { name: "system:read", description: "metrics", presets: ["metrics"], granted: false },
];

describe("permissions", () => {
  it("are grouped by area", () => {
    expect(byArea(PERMISSIONS).map(([area, those]) => [area, those.length])).toEqual([
      ["messages", 2],
      ["system", 1],
    ]);
  });

  it("make presets, which need all of theirs", () => {
    const granted = presetsOf(PERMISSIONS).map((item) => [item.preset, item.granted]);
    expect(granted).toEqual([
      ["read", true],
      ["send", true],
      ["metrics", false],
    ]);
  });

  it("are named by the preset that has just these", () => {
    expect(presetWith(["messages:send", "messages:read"], PERMISSIONS)).toBe("send");
    expect(presetWith(["messages:send"], PERMISSIONS)).toBeNull();
  });
});
