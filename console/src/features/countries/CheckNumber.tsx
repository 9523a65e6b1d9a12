import { Alert, Button, Group, Paper, Stack, Text, TextInput, Title } from "@mantine/core";
import { useState, type SubmitEvent } from "react";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../frame/api/errors";
import { useTranslation } from "../../frame/i18n";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { useFormat } from "../../frame/values/format";
import type { CheckCountryQuery } from "../../gql/graphql";
import { CheckCountry } from "./documents";
import { useCountryNames } from "./useCountryNames";

type Check = NonNullable<CheckCountryQuery["checkCountry"]>;

/** Says whether an SMS to a number would be accepted now. */
export function CheckNumber({ user }: { user: string | null }) {
  const { t } = useTranslation();
  const client = useClient();
  const [to, setTo] = useState("");
  const [busy, setBusy] = useState(false);
  const [check, setCheck] = useState<Check | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  async function ask(event: SubmitEvent) {
    event.preventDefault();
    if (!to.trim()) return;
    setBusy(true);
    setProblem(null);
    setCheck(null);
    const { data, error } = await client
      .query(CheckCountry, { to: to.trim(), user }, { requestPolicy: "network-only" })
      .toPromise();
    setBusy(false);
    if (data?.checkCountry) setCheck(data.checkCountry);
    if (error) setProblem(problemOf(error));
  }
  return (
    <Paper p="sm" component="form" onSubmit={ask}>
      <Stack gap="sm">
        <Title order={2}>{t("countries.checkTitle")}</Title>
        <Group gap="xs" align="flex-end" wrap="nowrap">
          <TextInput
            flex={1}
            label={t("countries.number")}
            placeholder="+49 30 123456"
            inputMode="tel"
            value={to}
            maxLength={64}
            onChange={(event) => setTo(event.currentTarget.value)}
          />
          <Button variant="default" size="sm" type="submit" loading={busy} disabled={!to.trim()}>
            {t("countries.check")}
          </Button>
        </Group>
        {problem && <ProblemNotice problem={problem} />}
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
