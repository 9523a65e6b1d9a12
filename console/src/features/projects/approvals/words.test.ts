import { describe, expect, it } from "vitest";
import { wordsOf } from "./words";

const changed = (old: string, now: string) => {
  const words = wordsOf(old, now);
  const of = (pieces: { text: string; changed: boolean }[]) =>
    pieces.filter((piece) => piece.changed).map(({ text }) => text);
  return [of(words.old), of(words.now)];
};

describe("the words in which two texts differ", () => {
  it("are those that only one of them has", () => {
    expect(changed("Hello {{ name }}, come at eight.", "Hello {{ name }}, come at nine.")).toEqual([
      ["eight"],
      ["nine"],
    ]);
    expect(changed("Hello", "Hello again")).toEqual([[], [" again"]]);
    expect(changed("one two three four", "two three five four")).toEqual([["one "], [" five"]]);
  });

  it("are none if the texts are equal, and all if one is empty", () => {
    expect(changed("Same text", "Same text")).toEqual([[], []]);
    expect(changed("", "New text")).toEqual([[], ["New text"]]);
  });

  it("lose nothing of the texts", () => {
    const old = "Привет, Анна!\n\n20 % off – until Sunday";
    const now = "Hello, Анна!\n30 % off until Monday 🎉";
    const words = wordsOf(old, now);
    expect(words.old.map(({ text }) => text).join("")).toBe(old);
    expect(words.now.map(({ text }) => text).join("")).toBe(now);
  });

  it("end within a moment, also of long texts that have nothing in common", () => {
    const long = (word: string) => Array.from({ length: 20_000 }, (_, index) => `${word}${index}`).join(" ");
    const began = Date.now();
    const words = wordsOf(long("a"), long("b"));
    expect(words.old.map(({ text }) => text).join("")).toBe(long("a"));
    expect(Date.now() - began).toBeLessThan(2_000);
  });
});
