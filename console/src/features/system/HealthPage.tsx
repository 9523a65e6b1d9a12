import { Button, Group, Loader, Paper, Stack, Text, Title } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconExclamationCircle, IconRefresh } from "@tabler/icons-react";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../frame/api/errors";
import { useLoaded } from "../../frame/api/useLoaded";
import { useTranslation } from "../../frame/i18n";
import { Figure, Figures } from "../../frame/ui/figures/Figures";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { Time } from "../../frame/ui/Time";
import { useVisibleInterval } from "../../frame/ui/useInterval";
import type { DoctorReportQuery } from "../../gql/graphql";
import { AdminOnly } from "../../frame/ui/page/AdminOnly";
import { DoctorReport } from "./documents";
import classes from "./system.module.css";
import { SystemFrame } from "./SystemFrame";

const POLL_MS = 60_000;

type Report = NonNullable<DoctorReportQuery["doctor"]>;
type Finding = Report["findings"][number];

const ICONS = {
  error: { Icon: IconExclamationCircle, color: "red" },
  warning: { Icon: IconAlertTriangle, color: "yellow" },
  ok: { Icon: IconCircleCheck, color: "teal" },
} as const;

export default function HealthPage() {
  return (
    <AdminOnly>
      <Health />
    </AdminOnly>
  );
}

/** What is wrong with the installation, and what to do about it. */
function Health() {
  const { t } = useTranslation();
  const client = useClient();
  const loaded = useLoaded(DoctorReport, { fresh: false });
  const [again, setAgain] = useState<Report | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  useVisibleInterval(loaded.reload, POLL_MS);

  async function checkAgain() {
    setBusy(true);
    setProblem(null);
    const { data, error } = await client
      .query(DoctorReport, { fresh: true }, { requestPolicy: "network-only" })
      .toPromise();
    setBusy(false);
    if (data?.doctor) setAgain(data.doctor);
    if (error) setProblem(problemOf(error));
  }

  const report = newest(loaded.data?.doctor, again);
  const shown = problem ?? loaded.problem;
  return (
    <SystemFrame
      actions={
        <Group gap="sm">
          {report && (
            <Text size="xs" c="dimmed" role="status">
              {t("system.examinedAt")} <Time value={report.examinedAt} />
            </Text>
          )}
          <Button
            variant="default"
            leftSection={<IconRefresh size={14} />}
            loading={busy}
            onClick={() => void checkAgain()}
          >
            {t("system.checkAgain")}
          </Button>
        </Group>
      }
    >
      {shown && <ProblemNotice problem={shown} onRetry={() => void checkAgain()} />}
      {report ? (
        <ReportView report={report} />
      ) : (
        loaded.loading && (
          <Paper p="md">
            <Group gap="sm">
              <Loader size="sm" aria-label={t("common.loading")} />
              <Text size="sm">{t("system.checking")}</Text>
            </Group>
          </Paper>
        )
      )}
    </SystemFrame>
  );
}

function newest(item: Report | null | undefined, other: Report | null): Report | null {
  if (!item || !other) return item ?? other;
  return Date.parse(item.examinedAt) > Date.parse(other.examinedAt) ? item : other;
}

function ReportView({ report }: { report: Report }) {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const all = params.get("show") === "all";
  const of = (severity: Finding["severity"]) =>
    report.findings.filter((finding) => finding.severity === severity);
  const [errors, warnings, well] = [of("error"), of("warning"), of("ok")];
  return (
    <>
      {errors.length > 0 && <Findings title={t("system.errors")} findings={errors} />}
      {warnings.length > 0 && <Findings title={t("system.warnings")} findings={warnings} />}
      <Paper p="sm">
        <Group justify="space-between">
          <Group gap={8}>
            <IconCircleCheck size={18} color="var(--mantine-color-teal-6)" aria-hidden />
            <Title order={2}>
              {errors.length + warnings.length === 0
                ? t("system.allWell", { count: well.length })
                : t("system.well", { count: well.length })}
            </Title>
          </Group>
          <Button
            variant="subtle"
            color="gray"
            aria-expanded={all}
            onClick={() => setParams(all ? {} : { show: "all" }, { replace: true })}
          >
            {t(all ? "system.hideWell" : "system.showWell")}
          </Button>
        </Group>
        {all && <List findings={well} />}
      </Paper>
      <Installation report={report} />
    </>
  );
}

function Findings({ title, findings }: { title: string; findings: Finding[] }) {
  return (
    <Paper p="sm" component="section" aria-label={title}>
      <Title order={2} mb={4}>
        {title}
      </Title>
      <List findings={findings} />
    </Paper>
  );
}

function List({ findings }: { findings: Finding[] }) {
  const { t, textOr } = useTranslation();
  return (
    <ul className={classes.findings}>
      {findings.map(({ severity, topic, text, advice }, index) => {
        const { Icon, color } = ICONS[severity];
        return (
          <li key={index}>
            <Icon
              size={18}
              color={`var(--mantine-color-${color}-6)`}
              aria-label={t(`system.severities.${severity}`)}
            />
            <Text size="sm" c="dimmed" className={classes.topic}>
              {textOr(`system.topics.${topic}`, topic)}
            </Text>
            <div>
              <Text size="sm" fw={severity === "ok" ? undefined : 600}>
                {text}
              </Text>
              {advice && <Text size="sm">{advice}</Text>}
            </div>
          </li>
        );
      })}
    </ul>
  );
}

function Installation({ report }: { report: Report }) {
  const { t } = useTranslation();
  return (
    <Paper p="sm">
      <Title order={2} mb="xs">
        {t("system.installation")}
      </Title>
      <Figures>
        <Figure label={t("system.version")}>{report.version}</Figure>
        <Figure label="Python">{report.python}</Figure>
        <Figure label={t("system.servers")}>
          {t(report.embedded ? "system.embedded" : "system.ownServers")}
        </Figure>
      </Figures>
      <Stack gap={2} mt="sm">
        <Text size="xs" c="dimmed">
          {t("system.leftOut")}
        </Text>
        <ul className={classes.leftOut}>
          {report.leftOut.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </Stack>
    </Paper>
  );
}
