import { LANGUAGE_KEY, storedLanguage, type Language } from "./i18n/languages";
import { Store, useStore } from "./store";

export { LANGUAGES, languageOf, type Language } from "./i18n/languages";

/** What the user has chosen; null: follow the user's locale, then the browser's. */
const chosen = new Store<Language | null>(storedLanguage());

/** Shows in this tab what the user has chosen in another one. */
export function followOtherTabs(): void {
  window.addEventListener("storage", (event) => {
    if (event.key === LANGUAGE_KEY || event.key === null) chosen.set(storedLanguage());
  });
}

export function useChosenLanguage(): Language | null {
  return useStore(chosen);
}

export function chooseLanguage(language: Language): void {
  try {
    localStorage.setItem(LANGUAGE_KEY, language);
  } catch {
    // Storage is blocked: the choice holds until the page is closed.
  }
  chosen.set(language);
}
