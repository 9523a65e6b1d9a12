import { useEffect, useState, type ReactNode } from "react";
import type { Language } from "../preferences";
import { TranslatorContext, useTranslation } from "./index";
import { loadFile } from "../api/consoleFiles";
import { makeTranslator, type Translator } from "./catalogue";

/** How the texts of a feature are loaded, in each language. */
export type Loaders = Record<Language, () => Promise<{ default: object }>>;

/** Loads the texts of an area's pages, and shows the pages once it has the texts. */
export function AreaTexts({
  area,
  children,
  waiting,
}: {
  /** the features whose texts the pages need, the same array each time */
  area: Loaders[];
  children: ReactNode;
  waiting: ReactNode;
}) {
  const base = useTranslation();
  const [translator, setTranslator] = useState<Translator | null>(null);
  const [failure, setFailure] = useState<Error | null>(null);
  useEffect(() => {
    let current = true;
    Promise.all(area.map((feature) => loadFile(feature[base.language as Language]))).then(
      (loaded) => {
        const texts = loaded.map((one) => one.default);
        if (current)
          setTranslator(makeTranslator(base.language, Object.assign({}, base.texts, ...texts) as object));
      },
      (reason: unknown) => setFailure(reason instanceof Error ? reason : new Error(String(reason))),
    );
    return () => {
      current = false;
    };
  }, [area, base]);
  // Another language replaces the texts once it is there, so that what was typed into a page stays.
  if (failure !== null) throw failure; // to the page's boundary
  if (!translator) return waiting;
  return <TranslatorContext value={translator}>{children}</TranslatorContext>;
}
