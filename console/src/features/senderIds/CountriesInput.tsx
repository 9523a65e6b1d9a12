import { TagsInput, type TagsInputProps } from "@mantine/core";
import { useTranslation } from "../../frame/i18n";

interface Props extends Omit<TagsInputProps, "value" | "onChange"> {
  value?: string[];
  onChange: (countries: string[]) => void;
}

/** Countries by their two letters. */
export function CountriesInput({ value = [], onChange, ...props }: Props) {
  const { t } = useTranslation();
  return (
    <TagsInput
      {...props}
      label={t("senderIds.countries")}
      description={t("senderIds.countriesHint")}
      placeholder={value.length === 0 ? "DE, AT, CH" : ""}
      splitChars={[",", " "]}
      maxTags={250}
      value={value}
      onChange={(countries) => onChange([...new Set(countries.map((country) => country.toUpperCase()))])}
    />
  );
}
