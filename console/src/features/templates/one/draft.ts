import type { SaveTemplateVersion, VersionTextsFragment } from "../../../gql/graphql";
import type { Begun } from "../builder/LetterTab";
import { canonical } from "../builder/document/canonical";
import { renderedOf } from "../builder/document/rendered";

/** The text of one language, as it is written. A part that is empty is not there. */
export interface TextDraft {
  locale: string;
  subject: string;
  preheader: string;
  html: string;
  text: string;
  /** the document of the letter builder that the HTML is made from, as JSON; empty: it is written by hand */
  source: string;
}
export type Part = "subject" | "preheader" | "html" | "text";

/** A version, as it is written. */
export interface VersionDraft {
  texts: TextDraft[];
  defaultLocale: string;
  layoutKey: string;
  name: string;
  /** JSON */
  testData: string;
}

export const emptyText = (locale: string): TextDraft => ({
  locale,
  subject: "",
  preheader: "",
  html: "",
  text: "",
  source: "",
});

export const emptyVersion = (locale: string): VersionDraft => ({
  texts: [emptyText(locale)],
  defaultLocale: locale,
  layoutKey: "",
  name: "",
  testData: "",
});

export function draftOf(version: VersionTextsFragment): VersionDraft {
  const { defaultLocale, layoutKey, name, testData, texts } = version;
  const data = testData as Record<string, unknown> | null;
  const written = (texts ?? []).map(({ locale, subject, preheader, html, text, source }) => ({
    locale,
    subject: subject ?? "",
    preheader: preheader ?? "",
    html: html ?? "",
    text: text ?? "",
    source: source ? canonical(source) : "",
  }));
  return {
    texts: written,
    defaultLocale,
    layoutKey: layoutKey ?? "",
    name: name ?? "",
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
    texts: draft.texts.map(({ locale, subject, preheader, html, text, source }) => ({
      locale,
      subject: part(subject),
      preheader: part(preheader),
      html: part(html),
      text: part(text),
      source: source ? (JSON.parse(source) as unknown) : null,
    })),
    defaultLocale: draft.defaultLocale,
    layoutKey: draft.layoutKey || null,
    name: part(draft.name.trim()),
    testData: dataOf(draft.testData) ?? {},
  };
}

export function isSame(one: VersionDraft, other: VersionDraft): boolean {
  return JSON.stringify(inputOf(one)) === JSON.stringify(inputOf(other)) && one.testData === other.testData;
}

/** Returns the draft with some values of one text changed. */
function withValues(draft: VersionDraft, locale: string, values: Partial<TextDraft>): VersionDraft {
  return {
    ...draft,
    texts: draft.texts.map((text) => (text.locale === locale ? { ...text, ...values } : text)),
  };
}

/** Returns the draft with one part of one text changed. The subject and the preheader have one line. */
export function withPart(draft: VersionDraft, locale: string, part: Part, value: string): VersionDraft {
  const written = part === "subject" || part === "preheader" ? value.replace(/\n/g, " ") : value;
  const next = withValues(draft, locale, { [part]: written });
  const text = textIn(next, locale);
  // The HTML of a letter has the subject as its title.
  return part === "subject" && text?.source ? withLetter(next, locale, text.source) : next;
}

/** Returns the draft with a letter, and the HTML that is made of it. The text part follows it until it is changed. */
export function withLetter(draft: VersionDraft, locale: string, source: string): VersionDraft {
  const text = textIn(draft, locale);
  const made = text && renderedOf(source, locale, text.subject);
  if (!made) return draft;
  const plain = text.text.trim() === "" || followsLetter(text) ? made.text : text.text;
  return withValues(draft, locale, { source, html: made.html, text: plain });
}

/** Returns the draft with a part that was written. A text part of a letter that is emptied is made from it again. */
export function withWritten(draft: VersionDraft, text: TextDraft, part: Part, value: string): VersionDraft {
  const next = withPart(draft, text.locale, part, value);
  return part === "text" && !value.trim() && text.source ? withLetter(next, text.locale, text.source) : next;
}

/** Returns the draft with a letter to begin with; what was written of subject, preheader and test data stays. */
export function withBegun(draft: VersionDraft, text: TextDraft, begun: Begun): VersionDraft {
  const { subject, preheader, source, testData } = begun;
  const next = withValues(draft, text.locale, {
    subject: text.subject || subject,
    preheader: text.preheader || preheader,
  });
  const data = Object.keys(testData).length > 0 ? JSON.stringify(testData, null, 2) : "";
  return withLetter({ ...next, testData: draft.testData || data }, text.locale, source);
}

/** Returns the draft whose HTML is written by hand from now on. */
export function withoutLetter(draft: VersionDraft, locale: string): VersionDraft {
  return withValues(draft, locale, { source: "" });
}

/** Returns whether the text part is what was made of the letter. */
export function followsLetter({ source, locale, subject, text }: TextDraft): boolean {
  return source !== "" && renderedOf(source, locale, subject)?.text === text;
}

const textIn = (draft: VersionDraft, locale: string) => draft.texts.find((text) => text.locale === locale);

/** Adds a language, with the text of another one to translate. */
export function withLocale(draft: VersionDraft, locale: string, from: string): VersionDraft {
  const source = draft.texts.find((text) => text.locale === from) ?? emptyText(locale);
  const next = { ...draft, texts: [...draft.texts, { ...source, locale }] };
  return source.source ? withLetter(next, locale, source.source) : next;
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
