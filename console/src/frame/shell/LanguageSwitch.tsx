import { SegmentedControl } from "@mantine/core";
import { useTranslation } from "../i18n";
import { chooseLanguage, LANGUAGES, type Language } from "../preferences";

// Each language is named in itself, so that everybody finds their own.
export const LANGUAGE_NAMES: Record<Language, string> = { en: "English", ru: "Русский" };

export function LanguageSwitch() {
  const { t, language } = useTranslation();
  return (
    <SegmentedControl
      size="xs"
      aria-label={t("language.choose")}
      value={language}
      onChange={(value) => chooseLanguage(value as Language)}
      data={LANGUAGES.map((language) => ({ value: language, label: LANGUAGE_NAMES[language] }))}
    />
  );
}
