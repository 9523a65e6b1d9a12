import { Anchor, Button, Group, Paper, Select, Stack, Text, Title } from "@mantine/core";
import { Link } from "react-router";
import { useClient } from "urql";
import { useLoaded } from "../../frame/api/useLoaded";
import { useRequestForm } from "../../frame/form/useRequestForm";
import { useBilling, usePageNames } from "../../frame/billing";
import { useTranslation } from "../../frame/i18n";
import { useViewer } from "../../frame/session";
import { BalanceTable } from "../../frame/ui/figures/BalanceTable";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { AccountBadge } from "../../frame/ui/figures/AccountBadge";
import { GiveTariff, TariffChoices } from "./documents";
import type { OneUserData } from "./model";

export function AccountsCard({ user }: { user: OneUserData }) {
  const { t } = useTranslation();
  const nameOf = usePageNames();
  const accounts = user.accounts?.nodes ?? [];
  const more = (user.accounts?.totalCount ?? 0) > accounts.length;
  return (
    <Paper p="sm">
      <Group justify="space-between" mb="xs">
        <Title order={2}>{nameOf("nav.accounts")}</Title>
        {more && (
          <Anchor component={Link} to={`/accounts?owner=${user.uuid}`} size="sm">
            {t("users.allAccounts")}
          </Anchor>
        )}
      </Group>
      {accounts.length === 0 ? (
        <Text size="sm">{t("users.noAccounts")}</Text>
      ) : (
        <BalanceTable
          accounts={accounts}
          titles={{
            name: t("accounts.columns.name"),
            state: t("accounts.columns.state"),
            balance: t("accounts.columns.balance"),
          }}
          state={(account) => <AccountBadge account={account} />}
        />
      )}
    </Paper>
  );
}

/** The user's tariff, and another one for the user. */
export function TariffCard({ user, onDone }: { user: OneUserData; onDone: (notice: string) => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const isFree = useBilling() === "off";
  const choices = useLoaded(TariffChoices, {}).data?.tariffs?.nodes ?? [];
  const form = useRequestForm({ initialValues: { code: user.tariff?.code ?? "" } });
  const { code } = form.getValues();
  const give = form.sends(async () => {
    const { data, error } = await client.mutation(GiveTariff, { code, user: user.uuid }).toPromise();
    if (error) return error;
    onDone(t("users.tariffGiven", { email: user.email, tariff: data?.setTariff?.name ?? code }));
  });
  return (
    <Paper p="sm" component="form" onSubmit={give} noValidate>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2}>{t("users.tariff")}</Title>
          {user.tariff && (
            <Anchor component={Link} to={`/tariffs/${user.tariff.code}`} size="sm">
              {t(isFree ? "users.tariffLimits" : "users.tariffPrices")}
            </Anchor>
          )}
        </Group>
        <Group align="flex-start" gap="xs" wrap="nowrap">
          <Select
            flex={1}
            aria-label={t("users.tariff")}
            allowDeselect={false}
            searchable
            data={choices.map((item) => ({ value: item.code, label: item.name }))}
            {...form.getInputProps("code")}
          />
          <Button
            size="sm"
            type="submit"
            loading={form.busy}
            disabled={!code || code === user.tariff?.code}
            title={!code || code === user.tariff?.code ? t("common.unchanged") : undefined}
          >
            {t("users.giveTariff")}
          </Button>
        </Group>
        {form.problem && <ProblemNotice problem={form.problem} />}
      </Stack>
    </Paper>
  );
}

/** Ways to what the user sends. */
export function SendsCard({ user }: { user: OneUserData }) {
  const { t } = useTranslation();
  const { uses } = useViewer();
  return (
    <Paper p="sm">
      <Title order={2} mb="xs">
        {t("users.sends")}
      </Title>
      <Stack gap={6} align="flex-start">
        <Anchor component={Link} to={`/messages?user=${user.uuid}`} size="sm">
          {t("users.itsMessages")}
        </Anchor>
        <Anchor component={Link} to={`/projects?user=${user.uuid}`} size="sm">
          {t("users.itsProjects")}
        </Anchor>
        <Anchor component={Link} to={`/accounts?owner=${user.uuid}`} size="sm">
          {t("users.itsAccounts")}
        </Anchor>
        {uses("trade") && (
          <Anchor component={Link} to={`/countries?user=${user.uuid}`} size="sm">
            {t("users.itsCountries")}
          </Anchor>
        )}
      </Stack>
    </Paper>
  );
}
