import { TextInput, type TextInputProps } from "@mantine/core";
import { useTranslation } from "../../frame/i18n";

/** Countries by their two letters, in one line. */
export function CountriesInput(props: TextInputProps) {
  const { t } = useTranslation();
  return (
    <TextInput
      {...props}
      label={t("senderIds.countries")}
      description={t("senderIds.countriesHint")}
      placeholder="DE, AT, CH"
      maxLength={1000}
      spellCheck={false}
    />
  );
}
