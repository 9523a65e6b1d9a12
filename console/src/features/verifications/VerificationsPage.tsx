import { Loader, Paper, SegmentedControl, Stack, Table, Text, Title } from "@mantine/core";
import { useSearchParams } from "react-router";
import { useLoaded } from "../../frame/api/useLoaded";
import { useBilling } from "../../frame/billing";
import { useTranslation } from "../../frame/i18n";
import { Empty } from "../../frame/ui/page/Empty";
import { Notice, useNotice } from "../../frame/ui/page/Notice";
import { PageHead } from "../../frame/ui/page/PageHead";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../frame/ui/page/usePageTitle";
import { useVisibleInterval } from "../../frame/ui/useInterval";
import { useFormat } from "../../frame/values/format";
import { useCountryNames } from "../../frame/values/useCountryNames";
import type { VerificationsPageQuery } from "../../gql/graphql";
import { VerificationsPage as PageDocument } from "./documents";
import { ProtectionForm } from "./ProtectionForm";
import { SuspectedTable } from "./SuspectedTable";
import classes from "./verifications.module.css";

type Report = NonNullable<VerificationsPageQuery["verificationReport"]>;

const POLL_MS = 30_000;
const HOURS = { day: 24, week: 168 } as const;
const RANGES = ["day", "week"] as const;

/** Codes by country, what was withheld on suspicion of SMS pumping, and the protection from it. */
export default function VerificationsPage() {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const range = RANGES.find((name) => name === params.get("range")) ?? "day";
  const { data, current, problem, loading, reload } = useLoaded(PageDocument, { hours: HOURS[range] });
  const notice = useNotice();
  usePageTitle(t("nav.verifications"));
  useVisibleInterval(reload, POLL_MS);
  // Numbers of another period never stand below the name of this one.
  const report = current ? data?.verificationReport : null;
  const protection = data?.verificationProtection;
  return (
    <Stack gap="sm">
      <PageHead title={t("nav.verifications")} about={t("verifications.about")}>
        <SegmentedControl
          size="xs"
          aria-label={t("verifications.range")}
          value={range}
          onChange={(value) => setParams(value === "day" ? {} : { range: value }, { replace: true })}
          data={RANGES.map((value) => ({ value, label: t(`verifications.ranges.${value}`) }))}
        />
      </PageHead>
      <Notice message={notice.message} onDismiss={notice.dismiss} />
      {problem && <ProblemNotice problem={problem} onRetry={reload} />}
      {!data && loading && <Loader size="sm" aria-label={t("common.loading")} />}
      {data && (
        <div className={classes.columns}>
          <Stack gap="sm">
            {report && <Countries report={report} />}
            <SuspectedTable rows={data.suspectedGroups?.nodes ?? []} />
          </Stack>
          {protection && (
            <ProtectionForm
              protection={protection}
              onSaved={() => {
                notice.show(t("verifications.saved"));
                reload();
              }}
            />
          )}
        </div>
      )}
    </Stack>
  );
}

function Countries({ report }: { report: Report }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { nameOf } = useCountryNames();
  const isFree = useBilling() === "off";
  const { countries, saved, enabled } = report;
  return (
    <Paper p="sm">
      <Title order={2} mb={4}>
        {t("verifications.byCountry")}
      </Title>
      {saved.map(({ currency, amount, messages }) => (
        <Text key={currency} size="sm">
          {t(isFree ? "verifications.withheld" : "verifications.saves", {
            count: messages,
            number: format.number(messages),
            amount: format.money(amount, currency),
          })}
        </Text>
      ))}
      {countries.length === 0 ? (
        <Empty text={t(enabled ? "verifications.none" : "verifications.notCounted")} />
      ) : (
        <Table verticalSpacing={6} aria-label={t("verifications.byCountry")}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("verifications.country")}</Table.Th>
              <Table.Th ta="end">{t("verifications.started")}</Table.Th>
              <Table.Th ta="end">{t("verifications.approved")}</Table.Th>
              <Table.Th ta="end">{t("verifications.suppressed")}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {countries.map(({ country, started, approved, suppressed }) => (
              <Table.Tr key={country}>
                <Table.Td fw={500} className={classes.anywhere}>
                  {nameOf(country)}
                </Table.Td>
                <Table.Td ta="end">{format.number(started)}</Table.Td>
                <Table.Td ta="end">
                  {format.number(approved)}
                  {started > 0 && (
                    <Text size="xs" c="dimmed">
                      {format.percent(approved / started)}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td ta="end" fw={suppressed > 0 ? 600 : undefined}>
                  {format.number(suppressed)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Paper>
  );
}
