import { describe, expect, it } from "vitest";
import { badRowsCsv } from "../lists/badRows";
import { previewDocument } from "../ui/htmlPreview";
import { inserted, piecesOf, variablesOf } from "./liquid";

describe("piecesOf", () => {
  it("finds outputs and tags, and loses no character", () => {
    const text = "Hi {{ name }},\n{% if vip %}gold{% endif %}!";
    const pieces = piecesOf(text);
    expect(pieces.map(({ kind }) => kind)).toEqual(["text", "output", "text", "tag", "text", "tag", "text"]);
    expect(pieces.map((piece) => piece.text).join("")).toBe(text);
  });
  it("marks what is not closed", () => {
    const pieces = piecesOf("Hi {{ name");
    expect(pieces.map(({ kind }) => kind)).toEqual(["text", "broken", "text"]);
    expect(pieces.map((piece) => piece.text).join("")).toBe("Hi {{ name");
  });
});

describe("variables", () => {
  it("are put in place of what is selected", () => {
    expect(inserted("Hi XX!", "name", 3, 5)).toEqual({ text: "Hi {{ name }}!", cursor: 13 });
  });
  it("are those that recipients have", () => {
    const people = [
      { name: "Anna", variables: { city: "Bonn" } },
      { name: null, variables: { order: 1 } },
    ];
    expect(variablesOf(people)).toEqual(["name", "city", "order"]);
    expect(variablesOf([{ name: null, variables: {} }])).toEqual([]);
  });
});

describe("previewDocument", () => {
  it("gives styles the nonce, and makes rules of attributes", () => {
    const made = previewDocument('<style>p{}</style><p style="color:red">Hi</p>', "abc");
    expect(made).toContain('<style nonce="abc">p{}</style>');
    expect(made).toContain('<p data-preview="p0">Hi</p>');
    expect(made).toContain("{color:red}");
  });
  it("lets an attribute neither end its rule nor the element", () => {
    const made = previewDocument(`<p style="color:red}body{x:y">Hi`, "");
    expect(made).not.toContain("red}body");
  });
});

describe("badRowsCsv", () => {
  it("quotes cells, and never begins one like a formula", () => {
    const text = badRowsCsv(
      [{ line: 3, error: { code: "bad", message: '=1,"x"' } }],
      ["Line", "Reason", "Code"],
    );
    expect(text).toBe(`\uFEFFLine,Reason,Code\r\n3,"'=1,""x""",bad\r\n`);
  });
});
