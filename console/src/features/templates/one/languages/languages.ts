/** The languages that are offered by name; others are written as a tag. */
const OFFERED =
  "af am ar az be bg bn bs ca cs cy da de el en en-GB en-US es es-MX et eu fa fi fil fr fr-CA ga gl gu he hi hr hu hy " +
  "id is it ja ka kk km kn ko ky lo lt lv mk ml mn mr ms mt my nb ne nl pa pl ps pt pt-BR pt-PT ro ru si sk sl sq sr " +
  "sv sw ta te tg th tk tr uk ur uz vi zh-Hans zh-Hant zu";

export interface Language {
  tag: string;
  /** its name in the language of the reader */
  name: string;
  /** what the field shows: the name and the tag */
  label: string;
  /** by what it is found, in lower case: its names here, in English and in itself, and the tag */
  words: readonly string[];
}

/** Returns the name of a language for people; the tag, if the browser has none. */
export function nameOf(tag: string, language: string): string {
  try {
    return new Intl.DisplayNames(language, { type: "language" }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** Returns the languages that are offered, by their names in `language`. */
export function languagesFor(language: string): Language[] {
  const all = OFFERED.split(" ").map((tag) => {
    const name = nameOf(tag, language);
    const words = [name, nameOf(tag, "en"), nameOf(tag, tag), tag].map((word) => word.toLowerCase());
    return { tag, name, label: `${name} (${tag})`, words };
  });
  return all.sort((one, other) => one.name.localeCompare(other.name, language));
}

/** Returns the tag of what was typed: a name, what the field shows of a choice, or a tag itself; null: none of them. */
export function tagOf(typed: string, languages: readonly Language[]): string | null {
  const tag = typed.trim().replace(/_/g, "-");
  const text = tag.toLowerCase();
  const named = languages.find(({ label, words }) => label.toLowerCase() === text || words.includes(text));
  if (named) return named.tag;
  return isLocale(tag) ? tag : null;
}

/** Returns whether a text is a language tag that the server takes. */
export function isLocale(text: string): boolean {
  return /^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$/.test(text);
}
