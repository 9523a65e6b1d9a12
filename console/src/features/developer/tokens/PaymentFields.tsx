import { Checkbox, NumberInput, Stack, Text } from "@mantine/core";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useBilling } from "../../../frame/billing";
import { useTranslation } from "../../../frame/i18n";
import type { Problem } from "../../../frame/api/errors";
import { PayingAccounts } from "./documents";
import { paysLater, type Draft } from "./draft";

interface Props {
  draft: Draft;
  problem: Problem | null;
  onChange: (part: Partial<Draft>) => void;
}

/** How many single messages a token may send, and what they may cost. One that may send projects has no such limits. */
export function PaymentFields({ draft, problem, onChange }: Props) {
  const { t } = useTranslation();
  const { data } = useLoaded(PayingAccounts, {});
  const accounts = data?.accounts?.nodes ?? [];
  const isFree = useBilling() === "off";
  const { spendPerDay, messagesPerDay, accountIds } = draft;
  if (paysLater(draft) && spendPerDay === null && messagesPerDay === null && accountIds.length === 0)
    return (
      <Text size="xs" c="dimmed">
        {t(isFree ? "tokens.noPaymentsFree" : "tokens.noPayments")}
      </Text>
    );
  return (
    <Stack gap="sm">
      <NumberInput
        label={t("tokens.messagesPerDay")}
        description={t("tokens.messagesPerDayHint")}
        placeholder={t("tokens.noLimit")}
        min={1}
        decimalScale={0}
        hideControls
        value={messagesPerDay ?? ""}
        error={problem?.fields.messagesPerDay}
        onChange={(value) => onChange({ messagesPerDay: value === "" ? null : Number(value) })}
      />
      {!isFree && (
        <NumberInput
          label={t("tokens.spendPerDay")}
          description={t("tokens.spendPerDayHint")}
          placeholder={t("tokens.noLimit")}
          min={0}
          decimalScale={6}
          hideControls
          value={spendPerDay ?? ""}
          error={problem?.fields.spendPerDay}
          onChange={(value) => onChange({ spendPerDay: value === "" ? null : Number(value) })}
        />
      )}
      <Checkbox.Group
        label={t("tokens.accounts")}
        description={t("tokens.accountsHint")}
        value={accountIds}
        error={problem?.fields.accountIds}
        onChange={(accountIds) => onChange({ accountIds })}
      >
        <Stack gap={6} mt={6}>
          {accounts.map(({ uuid, name, currency }) => (
            <Checkbox key={uuid} value={uuid} label={`${name} (${currency})`} />
          ))}
        </Stack>
      </Checkbox.Group>
    </Stack>
  );
}
