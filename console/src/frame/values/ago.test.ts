import { describe, expect, it } from "vitest";
import { agoOf } from "./ago";

const NOW = Date.UTC(2026, 0, 2, 12);
const english = new Intl.RelativeTimeFormat("en", { style: "short" });
const ago = (seconds: number) =>
  agoOf(NOW - seconds * 1000, NOW, (value, unit) => english.format(value, unit), "just now");

describe("how long ago something was", () => {
  it.each([
    [-4, "just now"],
    [59, "just now"],
    [60, "1 min. ago"],
    [3_599, "59 min. ago"],
    [3_600, "1 hr. ago"],
    [86_399, "23 hr. ago"],
    [86_400, null],
    [-6, null],
  ])("%d seconds", (seconds, said) => {
    expect(ago(seconds)).toBe(said);
  });
});
