import { Checkbox, List, Stack, Text } from "@mantine/core";
import { useTranslation } from "../../frame/i18n";
import { Time } from "../../frame/ui/Time";
import { choicesOf, type InUse, type Keep } from "./inUse";

interface Props {
  credentials: readonly InUse[];
  keep: Keep;
  onChange: (part: Keep) => void;
}

/** Asks what becomes of credentials that a member has made, and that are in use. */
export function KeepFields({ credentials, keep, onChange }: Props) {
  const { t } = useTranslation();
  if (credentials.length === 0) return null;
  return (
    <Stack gap="xs">
      <Text size="sm">{t("members.inUse")}</Text>
      <List size="sm" spacing={2}>
        {credentials.map(({ credentialUuid, kind, name, lastUsedAt }) => (
          <List.Item key={credentialUuid}>
            {t(`members.credentials.${kind}`)}: {name}{" "}
            <Text span size="xs" c="dimmed">
              {lastUsedAt && <Time value={lastUsedAt} />}
            </Text>
          </List.Item>
        ))}
      </List>
      {choicesOf(credentials).map((choice) => (
        <Checkbox
          key={choice}
          label={t(`members.${choice}`)}
          description={t(`members.${choice}Hint`)}
          checked={keep[choice] ?? false}
          onChange={(event) => onChange({ [choice]: event.currentTarget.checked })}
        />
      ))}
    </Stack>
  );
}
