import { Button, Group, Loader, SegmentedControl, Stack, Text, Title } from "@mantine/core";
import { IconPlus, IconSend } from "@tabler/icons-react";
import { Suspense, useState } from "react";
import { useTranslation } from "../../frame/i18n";
import { Link, useSearchParams } from "react-router";
import { useSubscription } from "urql";
import { useConnection } from "../../frame/api/connection";
import { useBilling } from "../../frame/billing";
import { lazyFile } from "../../frame/api/consoleFiles";
import { useLoaded } from "../../frame/api/useLoaded";
import { useFormat } from "../../frame/values/format";
import { useSilentChannels } from "../../frame/sandbox/useSandbox";
import { useViewer } from "../../frame/session";
import { PageHead } from "../../frame/ui/page/PageHead";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { useThrottled, useVisibleInterval } from "../../frame/ui/useInterval";
import { usePageTitle } from "../../frame/ui/page/usePageTitle";
import { accountsOf, matters } from "./attention";
import { BalancesCard, MattersCard, QueueCard } from "./Cards";
import { Queue, QueueChanged } from "../../frame/ui/figures/documents";
import {
  Active,
  Attention,
  DirectSignal,
  DoctorFindings,
  Outcomes,
  ProjectSignal,
  Traffic,
} from "./documents";
import { attentionFor } from "./early";
import { firstSteps, hasExamples, Newcomer } from "./firstSteps";
import { numbersOf } from "./outcomes";
import classes from "./overview.module.css";
import { CHANNELS, periodOf, RANGES, rangeOf, TIMEZONE, trafficOf } from "./range";
import { Tiles } from "./Tiles";
import { TrafficCard } from "./TrafficCard";

// What is not there for everybody, or stands below the first screen, comes after the first numbers.
const CausesCard = lazyFile(() => import("./CausesCard"));
const ChannelsCard = lazyFile(() =>
  import("./ChannelsCard").then(({ ChannelsCard }) => ({ default: ChannelsCard })),
);
const FirstSteps = lazyFile(() => import("./FirstSteps").then(({ FirstSteps }) => ({ default: FirstSteps })));
const RunningCard = lazyFile(() =>
  import("./RunningCard").then(({ RunningCard }) => ({ default: RunningCard })),
);
const SHOWN = 5; // running projects
const REFRESH_MS = 30_000;
const AFTER_CHANGE_MS = 2_000;

