import "@mantine/core/styles/Checkbox.css";
import { Checkbox, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import type { Purpose } from "../../gql/graphql";
import { useTranslation } from "../i18n";
import { PURPOSES } from "../installation";

interface Props {
  value?: readonly Purpose[];
  onChange: (value: Purpose[]) => void;
  error?: ReactNode;
  disabled?: boolean;
}

/** Chooses what the installation is for: several, or none. */
export function PurposeChoice({ value = [], onChange, error, disabled = false }: Props) {
  const { t } = useTranslation();
  return (
    <Checkbox.Group
      label={t("purpose.question")}
      description={t("purpose.hint")}
      error={error}
      value={[...value]}
      onChange={(chosen) => onChange(PURPOSES.filter((purpose) => chosen.includes(purpose)))}
    >
      <Stack gap="xs" mt="xs">
        {PURPOSES.map((purpose) => (
          <Checkbox
            key={purpose}
            value={purpose}
            disabled={disabled}
            label={t(`purpose.names.${purpose}`)}
            description={t(`purpose.texts.${purpose}`)}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
