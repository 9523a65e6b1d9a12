import { Paper, Table, Text, Title } from "@mantine/core";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useTranslation } from "../../../frame/i18n";
import { useFormat } from "../../../frame/values/format";
import { useVisibleInterval } from "../../../frame/ui/useInterval";
import classes from "../projects.module.css";
import { ProjectMailReports } from "./documents";
import type { Project } from "./model";

const REASONS = ["hard", "mailboxFull", "content", "policy", "soft"] as const;
const POLL_MS = 60_000;

/** The emails that came back or were reported as spam, by mailbox provider. Reports come for days after the last one. */
export function Bounces({ project }: { project: Project }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data, reload } = useLoaded(ProjectMailReports, { id: project.uuid });
  useVisibleInterval(reload, POLL_MS);
  const rows = data?.sendingProject?.mailReportCounts ?? [];
  if (rows.length === 0) return null;
  return (
    <Paper p="sm" className={classes.whole}>
      <Title order={2} mb="xs">
        {t("project.bounces")}
      </Title>
      <div className={classes.scroll}>
        <Table verticalSpacing={6} horizontalSpacing={6} aria-label={t("project.bounces")}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("deliverability.provider")}</Table.Th>
              <Table.Th ta="right">{t("deliverability.bounced")}</Table.Th>
              <Table.Th ta="right">{t("deliverability.deferred")}</Table.Th>
              <Table.Th ta="right">{t("deliverability.complaints")}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={row.providerClass}>
                <Table.Td>{t(`deliverability.providers.${row.providerClass}`)}</Table.Td>
                <Table.Td ta="right">
                  {format.number(row.bounced)}
                  <Text size="xs" c="dimmed">
                    {REASONS.filter((reason) => row[reason] > 0)
                      .map((reason) =>
                        t(`deliverability.reasons.${reason}`, { number: format.number(row[reason]) }),
                      )
                      .join(" · ")}
                  </Text>
                </Table.Td>
                <Table.Td ta="right">{format.number(row.deferred)}</Table.Td>
                <Table.Td ta="right">{format.number(row.complaints)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </Paper>
  );
}
