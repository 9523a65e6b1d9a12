import { describe, expect, it } from "vitest";
import type { VersionTextsFragment } from "../../../gql/graphql";
import { NO_HOUSE } from "../builder/document/house";
import { schema } from "../builder/document/schema";
import { sourceOf } from "../builder/document/source";
import { emptyLetter } from "../builder/document/starters";
import {
  dataOf,
  draftOf,
  emptyText,
  emptyVersion,
  followsLetter,
  inputOf,
  isLayered,
  isSame,
  obstacle,
  withBegun,
  withLetter,
  withLocale,
  withoutLetter,
  withoutLocale,
  withPart,
  withWritten,
  type VersionDraft,
} from "./draft";
import { isLocale } from "./languages/languages";

const VERSION: VersionTextsFragment = {
  uuid: "00000000-0000-7000-8000-000000000001",
  number: null,
  name: null,
  locales: ["en", "pt"],
  publishedAt: null,
  updatedAt: "2026-11-30T00:00:00Z",
  defaultLocale: "en",
  layoutKey: null,
  testData: { name: "Ada" },
  texts: [
    { locale: "en", subject: "Hi", preheader: null, text: "Hello {{ name }}", html: null, source: null },
    { locale: "pt", subject: "Oi", preheader: null, text: "Olá {{ name }}", html: null, source: null },
  ],
};

describe("a draft of a version", () => {
  it("is saved as it was read", () => {
    const draft = draftOf(VERSION);
    expect(draft.testData).toBe('{\n  "name": "Ada"\n}');
    expect(inputOf(draft)).toEqual({
      texts: VERSION.texts,
      defaultLocale: "en",
      layoutKey: null,
      name: null,
      testData: { name: "Ada" },
    });
    expect(isSame(draft, draftOf(VERSION))).toBe(true);
  });
  it("has one line in its subject", () => {
    const draft = withPart(draftOf(VERSION), "en", "subject", "Two\nlines");
    expect(draft.texts.map(({ subject }) => subject)).toEqual(["Two lines", "Oi"]);
    expect(isSame(draft, draftOf(VERSION))).toBe(false);
  });
  it("gets a language with a text to translate, and never loses its last one", () => {
    const more = withLocale(draftOf(VERSION), "de", "pt");
    expect(more.texts.at(-1)).toMatchObject({ locale: "de", subject: "Oi" });
    const fewer = withoutLocale(more, "en");
    expect([fewer.defaultLocale, fewer.texts.length]).toEqual(["pt", 2]);
    const alone = emptyVersion("en");
    expect(withoutLocale(alone, "en")).toBe(alone);
  });
  it("says why it can't be saved", () => {
    const empty = emptyVersion("en");
    expect(obstacle(empty)).toBe("text");
    const text = withPart(empty, "en", "text", "Hello");
    expect(obstacle(text)).toBeNull();
    expect(obstacle({ ...text, testData: "[1]" })).toBe("testData");
    expect(obstacle(withPart(text, "en", "preheader", "News"))).toBe("preheader");
  });
  const layered = (draft: VersionDraft) => draft.texts.map((text) => isLayered(draft, text));
  it("is only whole with its layout and its partials", () => {
    const draft = withPart(emptyVersion("en"), "en", "html", "<p>Hi</p>{%- render 'footer' %}");
    expect(layered(draft)).toEqual([true]);
    const plain = withPart(draft, "en", "html", "<p>Hi</p>");
    expect(layered(plain)).toEqual([false]);
    expect(layered({ ...plain, layoutKey: "frame" })).toEqual([true]);
  });
});

it("takes JSON objects as test data", () => {
  expect(dataOf(" ")).toEqual({});
  expect(dataOf('{"order": {"number": 4711}}')).toEqual({ order: { number: 4711 } });
  expect(["null", "[]", "1", "{"].map(dataOf)).toEqual([null, null, null, null]);
});

it("knows language tags from names", () => {
  expect(["en", "pt-BR", "zh-Hant-TW", "English", "e", "pt-"].map(isLocale)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});

describe("a letter in a draft", () => {
  const source = sourceOf(schema.nodeFromJSON(emptyLetter("en", NO_HOUSE)));
  const begun = { source, subject: "Hi", preheader: "", testData: { name: "Ada" } };
  const draft = withBegun(emptyVersion("en"), emptyVersion("en").texts[0] ?? emptyText("en"), begun);
  const [text = emptyText("en")] = draft.texts;

  it("makes the HTML and the plain text", () => {
    expect(text.html).toContain("<title>Hi</title>");
    expect(text.text).toContain("Unsubscribe: {{ unsubscribe_url }}");
    expect(draft.testData).toContain("Ada");
    expect(followsLetter(text)).toBe(true);
    expect(draftOf({ ...VERSION, texts: inputOf(draft).texts as never }).texts).toEqual(draft.texts);
  });
  it("has its subject as the title, and its language", () => {
    expect(withPart(draft, "en", "subject", "A < B").texts[0]?.html).toContain("<title>A &lt; B</title>");
    expect(withLocale(draft, "ar", "en").texts[1]?.html).toContain('<html lang="ar" dir="rtl">');
  });
  it("leaves a plain text alone that somebody has written", () => {
    const own = withWritten(draft, text, "text", "My own");
    expect(withLetter(own, "en", source).texts[0]?.text).toBe("My own");
    expect(withWritten(own, text, "text", "").texts[0]?.text).toBe(text.text);
  });
  it("is let go, and the HTML stays", () => {
    const free = withoutLetter(draft, "en").texts[0];
    expect([free?.source, free?.html]).toEqual(["", text.html]);
  });
});
