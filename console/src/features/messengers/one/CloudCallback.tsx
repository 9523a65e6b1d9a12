import { Paper, Stack, Text, Title } from "@mantine/core";
import { useTranslation } from "../../../frame/i18n";
import { Copied } from "../Copied";
import type { Account } from "./useAccount";

/** What to enter at Meta, so that messages come in and statuses are reported. */
export function CloudCallback({ account }: { account: Account }) {
  const { t } = useTranslation();
  return (
    <Paper p="sm">
      <Stack gap={4}>
        <Title order={2}>{t("messengers.callback.title")}</Title>
        <Text size="sm">{t("messengers.callback.text")}</Text>
        <Copied
          label={t("messengers.callback.url")}
          value={`${window.location.origin}/hooks/whatsapp-cloud/${account.uuid}`}
        />
        <Text size="sm">{t("messengers.callback.rest")}</Text>
      </Stack>
    </Paper>
  );
}
