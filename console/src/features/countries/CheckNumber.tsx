import { Alert, Button, Group, Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { useState } from "react";
import { useClient } from "urql";
import { useRequestForm } from "../../frame/form/useRequestForm";
import { useTranslation } from "../../frame/i18n";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { useFormat } from "../../frame/values/format";
import type { CheckCountryQuery } from "../../gql/graphql";
import { CheckCountry } from "./documents";
import { useCountryNames } from "../../frame/values/useCountryNames";

type Check = NonNullable<CheckCountryQuery["checkCountry"]>;

/** Says whether an SMS to a number would be accepted now. */
export function CheckNumber({ user }: { user: string | null }) {
  const { t } = useTranslation();
  const client = useClient();
  const [check, setCheck] = useState<Check | null>(null);
  const form = useRequestForm({ mode: "controlled", initialValues: { to: "" } });
  const to = form.getValues().to.trim();
  const ask = form.sends(async () => {
    setCheck(null);
    const { data, error } = await client
      .query(CheckCountry, { to, user }, { requestPolicy: "network-only" })
      .toPromise();
    if (error) return error;
    setCheck(data?.checkCountry ?? null);
  });
  return (
    <Paper p="sm" component="form" onSubmit={ask} noValidate>
      <Stack gap="sm">
        <Title order={2}>{t("countries.checkTitle")}</Title>
        <Group gap="xs" align="flex-end" wrap="nowrap">
          <TextInput
            flex={1}
            label={t("countries.number")}
            placeholder="+49 30 123456"
            inputMode="tel"
            maxLength={64}
            {...form.getInputProps("to")}
          />
          <Button
            variant="default"
            size="sm"
            type="submit"
            loading={form.busy}
            disabled={!to}
            title={!to ? t("common.fillForm") : undefined}
          >
            {t("countries.check")}
          </Button>
        </Group>
        {form.problem && <ProblemNotice problem={form.problem} />}
        {check && <Result check={check} />}
      </Stack>
    </Paper>
  );
}

function Result({ check }: { check: Check }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { nameOf } = useCountryNames();
  const country = `${nameOf(check.country)} (${check.country})`;
  return (
    <Alert color={check.allowed ? "teal" : "orange"} role="status" title={`${check.to}: ${country}`}>
      {t(check.refusedBy ? `countries.refusedBy.${check.refusedBy}` : "countries.accepted")}
      {check.leftThisHour !== null && (
        <Text size="sm">{t("countries.leftThisHour", { number: format.number(check.leftThisHour) })}</Text>
      )}
      {check.leftToday !== null && (
        <Text size="sm">{t("countries.leftToday", { number: format.number(check.leftToday) })}</Text>
      )}
    </Alert>
  );
}
