import type { SaveTemplateVersion, VersionTextsFragment } from "../../../gql/graphql";

/** The text of one language, as it is written. A part that is empty is not there. */
export interface TextDraft {
  locale: string;
  subject: string;
  preheader: string;
  html: string;
  text: string;
}
export type Part = "subject" | "preheader" | "html" | "text";

/** A version, as it is written. */
export interface VersionDraft {
  texts: TextDraft[];
  defaultLocale: string;
  layoutKey: string;
  /** JSON */
  testData: string;
}

export const emptyText = (locale: string): TextDraft => ({
  locale,
  subject: "",
  preheader: "",
  html: "",
  text: "",
});

export const emptyVersion = (locale: string): VersionDraft => ({
  texts: [emptyText(locale)],
  defaultLocale: locale,
  layoutKey: "",
  testData: "",
});

export function draftOf(version: VersionTextsFragment): VersionDraft {
  const { defaultLocale, layoutKey, testData, texts } = version;
  const data = testData as Record<string, unknown> | null;
  const written = (texts ?? []).map(({ locale, subject, preheader, html, text }) => ({
    locale,
    subject: subject ?? "",
    preheader: preheader ?? "",
    html: html ?? "",
    text: text ?? "",
  }));
  return {
    texts: written,
    defaultLocale,
    layoutKey: layoutKey ?? "",
    testData: data && Object.keys(data).length > 0 ? JSON.stringify(data, null, 2) : "",
  };
}

/** Returns the values of the test data; null if the text is no JSON object. */
export function dataOf(text: string): Record<string, unknown> | null {
  if (!text.trim()) return {};
  try {
    const data: unknown = JSON.parse(text);
    return typeof data === "object" && data !== null && !Array.isArray(data)
      ? (data as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** Returns what is saved. Test data that is no JSON object is not sent; the form says so first. */
export function inputOf(draft: VersionDraft): SaveTemplateVersion {
  const part = (value: string) => (value.trim() ? value : null);
  return {
    texts: draft.texts.map(({ locale, subject, preheader, html, text }) => ({
      locale,
      subject: part(subject),
      preheader: part(preheader),
      html: part(html),
      text: part(text),
    })),
    defaultLocale: draft.defaultLocale,
    layoutKey: draft.layoutKey || null,
    testData: dataOf(draft.testData) ?? {},
  };
}

export function isSame(one: VersionDraft, other: VersionDraft): boolean {
  return JSON.stringify(inputOf(one)) === JSON.stringify(inputOf(other)) && one.testData === other.testData;
}

/** Returns the draft with one part of one text changed. The subject and the preheader have one line. */
export function withPart(draft: VersionDraft, locale: string, part: Part, value: string): VersionDraft {
  const written = part === "subject" || part === "preheader" ? value.replace(/\n/g, " ") : value;
  return {
    ...draft,
    texts: draft.texts.map((text) => (text.locale === locale ? { ...text, [part]: written } : text)),
  };
}

/** Adds a language, with the text of another one to translate. */
export function withLocale(draft: VersionDraft, locale: string, from: string): VersionDraft {
  const source = draft.texts.find((text) => text.locale === from) ?? emptyText(locale);
  return { ...draft, texts: [...draft.texts, { ...source, locale }] };
}

/** Removes a language. If it was the default, the first that is left becomes it. */
export function withoutLocale(draft: VersionDraft, locale: string): VersionDraft {
  const texts = draft.texts.filter((text) => text.locale !== locale);
  const [first] = texts;
  if (!first) return draft;
  return {
    ...draft,
    texts,
    defaultLocale: draft.defaultLocale === locale ? first.locale : draft.defaultLocale,
  };
}

/** Returns whether a text is a language tag that the server takes. */
export function isLocale(text: string): boolean {
  return /^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$/.test(text);
}

/** Returns whether a text is only whole once its layout and its partials are put into it. */
export function isLayered(draft: VersionDraft, { html, text }: TextDraft): boolean {
  return draft.layoutKey !== "" || /\{%-?\s*render\b/.test(`${html}\n${text}`);
}

/** Why the draft can't be saved; null: it can. */
export function obstacle(draft: VersionDraft): "testData" | "text" | "preheader" | null {
  if (dataOf(draft.testData) === null) return "testData";
  if (draft.texts.some(({ text, html }) => !text.trim() && !html.trim())) return "text";
  if (draft.texts.some(({ preheader, html }) => preheader.trim() && !html.trim())) return "preheader";
  return null;
}
