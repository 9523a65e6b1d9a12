import { describe, expect, it } from "vitest";
import { textWithMarks, withMarks } from "./marks";

describe("withMarks", () => {
  it("shows what turns or hides a part of a name", () => {
    expect(withMarks("invoice\u202efdp.exe")).toBe("invoice[U+202E]fdp.exe");
    expect(withMarks("a\u2066b\u2069\u200b\n")).toBe("a[U+2066]b[U+2069][U+200B][U+000A]");
  });
  it("leaves names of all languages as they are", () => {
    for (const name of ["Счёт №7.pdf", "קובץ.txt", "ملف.csv", "रिपोर्ट.xlsx", "👩‍👩‍👧.png"]) {
      expect(withMarks(name)).toBe(name);
    }
  });
});

describe("textWithMarks", () => {
  it("marks what turns a part of a text around, and leaves its lines and its letters", () => {
    expect(textWithMarks("שלום, \u200fhello\nphoto\u202egnp.exe")).toBe(
      "שלום, \u200fhello\nphoto[U+202E]gnp.exe",
    );
  });
});
