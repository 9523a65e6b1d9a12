import { describe, expect, it } from "vitest";
import type { VersionTextsFragment } from "../../../gql/graphql";
import {
  dataOf,
  draftOf,
  emptyVersion,
  inputOf,
  isLayered,
  isLocale,
  isSame,
  obstacle,
  withLocale,
  withoutLocale,
  withPart,
  type VersionDraft,
} from "./draft";

const VERSION: VersionTextsFragment = {
  uuid: "00000000-0000-7000-8000-000000000001",
  number: null,
  locales: ["en", "pt"],
  publishedAt: null,
  updatedAt: "2026-11-30T00:00:00Z",
  defaultLocale: "en",
  layoutKey: null,
  testData: { name: "Ada" },
  texts: [
    { locale: "en", subject: "Hi", preheader: null, text: "Hello {{ name }}", html: null },
    { locale: "pt", subject: "Oi", preheader: null, text: "Olá {{ name }}", html: null },
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
