import "@mantine/core/styles/Radio.css";
import { Radio, Stack } from "@mantine/core";
import { useTranslation } from "../../frame/i18n";
import type { BlockScope } from "../../gql/graphql";
import { SCOPES } from "./search";

interface Props {
  value: BlockScope;
  onChange: (scope: BlockScope) => void;
  disabled?: boolean;
}

/** Which messages a block stops. */
export function ScopeChoice({ value, onChange, disabled = false }: Props) {
  const { t } = useTranslation();
  return (
    <Radio.Group
      label={t("blocks.scope")}
      value={value}
      onChange={(chosen) => onChange(SCOPES.find((item) => item === chosen) ?? "all")}
    >
      <Stack gap={6} mt={6}>
        {SCOPES.map((scope) => (
          <Radio key={scope} value={scope} label={t(`blocks.scopes.${scope}`)} disabled={disabled} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
