import { Alert, Anchor, Breadcrumbs, Button, Loader, Paper, Stack, Table, Text } from "@mantine/core";
import { IconArchive, IconPencil, IconPlayerPause, IconPlayerPlay } from "@tabler/icons-react";
import { useState } from "react";
import { Link, useParams } from "react-router";
import { useLoaded } from "../../frame/api/useLoaded";
import { useTranslation } from "../../frame/i18n";
import { useViewer } from "../../frame/session";
import { Question } from "../../frame/ui/dialogs/Question";
import { NotFound } from "../../frame/ui/page/NotFound";
import { PageHead } from "../../frame/ui/page/PageHead";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../frame/ui/page/usePageTitle";
import { useVisibleInterval } from "../../frame/ui/useInterval";
import { useFormat } from "../../frame/values/format";
import type { OneSeriesQuery, SeriesRowFragment } from "../../gql/graphql";
import { ArchiveSeries, OneSeries, PauseSeries } from "./documents";
import { delayOf } from "./draft";
import { SeriesBadge } from "./SeriesBadge";
import { SeriesDialog } from "./SeriesDialog";
import { StartDialog } from "./StartDialog";
import classes from "./series.module.css";

type Numbers = NonNullable<OneSeriesQuery["seriesStatistics"]>;
type Opened = "start" | "edit" | "pause" | "archive";

export default function SeriesPage() {
  const { uuid = "" } = useParams();
  return <OnePage key={uuid} uuid={uuid} />;
}

function OnePage({ uuid }: { uuid: string }) {
  const { t } = useTranslation();
  const { data, problem, loading, reload } = useLoaded(OneSeries, { id: uuid });
  usePageTitle(data?.series?.name ?? t("series.title"));
  useVisibleInterval(reload, 10_000);
  if (data?.series && data.seriesStatistics) {
    return <Shown series={data.series} numbers={data.seriesStatistics} reload={reload} />;
  }
  if (loading) return <Loader size="sm" aria-label={t("common.loading")} />;
  if (!problem || problem.code === "series_not_found" || problem.code === "bad_id") {
    return <NotFound text={t("series.notFound")} />;
  }
  return <ProblemNotice problem={problem} onRetry={reload} />;
}

interface ShownProps {
  series: SeriesRowFragment;
  numbers: Numbers;
  reload: () => void;
}

/** A series with the numbers of its steps. */
function Shown({ series, numbers, reload }: ShownProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { may } = useViewer();
  const [opened, setOpened] = useState<Opened | null>(null);
  const done = () => {
    setOpened(null);
    reload();
  };
  const stands = series.status === "draft" || series.status === "paused";
  const facts = [
    series.topic ? t("series.ofTopic", { name: series.topic.name }) : null,
    series.segmentId ? t("series.ofSegment") : null,
    t(`series.categories.${series.category}`),
    t(`series.existings.${series.existing}`),
  ].filter((fact) => fact !== null);
  return (
    <Stack gap={8}>
      <Breadcrumbs>
        <Anchor component={Link} to="/series" size="sm">
          {t("nav.series")}
        </Anchor>
      </Breadcrumbs>
      <PageHead title={series.name} note={<SeriesBadge status={series.status} />}>
        {may("projects:send") && series.status !== "archived" && (
          <Button
            variant="default"
            leftSection={<IconArchive size={14} />}
            onClick={() => setOpened("archive")}
          >
            {t("series.archive")}
          </Button>
        )}
        {may("projects:write") && stands && (
          <Button variant="default" leftSection={<IconPencil size={14} />} onClick={() => setOpened("edit")}>
            {t("series.edit")}
          </Button>
        )}
        {may("projects:send") && series.status === "running" && (
          <Button
            variant="default"
            leftSection={<IconPlayerPause size={14} />}
            onClick={() => setOpened("pause")}
          >
            {t("series.pause")}
          </Button>
        )}
        {may("projects:send") && stands && (
          <Button leftSection={<IconPlayerPlay size={14} />} onClick={() => setOpened("start")}>
            {t(series.startedAt ? "series.goOn" : "series.start")}
          </Button>
        )}
      </PageHead>
      {series.statusReason && <Alert color="orange">{t(`series.reasons.${series.statusReason}`)}</Alert>}
      <Text size="sm" c="dimmed" className={classes.anywhere}>
        {facts.join(" · ")}
      </Text>
      <Text size="sm">
        {t("series.people", {
          entered: format.number(numbers.entered),
          waiting: format.number(numbers.waiting),
          finished: format.number(numbers.finished),
          stopped: format.number(numbers.stopped),
        })}
      </Text>
      <Steps series={series} numbers={numbers} />
      {numbers.stopReasons.length > 0 && (
        <Text size="sm" c="dimmed">
          {t("series.stoppedBy")}{" "}
          {numbers.stopReasons
            .map(({ reason, count }) => `${t(`series.stops.${reason}`)} ${format.number(count)}`)
            .join(" · ")}
        </Text>
      )}
      {opened === "start" && (
        <StartDialog uuid={series.uuid} onClose={() => setOpened(null)} onStarted={done} />
      )}
      {opened === "edit" && <SeriesDialog series={series} onClose={() => setOpened(null)} onSaved={done} />}
      {opened === "pause" && (
        <Question
          title={t("series.pauseTitle")}
          question={t("series.pauseQuestion")}
          action={t("series.pause")}
          mutation={PauseSeries}
          variables={{ id: series.uuid }}
          onDone={done}
          onClose={() => setOpened(null)}
        />
      )}
      {opened === "archive" && (
        <Question
          title={t("series.archiveTitle")}
          question={t("series.archiveQuestion")}
          action={t("series.archive")}
          mutation={ArchiveSeries}
          variables={{ id: series.uuid }}
          onDone={done}
          onClose={() => setOpened(null)}
        />
      )}
    </Stack>
  );
}

const FIGURES = [
  "waiting",
  "begun",
  "sent",
  "delivered",
  "bounced",
  "replied",
  "skipped",
  "stopped",
] as const;

/** The steps with their numbers. Each number is that of a project, whose page shows the people behind it. */
function Steps({ series, numbers }: Omit<ShownProps, "reload">) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Paper className={classes.scroll} tabIndex={0} role="region" aria-label={t("series.steps")}>
      <Table verticalSpacing={6} className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("series.steps")}</Table.Th>
            {FIGURES.map((name) => (
              <Table.Th key={name} className={classes.number}>
                {t(`series.figures.${name}`)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {series.steps.map((step, index) => {
            const row = numbers.steps[index];
            const { amount, unit } = delayOf(step.delay);
            return (
              <Table.Tr key={index}>
                <Table.Td miw={180}>
                  {row?.projectUuid ? (
                    <Anchor component={Link} to={`/projects/${row.projectUuid}`} size="sm" fw={500}>
                      {index + 1}. {step.templateKey}
                    </Anchor>
                  ) : (
                    <Text size="sm" fw={500}>
                      {index + 1}. {step.templateKey}
                    </Text>
                  )}
                  <Text size="xs" c="dimmed">
                    {t(`series.channels.${step.channel}`)} ·{" "}
                    {amount === 0
                      ? t("series.atOnce")
                      : t(`series.waits.${unit}`, { count: amount, number: format.number(amount) })}
                  </Text>
                </Table.Td>
                {FIGURES.map((name) => (
                  <Table.Td key={name} className={classes.number}>
                    {format.number(row?.[name] ?? 0)}
                  </Table.Td>
                ))}
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}
