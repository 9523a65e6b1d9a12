import { describe, expect, it } from "vitest";
import { roundRate } from "./forecast";

describe("a rate as people say it", () => {
  it.each([
    [0.25, 0.3],
    [7.14, 7.1],
    [12.3, 12],
    [47, 47],
    [128, 130],
    [9_949, 9_900],
    [131_482.7, 130_000],
  ])("%d a minute is about %d", (measured, said) => {
    expect(roundRate(measured)).toBe(said);
  });
});
