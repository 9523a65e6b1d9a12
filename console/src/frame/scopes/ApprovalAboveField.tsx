import { NumberInput } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "../i18n";

interface Props {
  /** null: no limit */
  value: number | null;
  error?: ReactNode;
  onChange: (value: number | null) => void;
}

/** How many distinct people a token or a member may reach in 24 hours without an approved plan. */
export function ApprovalAboveField({ value, error, onChange }: Props) {
  const { t } = useTranslation();
  return (
    <NumberInput
      label={t("scopeList.approvalAbove")}
      description={t("scopeList.approvalAboveHint")}
      placeholder={t("scopeList.anyNumber")}
      min={0}
      max={1_000_000}
      decimalScale={0}
      hideControls
      value={value ?? ""}
      error={error}
      onChange={(next) => onChange(next === "" ? null : Number(next))}
    />
  );
}
