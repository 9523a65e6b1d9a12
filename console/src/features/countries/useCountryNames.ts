import { useMemo } from "react";
import { useTranslation } from "../../frame/i18n";
import { useFormat } from "../../frame/values/format";
import { CODES } from "./codes";

/** Returns the name of a country in the language of the page, and all countries by their names. */
export function useCountryNames() {
  const { t } = useTranslation();
  const { language } = useFormat();
  const world = t("countries.world");
  return useMemo(() => {
    const names = new Intl.DisplayNames([language], { type: "region", fallback: "code" });
    const nameOf = (code: string) => (code === "001" ? world : (names.of(code) ?? code));
    const options = CODES.map((code) => ({ value: code, label: `${nameOf(code)} (${code})` })).sort(
      (left, right) => left.label.localeCompare(right.label, language),
    );
    return { nameOf, options };
  }, [language, world]);
}
