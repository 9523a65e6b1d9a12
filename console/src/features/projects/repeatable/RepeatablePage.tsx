import "../styles";
import { Anchor, Button, Group, Loader, Paper, Stack, Table, Text } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useFormat } from "../../../frame/values/format";
import { useTranslation } from "../../../frame/i18n";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { Time } from "../../../frame/ui/Time";
import { useVisibleInterval } from "../../../frame/ui/useInterval";
import { usePageTitle } from "../../../frame/ui/page/usePageTitle";
import { PageHead } from "../../../frame/ui/page/PageHead";
import { Empty } from "../../../frame/ui/page/Empty";
import type { RepeatableRowFragment } from "../../../gql/graphql";
import classes from "../projects.module.css";
import { RepeatablePageQuery } from "./documents";
import { Toggle } from "./Toggle";
import { useScheduleText } from "./useScheduleText";

const PAGE = 50;
const POLL_MS = 15_000;

/** The projects that run by a schedule. */
export default function RepeatablePage() {
  const { t } = useTranslation();
  // Each page stays loaded, so that "more" only adds to it.
  const [cursors, setCursors] = useState<(string | null)[]>([null]);
  usePageTitle(t("repeatable.title"));
  return (
    <Stack gap="sm">
      <PageHead title={t("repeatable.title")} about={t("repeatable.about")} />
      {cursors.map((after, index) => (
        <Page
          key={after ?? "first"}
          after={after}
          onMore={
            index === cursors.length - 1 ? (next) => setCursors((before) => [...before, next]) : undefined
          }
        />
      ))}
    </Stack>
  );
}

function Page({ after, onMore }: { after: string | null; onMore?: (next: string) => void }) {
  const { t } = useTranslation();
  const { data, problem, loading, reload } = useLoaded(RepeatablePageQuery, { first: PAGE, after });
  useVisibleInterval(reload, POLL_MS);
  const page = data?.repeatableSendingProjects;
  if (!page) {
    if (problem) return <ProblemNotice problem={problem} onRetry={reload} />;
    return loading ? <Loader size="sm" aria-label={t("common.loading")} /> : null;
  }
  if (page.nodes.length === 0) {
    return (
      <Paper>
        <Empty text={t("repeatable.empty")}>
          <Button component={Link} to="/projects">
            {t("repeatable.toProjects")}
          </Button>
        </Empty>
      </Paper>
    );
  }
  const { hasNextPage, endCursor } = page.pageInfo;
  return (
    <>
      <Paper className={classes.scroll}>
        <Table verticalSpacing={8} aria-label={t("repeatable.title")} aria-busy={loading} miw={620}>
          <Table.Thead>
            <Table.Tr>
              {(["name", "schedule", "next", "last", "runs", "state"] as const).map((name) => (
                <Table.Th key={name}>{t(`repeatable.columns.${name}`)}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {page.nodes.map((project) => (
              <Row key={project.uuid} project={project} onChanged={reload} />
            ))}
          </Table.Tbody>
        </Table>
      </Paper>
      {onMore && hasNextPage && endCursor && (
        <Group justify="center">
          <Button variant="default" onClick={() => onMore(endCursor)}>
            {t("blocks.more")}
          </Button>
        </Group>
      )}
    </>
  );
}

function Row({ project, onChanged }: { project: RepeatableRowFragment; onChanged: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const scheduleText = useScheduleText();
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor component={Link} to={`/repeatable/${project.uuid}`} size="sm" c="inherit" fw={500}>
          {project.name}
        </Anchor>
        {project.lastError && (
          <Text size="xs" c="red">
            {t("repeatable.lastError", { reason: project.lastError })}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        {scheduleText(project.schedule)}
        <Text size="xs" c="dimmed">
          {project.schedule.timezone}
        </Text>
      </Table.Td>
      <Table.Td>{project.nextRunAt ? <Time value={project.nextRunAt} /> : "–"}</Table.Td>
      <Table.Td>{project.lastRunAt ? <Time value={project.lastRunAt} /> : "–"}</Table.Td>
      <Table.Td>{format.number(project.runs)}</Table.Td>
      <Table.Td>
        <Toggle project={project} onChanged={onChanged} />
      </Table.Td>
    </Table.Tr>
  );
}
