import { htmlOf } from "./html";
import type { Letter } from "./schema";
import { textOf } from "./text";

export interface RenderedLetter {
  html: string;
  text: string;
}

/** Returns the HTML and the text of a stored letter; null: it is none, and what was made of it stays. */
export function renderedOf(source: string, locale: string, title: string): RenderedLetter | null {
  try {
    const { doc } = JSON.parse(source) as { doc: Letter };
    return { html: htmlOf(doc, locale, title), text: textOf(doc) };
  } catch {
    return null;
  }
}
