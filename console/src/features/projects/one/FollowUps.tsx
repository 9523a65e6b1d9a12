import { Anchor, Paper, Table, Title } from "@mantine/core";
import { Link } from "react-router";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useFormat } from "../../../frame/values/format";
import { useTranslation } from "../../../frame/i18n";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { useVisibleInterval } from "../../../frame/ui/useInterval";
import { ProjectBadge } from "../ProjectBadge";
import classes from "../projects.module.css";
import { isActive } from "../states";
import { FollowUpsOfProject } from "./documents";

const POLL_MS = 15_000;

/** The projects that follow this one, and how far each is. */
export function FollowUps({ uuid }: { uuid: string }) {
  const { t, textOr } = useTranslation();
  const format = useFormat();
  const { data, problem, reload } = useLoaded(FollowUpsOfProject, { id: uuid });
  const rows = data?.sendingProject?.followUps?.nodes ?? [];
  useVisibleInterval(() => {
    if (rows.some(({ status }) => isActive(status))) reload();
  }, POLL_MS);
  if (problem && rows.length === 0) return <ProblemNotice problem={problem} onRetry={reload} />;
  if (rows.length === 0) return null;
  return (
    <Paper p="sm" className={classes.whole}>
      <Title order={2} mb="xs">
        {t("following.title")}
      </Title>
      <div className={classes.scroll}>
        <Table verticalSpacing={6} horizontalSpacing={6} aria-label={t("following.title")}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("projects.columns.name")}</Table.Th>
              <Table.Th>{t("projects.columns.channel")}</Table.Th>
              <Table.Th>{t("projects.columns.state")}</Table.Th>
              <Table.Th ta="right">{t("project.allMessages")}</Table.Th>
              <Table.Th ta="right">{t("states.sent")}</Table.Th>
              <Table.Th ta="right">{t("states.delivered")}</Table.Th>
              <Table.Th ta="right">{t("states.failed")}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ uuid, name, channel, status, counts }) => (
              <Table.Tr key={uuid}>
                <Table.Td maw={260} className={classes.name}>
                  <Anchor component={Link} to={`/projects/${uuid}`} size="sm">
                    {name}
                  </Anchor>
                </Table.Td>
                <Table.Td>{textOr(`channels.${channel}`, channel)}</Table.Td>
                <Table.Td>
                  <ProjectBadge status={status} />
                </Table.Td>
                <Table.Td ta="right">{format.number(counts.total)}</Table.Td>
                <Table.Td ta="right">{format.number(counts.sent)}</Table.Td>
                <Table.Td ta="right">{format.number(counts.delivered + counts.read)}</Table.Td>
                <Table.Td ta="right">{format.number(counts.failed)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </Paper>
  );
}
