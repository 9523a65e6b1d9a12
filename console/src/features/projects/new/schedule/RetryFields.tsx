import { Group, NumberInput, Paper, Text, Title } from "@mantine/core";
import { useTranslation } from "../../../../frame/i18n";
import type { SendingRetryInput } from "../../../../gql/graphql";

interface Props {
  retry: SendingRetryInput;
  onChange: (retry: SendingRetryInput) => void;
}

const number = (value: string | number) => (typeof value === "number" && value > 0 ? value : null);

/** How often a message is tried again by itself when the provider can't take it for a while. */
export function RetryFields({ retry, onChange }: Props) {
  const { t } = useTranslation();
  return (
    <Paper p="sm">
      <Title order={2} mb="xs">
        {t("making.attempts")}
      </Title>
      <Group align="flex-start" gap="sm">
        <NumberInput
          w={220}
          label={t("making.maxAttempts")}
          placeholder="3"
          min={1}
          max={20}
          allowDecimal={false}
          value={retry.maxAttempts ?? ""}
          onChange={(value) => onChange({ ...retry, maxAttempts: number(value) })}
        />
        <NumberInput
          w={220}
          label={t("making.backoff")}
          placeholder="60"
          min={1}
          max={86_400}
          allowDecimal={false}
          value={retry.backoffSeconds ?? ""}
          onChange={(value) => onChange({ ...retry, backoffSeconds: number(value) })}
        />
      </Group>
      <Text size="xs" c="dimmed" mt="xs">
        {t("making.attemptsHint")}
      </Text>
    </Paper>
  );
}
