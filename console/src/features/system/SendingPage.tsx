import { Anchor, Group, Loader, Paper, Stack, Table, Text, Title } from "@mantine/core";
import { Link } from "react-router";
import { useSubscription } from "urql";
import { useLoaded } from "../../frame/api/useLoaded";
import { useViewer } from "../../frame/session";
import { useFormat } from "../../frame/values/format";
import { useTranslation } from "../../frame/i18n";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { RouteStateBadge } from "../../frame/ui/RouteStateBadge";
import { QueueFigures } from "../../frame/ui/figures/QueueFigures";
import { Time } from "../../frame/ui/Time";
import { useThrottled, useVisibleInterval } from "../../frame/ui/useInterval";
import type { QueueFieldsFragment, SendingQuery } from "../../gql/graphql";
import { Queue, QueueChanged } from "../../frame/ui/figures/documents";
import { AdminOnly } from "../../frame/ui/page/AdminOnly";
import { Sending } from "./documents";
import classes from "./system.module.css";
import { SystemFrame } from "./SystemFrame";

const POLL_MS = 10_000;
const AFTER_CHANGE_MS = 2_000;

type Route = NonNullable<SendingQuery["systemRoutes"]>[number];
type Work = NonNullable<SendingQuery["queueStatistics"]>["background"][number];
type Project = NonNullable<SendingQuery["processingHealth"]>["projects"][number];

export default function SendingPage() {
  return (
    <AdminOnly>
      <SendingNow />
    </AdminOnly>
  );
}

/** Who sends, what waits, and which ways to providers work. */
function SendingNow() {
  const { t } = useTranslation();
  const queue = useLoaded(Queue, {});
  const sending = useLoaded(Sending, {});
  const reloadSoon = useThrottled(sending.reload, AFTER_CHANGE_MS);
  const [live] = useSubscription({ query: QueueChanged }, (_before, event) => {
    reloadSoon();
    return event;
  });
  useVisibleInterval(() => {
    sending.reload();
    if (!live.data) queue.reload();
  }, POLL_MS);
  const current = live.data?.queueStatisticsChanged ?? queue.data?.queueStatistics;
  const problem = queue.problem ?? sending.problem;
  const background = (sending.data?.queueStatistics?.background ?? []).filter((work) => work.users > 0);
  const stuck = (sending.data?.processingHealth?.projects ?? []).filter((project) => project.stuck);

  return (
    <SystemFrame>
      {problem && problem.code !== "network" && (
        <ProblemNotice
          problem={problem}
          onRetry={() => {
            queue.reload();
            sending.reload();
          }}
        />
      )}
      {!current && queue.loading && <Loader size="sm" aria-label={t("common.loading")} />}
      {stuck.length > 0 && <Stuck projects={stuck} />}
      {current && <QueueFacts queue={current} />}
      {sending.data?.systemRoutes && <Routes routes={sending.data.systemRoutes} />}
      {current && <Workers queue={current} />}
      {background.length > 0 && <Background works={background} />}
    </SystemFrame>
  );
}

function QueueFacts({ queue }: { queue: QueueFieldsFragment }) {
  const { t } = useTranslation();
  return (
    <Paper p="sm">
      <Title order={2} mb="xs">
        {t("system.projectQueue")}
      </Title>
      <QueueFigures queue={queue} />
    </Paper>
  );
}

