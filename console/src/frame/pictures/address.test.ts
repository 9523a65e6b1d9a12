import { describe, expect, it } from "vitest";
import { shownAt } from "./address";

const NAME = "0190a2345678abcdef0190a2345678ab.png";

describe("where the console shows a picture", () => {
  it("is the service itself, also if letters have the address of a CDN", () => {
    expect(shownAt(`https://images.example.com/${NAME}`)).toBe(`/media/${NAME}`);
    expect(shownAt(`http://127.0.0.1:3000/media/${NAME}?x=1`)).toBe(`/media/${NAME}`);
  });
  it("is nowhere for pictures of others", () => {
    for (const url of ["", "{{ logo }}", "https://example.com/logo.png", "javascript:alert(1)"]) {
      expect(shownAt(url)).toBeNull();
    }
  });
});
