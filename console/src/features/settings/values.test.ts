import { expect, test } from "vitest";
import { draftOf, entriesOf, kindOf, parse, previewOf, same } from "./values";

test("every JSON value survives the form", () => {
  for (const value of ["dark", "", "50", "true", 50, -1.5, true, false, null, [1, "a"], { a: { b: null } }]) {
    expect(parse(kindOf(value), draftOf(value))).toEqual({ ok: true, value });
  }
});

test("what is no number or no JSON is refused", () => {
  for (const draft of ["", "x", "1e400", "9007199254740993", "0x"]) {
    expect(parse("number", draft)).toEqual({ ok: false, problem: "number" });
  }
  expect(parse("number", " 1,5 ")).toEqual({ ok: true, value: 1.5 });
  for (const draft of ["", "{", "{a: 1}", "'a'"]) {
    expect(parse("json", draft)).toEqual({ ok: false, problem: "json" });
  }
});

test("a value that is too long is refused by its bytes", () => {
  expect(parse("text", "я".repeat(10), 22)).toEqual({ ok: true, value: "я".repeat(10) });
  expect(parse("text", "я".repeat(11), 22)).toEqual({ ok: false, problem: "tooLong" });
});

test("the order of keys is no difference", () => {
  expect(same({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 })).toBe(true);
  expect(same({ a: [1, 2] }, { a: [2, 1] })).toBe(false);
  expect(same(undefined, null)).toBe(false);
});

test("settings are found by key and by value", () => {
  const settings = { "ui.theme": "dark", limits: { Theme: 3 }, a: 1 };
  expect(entriesOf(settings, "THEME").map(({ key }) => key)).toEqual(["limits", "ui.theme"]);
  expect(entriesOf(settings, "").map(({ key }) => key)).toEqual(["a", "limits", "ui.theme"]);
  expect(entriesOf(null, "")).toEqual([]);
});

test("a long value is shortened in the list", () => {
  expect(previewOf("a".repeat(500))).toHaveLength(161);
  expect(previewOf({ a: 1 })).toBe('{"a":1}');
});
