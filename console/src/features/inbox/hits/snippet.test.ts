import { describe, expect, it } from "vitest";
import { snippetOf } from "./snippet";

function shown(text: string, asked: string): string {
  return snippetOf(text, asked)
    .map(({ text: part, found }) => (found ? `[${part}]` : part))
    .join("");
}

describe("snippetOf", () => {
  it("marks the words, and the beginning of the last one", () => {
    expect(shown("Where is my parcel, the big Parcel?", "is par")).toBe(
      "Where [is] my [parcel], the big [Parcel]?",
    );
  });

  it("marks no beginning of a word that is not the last one", () => {
    expect(shown("parcels and a parcel", "parcel and")).toBe("parcels [and] a [parcel]");
  });

  it("begins near the first word of a long text, at a word", () => {
    const long = `${"before and ".repeat(20)}the needle ${"after ".repeat(60)}`;
    const snippet = shown(long, "needle");
    expect(snippet.startsWith("… ")).toBe(true);
    expect(snippet).toContain("the [needle] after");
    expect(snippet.endsWith(" …")).toBe(true);
    expect(snippet.length).toBeLessThan(160);
  });

  it("cuts a word that is longer than the snippet", () => {
    expect(snippetOf("y".repeat(5000), "yy").reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(
      150,
    );
    expect(shown(`${"x".repeat(900)} needle`, "needle")).toBe("… [needle]");
  });

  it("shows lines as one, and other scripts", () => {
    expect(shown("Ваша\nпосылка  здесь", "ПОСЫЛ")).toBe("Ваша [посылка] здесь");
  });
});
