import { describe, expect, it } from "vitest";
import { draftOf, inputOf } from "./draft";

describe("the draft of a brand", () => {
  it("begins with neutral colors, which dark pages are made from", () => {
    const draft = draftOf(null);
    expect(inputOf({ ...draft, name: " Shop " })).toMatchObject({
      name: "Shop",
      logoUuid: null,
      darkColors: null,
      address: null,
      links: [],
    });
    expect(draft.colors.background).toBe("#ffffff");
  });

  it("does not send lines that were left empty", () => {
    const draft = {
      ...draftOf(null),
      links: [
        { text: "", url: " " },
        { text: "Privacy", url: "https://example.com" },
      ],
      footers: [{ locale: "de", text: "" }],
    };
    expect(inputOf(draft).links).toEqual([{ text: "Privacy", url: "https://example.com" }]);
    expect(inputOf(draft).footers).toHaveLength(1);
  });
});
