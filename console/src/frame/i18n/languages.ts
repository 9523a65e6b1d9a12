// Nothing here needs React: the script that runs first asks for the texts of the language, too.

export const LANGUAGES = ["en", "ru"] as const;
export type Language = (typeof LANGUAGES)[number];

export const LANGUAGE_KEY = "postern-console-language";

// Only the language that is shown is loaded.
export const catalogues: Record<Language, () => Promise<{ default: object }>> = {
  en: () => import("./en/index"),
  ru: () => import("./ru/index"),
};

/** Returns the language that the user has chosen in this browser, or null. */
export function storedLanguage(): Language | null {
  try {
    const stored = localStorage.getItem(LANGUAGE_KEY);
    return LANGUAGES.find((language) => language === stored) ?? null;
  } catch {
    return null;
  }
}

/** Returns the first of these language tags that the console has, in the order given. */
export function languageOf(tags: readonly (string | null | undefined)[]): Language {
  for (const tag of tags) {
    const base = tag?.toLowerCase().split("-")[0];
    const found = LANGUAGES.find((language) => language === base);
    if (found) return found;
  }
  return "en";
}
