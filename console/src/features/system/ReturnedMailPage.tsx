import { Alert, Button, FileButton, Group, Paper, Stack, Table, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../frame/api/errors";
import { useTranslation } from "../../frame/i18n";
import { Figure, Figures } from "../../frame/ui/figures/Figures";
import { AdminOnly } from "../../frame/ui/page/AdminOnly";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import type { ParseMailReportQuery } from "../../gql/graphql";
import { ParseMailReport } from "./documents";
import { SystemFrame } from "./SystemFrame";

type Report = NonNullable<ParseMailReportQuery["parseMailReport"]>;

const MOST_CHARACTERS = 256 * 1024;

export default function ReturnedMailPage() {
  return (
    <AdminOnly>
      <ReturnedMail />
    </AdminOnly>
  );
}

/** Reads a mail that came back, and shows what it would lead to. */
function ReturnedMail() {
  const { t } = useTranslation();
  const client = useClient();
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const [report, setReport] = useState<Report | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);

  async function read() {
    setBusy(true);
    setProblem(null);
    setReport(null);
    const { data, error } = await client
      .query(ParseMailReport, { input: { text } }, { requestPolicy: "network-only" })
      .toPromise();
    setBusy(false);
    if (data?.parseMailReport) setReport(data.parseMailReport);
    if (error) setProblem(problemOf(error));
  }

  async function take(file: File | null) {
    if (file) setText((await file.slice(0, MOST_CHARACTERS).text()).slice(0, MOST_CHARACTERS));
  }

  return (
    <SystemFrame>
      <Paper p="md">
        <Stack gap="sm">
          <Textarea
            label={t("system.mail.source")}
            description={t("system.mail.explanation")}
            value={text}
            onChange={(event) => setText(event.currentTarget.value.slice(0, MOST_CHARACTERS))}
            autosize
            minRows={8}
            maxRows={20}
          />
          <Group gap="sm">
            <Button
              loading={busy}
              disabled={!text.trim()}
              title={!text.trim() ? t("common.fillForm") : undefined}
              onClick={() => void read()}
            >
              {t("system.mail.read")}
            </Button>
            <FileButton onChange={(file) => void take(file)} accept=".eml,message/rfc822,text/plain">
              {(props) => (
                <Button variant="default" {...props}>
                  {t("system.mail.file")}
                </Button>
              )}
            </FileButton>
          </Group>
        </Stack>
      </Paper>
      {problem && <ProblemNotice problem={problem} onRetry={() => void read()} />}
      {report && <ReportView report={report} />}
    </SystemFrame>
  );
}

function ReportView({ report }: { report: Report }) {
  const { t } = useTranslation();
  const { message, effect } = report;
  return (
    <Paper p="md" role="status">
      <Stack gap="sm">
        {report.ignored && (
          <Alert color="gray" title={t("system.mail.noReport")}>
            {t(`system.mail.ignored.${report.ignored}`)}
          </Alert>
        )}
        <Figures>
          <Figure label={t("system.mail.token")}>
            {t(
              report.token
                ? report.ours
                  ? "system.mail.ours"
                  : "system.mail.foreign"
                : "system.mail.noToken",
            )}
          </Figure>
          {report.ours && (
            <Figure label={t("system.mail.message")}>
              {message ? `${message.to} (${message.state}), ${message.messageUuid}` : t("system.mail.gone")}
            </Figure>
          )}
          <Figure label={t("system.mail.effect")}>
            {effect ? t(`system.mail.outcomes.${effect.outcome}`) : t("system.mail.nothing")}
            {effect?.failureCode ? ` (${effect.failureCode})` : ""}
          </Figure>
          <Figure label={t("system.mail.block")}>
            {t(effect?.block ? "system.mail.blocked" : "system.mail.notBlocked")}
          </Figure>
        </Figures>
        {report.recipients.length > 0 && <Recipients recipients={report.recipients} />}
      </Stack>
    </Paper>
  );
}

function Recipients({ recipients }: { recipients: Report["recipients"] }) {
  const { t } = useTranslation();
  return (
    <Table.ScrollContainer minWidth={600}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("system.mail.address")}</Table.Th>
            <Table.Th>{t("system.mail.type")}</Table.Th>
            <Table.Th>{t("system.mail.class")}</Table.Th>
            <Table.Th>{t("system.mail.status")}</Table.Th>
            <Table.Th>{t("system.mail.diagnostic")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {recipients.map((recipient, index) => (
            <Table.Tr key={index}>
              <Table.Td>{recipient.address ?? "–"}</Table.Td>
              <Table.Td>{t(`system.mail.types.${recipient.type}`)}</Table.Td>
              <Table.Td>
                {recipient.bounceClass ? t(`system.mail.classes.${recipient.bounceClass}`) : "–"}
              </Table.Td>
              <Table.Td>{[recipient.code, recipient.status].filter(Boolean).join(" ") || "–"}</Table.Td>
              <Table.Td>
                <Text size="sm">{recipient.diagnostic ?? "–"}</Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
