import { Store, useStore } from "./store";

export const LANGUAGES = ["en", "ru"] as const;
export type Language = (typeof LANGUAGES)[number];

const KEY = "postern-console-language";

/** What the user has chosen; null: follow the user's locale, then the browser's. */
const chosen = new Store<Language | null>(read());

/** Shows in this tab what the user has chosen in another one. */
export function followOtherTabs(): void {
  window.addEventListener("storage", (event) => {
    if (event.key === KEY || event.key === null) chosen.set(read());
  });
}

export function useChosenLanguage(): Language | null {
  return useStore(chosen);
}

export function chooseLanguage(language: Language): void {
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // Storage is blocked: the choice holds until the page is closed.
  }
  chosen.set(language);
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

function read(): Language | null {
  try {
    const stored = localStorage.getItem(KEY);
    return LANGUAGES.find((language) => language === stored) ?? null;
  } catch {
    return null;
  }
}