function Routes({ routes }: { routes: readonly Route[] }) {
  const { uses } = useViewer();
  const { t, textOr } = useTranslation();
  const format = useFormat();
  return (
    <Paper p="sm">
      <Title order={2}>{t("overview.routes")}</Title>
      <Text size="xs" c="dimmed" mb="xs">
        {t("system.routesText")}
      </Text>
      <Table verticalSpacing={6} aria-label={t("overview.routes")} className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("system.route")}</Table.Th>
            <Table.Th>{t("system.driver")}</Table.Th>
            <Table.Th>{t("system.state")}</Table.Th>
            <Table.Th ta="right" className={classes.wide}>
              {t("system.perWorker")}
            </Table.Th>
            <Table.Th ta="right" className={classes.wide}>
              {t("system.inAll")}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {routes.map((route) => (
            <Table.Tr key={route.name}>
              <Table.Td fw={500}>{route.name}</Table.Td>
              <Table.Td>{textOr(`system.drivers.${route.driver}`, route.label)}</Table.Td>
              <Table.Td>
                <RouteStateBadge state={route.state} />
                {!route.enabled &&
                  (uses("trade") ? (
                    <Anchor component={Link} to="/routes" size="xs" display="block">
                      {t("system.switchedOff")}
                    </Anchor>
                  ) : (
                    <Text size="xs">{t("system.switchedOff")}</Text>
                  ))}
                {route.since && (
                  <Text size="xs" c="dimmed">
                    {t("system.since")} <Time value={route.since} />
                    {route.probeAt && (
                      <>
                        {" · "}
                        {t("system.probe")} <Time value={route.probeAt} />
                      </>
                    )}
                  </Text>
                )}
              </Table.Td>
              <Table.Td ta="right" className={classes.wide}>
                {format.number(route.concurrency)}
              </Table.Td>
              <Table.Td ta="right" className={classes.wide}>
                {route.totalConcurrency === null
                  ? t("system.noLimit")
                  : format.number(route.totalConcurrency)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

function Workers({ queue }: { queue: QueueFieldsFragment }) {
  const { t } = useTranslation();
  return (
    <Paper p="sm">
      <Title order={2} mb="xs">
        {t("system.workers")}
      </Title>
      {queue.workers.length === 0 ? (
        <Text size="sm">{t("system.noWorkers")}</Text>
      ) : (
        <Table verticalSpacing={6} aria-label={t("system.workers")} className={classes.table}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("system.worker")}</Table.Th>
              <Table.Th>{t("system.atWork")}</Table.Th>
              <Table.Th>{t("system.lastSeen")}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {queue.workers.map((worker) => (
              <Table.Tr key={worker.name}>
                <Table.Td fw={500} className={classes.long}>
                  {worker.name}
                </Table.Td>
                <Table.Td>
                  {worker.units > 0 ? t("overview.batches", { count: worker.units }) : t("system.idle")}
                </Table.Td>
                <Table.Td c="dimmed">
                  {worker.lastSeenAt ? <Time value={worker.lastSeenAt} /> : t("system.notReported")}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Paper>
  );
}

function Background({ works }: { works: Work[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Paper p="sm">
      <Title order={2}>{t("system.background")}</Title>
      <Text size="xs" c="dimmed" mb="xs">
        {t("system.backgroundText")}
      </Text>
      <Table verticalSpacing={6} aria-label={t("system.background")} className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("system.work")}</Table.Th>
            <Table.Th ta="right">{t("system.waiting")}</Table.Th>
            <Table.Th ta="right">{t("system.inWork")}</Table.Th>
            <Table.Th ta="right">{t("system.usersOfWork")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {works.map((work) => (
            <Table.Tr key={work.kind}>
              <Table.Td fw={500}>{t(`system.works.${work.kind}`)}</Table.Td>
              <Table.Td ta="right">{format.number(work.waiting)}</Table.Td>
              <Table.Td ta="right">{format.number(work.atWork)}</Table.Td>
              <Table.Td ta="right">{format.number(work.users)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

function Stuck({ projects }: { projects: Project[] }) {
  const { t } = useTranslation();
  return (
    <Paper p="sm">
      <Title order={2}>{t("system.stuck")}</Title>
      <Text size="xs" c="dimmed" mb="xs">
        {t("system.stuckText")}
      </Text>
      <Stack gap={6}>
        {projects.map(({ uuid, project, lastProgressAt, workers }) => (
          <Group key={uuid} justify="space-between" gap="xs">
            <Anchor component={Link} to={`/projects/${uuid}`} size="sm" fw={500} className={classes.long}>
              {project?.name ?? uuid}
            </Anchor>
            <Text size="xs" c="dimmed">
              {lastProgressAt ? (
                <>
                  {t("system.lastProgress")} <Time value={lastProgressAt} />
                </>
              ) : (
                t("system.noProgress")
              )}
              {workers.length > 0 && ` · ${workers.join(", ")}`}
            </Text>
          </Group>
        ))}
      </Stack>
    </Paper>
  );
}
