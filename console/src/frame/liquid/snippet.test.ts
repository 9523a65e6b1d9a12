import { describe, expect, it } from "vitest";
import { snippetOf } from "./snippet";

describe("snippetOf", () => {
  it("is the beginning of what is read", () => {
    const html =
      "<head><title>x</title></head><style>p{}</style><!-- y --><p>Hello&nbsp;<b>Anna</b>: you &amp; Bob</p>";
    expect(snippetOf("", html)).toBe("Hello Anna: you & Bob");
    expect(snippetOf("Hi\n\n  there", null)).toBe("Hi there");
  });
  it("has an end", () => {
    expect(snippetOf("a".repeat(200), null)).toBe(`${"a".repeat(140)}…`);
  });
});
