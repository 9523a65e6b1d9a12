import { Badge, Button, Paper, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../../frame/api/errors";
import { useTranslation } from "../../../frame/i18n";
import { useViewer } from "../../../frame/session";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { Time } from "../../../frame/ui/Time";
import type { ReportFieldsFragment } from "../../../gql/graphql";
import { ReportMail } from "./reportDocuments";
import classes from "../messages.module.css";
import type { Story } from "./story";

const COLORS = { bounce: "red", delay: "orange", complaint: "red", rescue: "teal" } as const;

/** The reports about an email that came back as mail, newest first. Shown only where there are any. */
export function ReportsCard({ story }: { story: Story }) {
  const { t } = useTranslation();
  const reports = (story.direct ?? story.record)?.mailReports?.nodes ?? [];
  if (reports.length === 0) return null;
  return (
    <Paper p="sm">
      <Title order={2} mb="xs">
        {t("message.reports")}
      </Title>
      <Stack gap="sm">
        {reports.map((report) => (
          <Report key={report.uuid} report={report} />
        ))}
      </Stack>
    </Paper>
  );
}

function Report({ report }: { report: ReportFieldsFragment }) {
  const { uses } = useViewer();
  const { t } = useTranslation();
  const { type, bounceClass, status, code, diagnostic, createdAt } = report;
  return (
    <Stack gap={4} align="flex-start">
      <Badge variant="light" color={COLORS[type]} radius="sm" size="sm" tt="none" fw={500}>
        {t(`message.reportTypes.${type}`)}
        {bounceClass && ` · ${t(`message.reportClasses.${bounceClass}`)}`}
      </Badge>
      {diagnostic && (
        <Text size="sm" style={{ overflowWrap: "anywhere" }}>
          {diagnostic}
        </Text>
      )}
      <Text size="xs" c="dimmed">
        {[status, code].filter(Boolean).join(" · ")} <Time value={createdAt} />
      </Text>
      {uses("mail") && <Mail id={report.uuid} />}
    </Stack>
  );
}

/** The mail itself, which is asked for when somebody wants to read it. */
function Mail({ id }: { id: string }) {
  const { t } = useTranslation();
  const client = useClient();
  const [busy, setBusy] = useState(false);
  const [mail, setMail] = useState<string | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);

  async function show() {
    setBusy(true);
    setProblem(null);
    const { data, error } = await client.query(ReportMail, { id }).toPromise();
    setBusy(false);
    if (data?.mailReportMail) setMail(data.mailReportMail.mail);
    if (error) setProblem(problemOf(error));
  }

  if (mail !== null) return <pre className={classes.body}>{mail}</pre>;
  if (problem?.code === "not_found") {
    return (
      <Text size="xs" c="dimmed">
        {t("message.reportMailGone")}
      </Text>
    );
  }
  return (
    <>
      {problem && <ProblemNotice problem={problem} onRetry={() => void show()} />}
      <Button variant="subtle" size="compact-xs" loading={busy} onClick={() => void show()}>
        {t("message.reportMail")}
      </Button>
    </>
  );
}
