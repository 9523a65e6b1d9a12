import { createContext, use, useEffect, useState, type ReactNode } from "react";
import { useChosenLanguage } from "../preferences";
import { loadFile } from "../api/consoleFiles";
import { reloadOnce } from "../api/newVersion";
import { catalogues, languageOf } from "./languages";
import { makeTranslator, type Translator } from "./catalogue";

export type { Key } from "./catalogue";

export const TranslatorContext = createContext<Translator | null>(null);

export function useTranslation(): Translator {
  const translator = use(TranslatorContext);
  if (!translator) throw new Error("useTranslation needs Translations");
  return translator;
}

/** Shows the chosen language or, without a choice, that of `locale`, then that of the browser. */
export function Translations({ locale, children }: { locale: string | null; children: ReactNode }) {
  const chosen = useChosenLanguage();
  const language = chosen ?? languageOf([locale, ...navigator.languages]);
  const [translator, setTranslator] = useState<Translator | null>(null);
  useEffect(() => {
    let current = true;
    void loadFile(catalogues[language]).then(
      (texts) => {
        if (!current) return;
        document.documentElement.lang = language;
        setTranslator(makeTranslator(language, texts.default));
      },
      () => reloadOnce(), // without texts nothing could say what is wrong
    );
    return () => {
      current = false;
    };
  }, [language]);
  return translator && <TranslatorContext value={translator}>{children}</TranslatorContext>;
}
