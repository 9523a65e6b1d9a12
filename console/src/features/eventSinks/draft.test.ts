import { describe, expect, it } from "vitest";
import { EMPTY, inputOf, isWhole, patchOf } from "./draft";

describe("the form of a sink", () => {
  it("makes the input of a new sink", () => {
    const draft = { ...EMPTY, name: " Warehouse ", url: " nats://broker:4222 ", types: ["block.added"] };
    expect(inputOf(draft)).toEqual({
      name: "Warehouse",
      url: "nats://broker:4222",
      credentials: null,
      stream: "POSTERN",
      subject: "postern.{owner}.{type}",
      types: ["block.added"],
      query: null,
      makeStream: true,
      replicas: 3,
      duplicateWindowSeconds: 120,
      wholeInstallation: false,
    });
  });

  it("sends only what was changed", () => {
    expect(patchOf(EMPTY, EMPTY)).toEqual({});
    expect(patchOf(EMPTY, { ...EMPTY, replicas: "1", query: " q " })).toEqual({ replicas: 1, query: "q" });
  });

  it("sends an address and credentials only if they were written", () => {
    expect(patchOf(EMPTY, { ...EMPTY, url: "tls://other" })).toEqual({ url: "tls://other" });
    expect(patchOf(EMPTY, { ...EMPTY, credentials: "SU…" })).toEqual({ credentials: "SU…" });
  });

  it.each([
    ["1", true],
    ["5", true],
    ["6", false],
    ["0", false],
    ["1.5", false],
    ["", false],
    ["x", false],
  ])("%j is a whole number from 1 to 5: %s", (text, right) => {
    expect(isWhole(text, 5)).toBe(right);
  });
});
