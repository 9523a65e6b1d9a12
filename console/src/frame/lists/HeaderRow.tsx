import "@mantine/core/styles/NumberInput.css";
import { NumberInput } from "@mantine/core";
import { useTranslation } from "../i18n";

interface Props {
  /** the line that the server has found, or that was chosen */
  value: number | null | undefined;
  onChange: (row: number) => void;
}

/** The line of a list with the titles of its columns. */
export function HeaderRow({ value, onChange }: Props) {
  const { t } = useTranslation();
  return (
    <NumberInput
      w={200}
      label={t("lists.headerRow")}
      placeholder={t("lists.noHeader")}
      min={1}
      max={100}
      allowDecimal={false}
      value={value ?? ""}
      onChange={(row) => {
        if (typeof row === "number" && row !== value) onChange(row);
      }}
    />
  );
}
