import { useEffect, useState, type ReactNode } from "react";
import type { Language } from "../preferences";
import { TranslatorContext, useTranslation } from "./index";
import { areas, type Area } from "./areas";
import { makeTranslator, type Translator } from "./catalogue";

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
