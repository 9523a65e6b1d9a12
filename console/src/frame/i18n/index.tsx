import { createContext, use, useEffect, useState, type ReactNode } from "react";
import { languageOf, useChosenLanguage, type Language } from "../preferences";
import { areas, type Area } from "./areas";
import { makeTranslator, type Translator } from "./catalogue";

export type { Key } from "./catalogue";

// Only the language that is shown is loaded.
const catalogues: Record<Language, () => Promise<{ default: object }>> = {
  en: () => import("./en/index"),
  ru: () => import("./ru/index"),
};

const TranslatorContext = createContext<Translator | null>(null);

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
    void catalogues[language]().then((texts) => {
      if (!current) return;
      document.documentElement.lang = language;
      setTranslator(makeTranslator(language, texts.default));
    });
    return () => {
      current = false;
    };
  }, [language]);
  return translator && <TranslatorContext value={translator}>{children}</TranslatorContext>;
}

/** Loads the texts of an area's pages, and shows the pages once it has the texts. */
export function AreaTexts({
  area,
  children,
  waiting,
}: {
  area: Area;
  children: ReactNode;
  waiting: ReactNode;
}) {
  const base = useTranslation();
  const [translator, setTranslator] = useState<Translator | null>(null);
  useEffect(() => {
    let current = true;
    void areas[area][base.language as Language]().then((texts) => {
      if (current) setTranslator(makeTranslator(base.language, { ...base.texts, ...texts.default }));
    });
    return () => {
      current = false;
    };
  }, [area, base]);
  // Another language replaces the texts once it is there, so that what was typed into a page stays.
  if (!translator) return waiting;
  return <TranslatorContext value={translator}>{children}</TranslatorContext>;
}
