import { describe, expect, it } from "vitest";
import type { Message } from "../model";
import { isTold } from "./notify";

const NOW = Date.parse("2026-11-25T12:00:00Z");
const MESSAGE = { uuid: "m", at: "2026-11-25T11:59:50Z", outgoing: false, deletedAt: null } as Message;

describe("a message that has come in", () => {
  it("is told while nobody looks at the page", () => {
    expect(isTold(MESSAGE, NOW, false)).toBe(true);
    expect(isTold(MESSAGE, NOW, true)).toBe(false);
  });
  it("is not told if it is old, deleted or one's own", () => {
    expect(isTold({ ...MESSAGE, at: "2026-11-25T11:00:00Z" }, NOW, false)).toBe(false);
    expect(isTold({ ...MESSAGE, deletedAt: MESSAGE.at }, NOW, false)).toBe(false);
    expect(isTold({ ...MESSAGE, outgoing: true }, NOW, false)).toBe(false);
  });
});