export default function OverviewPage() {
  const { t } = useTranslation();
  const format = useFormat();
  const viewer = useViewer();
  const { may } = viewer;
  const isFree = useBilling() === "off";
  const [params, setParams] = useSearchParams();
  const range = rangeOf(params.get("range"));
  const [now, setNow] = useState(() => Date.now());
  const period = periodOf(range, now);
  usePageTitle(t("nav.overview"));

  const channel = CHANNELS.find((name) => name === params.get("channel")) ?? null;
  const traffic = useLoaded(Traffic, trafficOf(range, channel, now));
  const outcomes = useLoaded(Outcomes, { from: period.from });
  const active = useLoaded(Active, {}, !may("projects:read"));
  const attention = useLoaded(Attention, attentionFor(viewer, viewer.uses("events")));
  // The checks take seconds: they begin when the rest is there, and nothing waits for them.
  const doctor = useLoaded(DoctorFindings, {}, !viewer.isAdmin || !attention.data);
  const queue = useLoaded(Queue, {});
  // First steps are one's own.
  const newcomer = useLoaded(Newcomer, { me: viewer.uuid }, viewer.membership !== null);
  const [live] = useSubscription({ query: QueueChanged });
  const current = live.data?.queueStatisticsChanged ?? queue.data?.queueStatistics;
  const silent = useSilentChannels();
  const steps = firstSteps(newcomer.data, silent);

  function choose(name: string, value: string | null) {
    setParams(withParam(params, name, value), { replace: true });
  }
  function refresh() {
    setNow(Date.now());
    traffic.reload();
    outcomes.reload();
    if (may("projects:read")) active.reload();
    attention.reload();
  }
  useVisibleInterval(() => {
    refresh();
    if (!live.data) queue.reload();
    if (doctor.data) doctor.reload();
  }, REFRESH_MS);
  const changed = useThrottled(() => {
    refresh();
    if (steps) newcomer.reload();
  }, AFTER_CHANGE_MS);
  useSubscription({ query: DirectSignal, pause: !may("messages:read") }, (_before, event) => {
    changed();
    return event;
  });
  useSubscription({ query: ProjectSignal, pause: !may("projects:read") }, (_before, event) => {
    changed();
    return event;
  });

  const unknown = {
    direct: unknownIn(traffic.data?.direct?.statuses),
    project: unknownIn(traffic.data?.project?.statuses),
  };
  const accounts = accountsOf(attention.data);
  const problem = traffic.problem ?? outcomes.problem ?? attention.problem ?? queue.problem;
  // Numbers of another period never stand above the name of this one.
  const answer = outcomes.current ? outcomes.data?.statisticsOutcomes : null;
  const every = answer?.items ?? null;
  const ofChannel = every?.filter((outcome) => !channel || outcome.channel === channel) ?? null;
  const numbers = numbersOf(ofChannel ?? [], silent);
  const projects = active.data?.sendingProjects?.nodes ?? [];
  const from = answer?.from ?? period.from;

  return (
    <Stack gap="sm">
      <PageHead title={t("nav.overview")} note={<LiveMark loading={traffic.loading} />}>
        {may("projects:write") && (
          <Button component={Link} to="/projects/new" variant="default" leftSection={<IconPlus size={14} />}>
            {t("overview.newProject")}
          </Button>
        )}
        {may("messages:send") && (
          <Button component={Link} to="/messages?send=1" leftSection={<IconSend size={14} />}>
            {t("overview.send")}
          </Button>
        )}
      </PageHead>
      {problem && problem.code !== "network" && <ProblemNotice problem={problem} onRetry={refresh} />}
      {steps && attention.data && (
        <Suspense>
          <FirstSteps
            done={steps}
            examples={hasExamples(newcomer.data)}
            money={isFree ? null : accounts.some(({ balance }) => balance > 0)}
          />
        </Suspense>
      )}
      <section aria-label={t("overview.numbers")}>
        <Group justify="space-between" mb={6} gap="xs">
          <Title order={2}>
            {t(`overview.title.${range}`)}
            {channel && ` · ${t(`channels.${channel}`)}`}
          </Title>
          <SegmentedControl
            size="xs"
            aria-label={t("overview.range")}
            value={range}
            onChange={(value) => choose("range", value === "day" ? null : value)}
            data={RANGES.map((value) => ({ value, label: t(`overview.ranges.${value}`) }))}
          />
        </Group>
        <Tiles outcomes={ofChannel} from={from} channel={channel} />
        <Text size="xs" c="dimmed" mt={6}>
          {t("overview.legend", { from: format.time(from), zone: TIMEZONE })}
          {answer?.countedSince &&
            ` ${t("overview.countedSince", { time: format.time(answer.countedSince) })}`}
          {numbers.accepted > 0 && ` ${t("overview.silent")}`}
        </Text>
      </section>
      <div className={classes.columns}>
        <Stack gap="sm">
          <TrafficCard
            items={traffic.data ? (traffic.data.statisticsGeneral?.items ?? []) : null}
            range={range}
          />
          <Suspense>
            <ChannelsCard
              outcomes={every ?? []}
              chosen={channel}
              addressOf={(name) => `?${withParam(params, "channel", name).toString()}`}
            />
          </Suspense>
          {current && <QueueCard queue={current} isAdmin={viewer.isAdmin} />}
        </Stack>
        <Stack gap="sm">
          {attention.data && (
            <MattersCard matters={matters(attention.data, current, unknown, doctor.data, isFree)} />
          )}
          {projects.length > 0 && (
            <Suspense>
              <RunningCard projects={projects.slice(0, SHOWN)} more={projects.length > SHOWN} />
            </Suspense>
          )}
          {numbers.failed > 0 && may("messages:read") && may("recipients:read") && (
            <Suspense>
              <CausesCard from={from} channel={channel} count={numbers.failed} />
            </Suspense>
          )}
          {attention.data && may("accounts:read") && !isFree && <BalancesCard accounts={accounts} />}
        </Stack>
      </div>
    </Stack>
  );
}

function withParam(params: URLSearchParams, name: string, value: string | null): URLSearchParams {
  const changed = new URLSearchParams(params);
  if (value) changed.set(name, value);
  else changed.delete(name);
  return changed;
}

function unknownIn(statuses: unknown): number {
  return (statuses as Record<string, number> | undefined)?.unknown ?? 0;
}

/** Says whether the numbers change by themselves. */
function LiveMark({ loading }: { loading: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { live, reachable, freshAt } = useConnection();
  const isLive = live === "live" && reachable;
  return (
    <Group gap={8}>
      {loading && <Loader size={12} color="gray" aria-label={t("common.loading")} />}
      <Text size="xs" c="dimmed">
        <span aria-hidden style={{ color: `var(--mantine-color-${isLive ? "teal" : "yellow"}-6)` }}>
          ●{" "}
        </span>
        {isLive ? t("overview.live") : t("overview.asOf", { time: format.clock(freshAt) })}
      </Text>
    </Group>
  );
}
