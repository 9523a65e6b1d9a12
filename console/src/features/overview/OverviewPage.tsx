import { Group, Loader, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "../../frame/i18n";
import { useSearchParams } from "react-router";
import { useSubscription } from "urql";
import { useConnection } from "../../frame/api/connection";
import { useLoaded } from "../../frame/api/useLoaded";
import { useFormat } from "../../frame/values/format";
import { useViewer } from "../../frame/session";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { useThrottled, useVisibleInterval } from "../../frame/ui/useInterval";
import { usePageTitle } from "../../frame/ui/page/usePageTitle";
import { matters } from "./attention";
import { ChannelsCard } from "./ChannelsCard";
import { BalancesCard, FirstSteps, MattersCard, QueueCard, Tile } from "./Cards";
import { Queue, QueueChanged } from "../../frame/ui/figures/documents";
import { Attention, DirectSignal, DoctorFindings, Newcomer, ProjectSignal, Traffic } from "./documents";
import classes from "./overview.module.css";
import { CHANNELS, rangeOf, trafficOf } from "./range";
import { TrafficCard } from "./TrafficCard";

const REFRESH_MS = 30_000;
const AFTER_CHANGE_MS = 2_000;

export default function OverviewPage() {
  const { t } = useTranslation();
  const format = useFormat();
  const viewer = useViewer();
  const [params, setParams] = useSearchParams();
  const range = rangeOf(params.get("range"));
  const [now, setNow] = useState(() => Date.now());
  usePageTitle(t("nav.overview"));

  const channel = CHANNELS.find((name) => name === params.get("channel")) ?? null;
  const traffic = useLoaded(Traffic, trafficOf(range, channel, now));
  const attention = useLoaded(Attention, { admin: viewer.isAdmin });
  // The checks take seconds: they begin when the rest is there, and nothing waits for them.
  const doctor = useLoaded(DoctorFindings, {}, !viewer.isAdmin || !attention.data);
  const queue = useLoaded(Queue, {});
  const newcomer = useLoaded(Newcomer, {});
  const [live] = useSubscription({ query: QueueChanged });
  const current = live.data?.queueStatisticsChanged ?? queue.data?.queueStatistics;

  function choose(name: string, value: string | null) {
    setParams(withParam(params, name, value), { replace: true });
  }
  function refresh() {
    setNow(Date.now());
    traffic.reload();
    attention.reload();
  }
  useVisibleInterval(() => {
    refresh();
    if (!live.data) queue.reload();
    if (doctor.data) doctor.reload();
  }, REFRESH_MS);
  const changed = useThrottled(() => {
    refresh();
    if (isNew) newcomer.reload();
  }, AFTER_CHANGE_MS);
  useSubscription({ query: DirectSignal }, (_before, event) => {
    changed();
    return event;
  });
  useSubscription({ query: ProjectSignal }, (_before, event) => {
    changed();
    return event;
  });

  const items = traffic.data?.statisticsGeneral?.items ?? [];
  const sum = (kind: "sent" | "delivered" | "failed" | "unknown") =>
    items.reduce((total, item) => total + item[kind], 0);
  const unknown = {
    direct: unknownIn(traffic.data?.direct?.statuses),
    project: unknownIn(traffic.data?.project?.statuses),
  };
  const isNew =
    newcomer.data?.messages?.nodes.length === 0 && newcomer.data.sendingProjects?.nodes.length === 0;
  const accounts = attention.data?.me?.accounts?.nodes ?? [];
  const problem = traffic.problem ?? attention.problem ?? queue.problem;
  const since = { day: "24h", week: "7d", month: "30d" }[range];
  const [sent, delivered, failed] = [sum("sent"), sum("delivered"), sum("failed")];
  const lost = sum("unknown");
  // Nothing is called zero before it is known.
  const shown = (count: number) => (traffic.data ? format.number(count) : null);
  const ofChannel = channel ? `&channel=${channel}` : "";

  return (
    <Stack gap="sm" maw={1400}>
      <Group justify="space-between" mih={30}>
        <Title order={1}>{t("nav.overview")}</Title>
        <LiveMark loading={traffic.loading} />
      </Group>
      {problem && problem.code !== "network" && <ProblemNotice problem={problem} onRetry={refresh} />}
      {isNew && <FirstSteps hasMoney={accounts.some(({ balance }) => balance > 0)} />}
      <div className={classes.tiles}>
        <Tile label={t("states.sent")} value={shown(sent)} note={t(`overview.within.${range}`)} />
        <Tile
          label={t("states.delivered")}
          value={shown(delivered)}
          note={
            sent > 0 && delivered <= sent
              ? t("overview.ofSent", { share: format.percent(delivered / sent) })
              : undefined
          }
        />
        <Tile
          label={t("states.failed")}
          value={shown(failed)}
          color={failed > 0 ? "red" : undefined}
          note={t(`overview.within.${range}`)}
          link={`/messages?status=failed&range=${since}${ofChannel}`}
        />
        <Tile
          label={t("states.unknown")}
          value={shown(lost)}
          color={lost > 0 ? "orange" : undefined}
          note={t(`overview.within.${range}`)}
          link={`/messages?status=unknown&range=${since}${ofChannel}`}
        />
      </div>
      <div className={classes.columns}>
        <Stack gap="sm">
          <TrafficCard
            items={traffic.data ? items : null}
            range={range}
            onRange={(value) => choose("range", value === "day" ? null : value)}
          />
          <ChannelsCard
            channels={traffic.data?.statisticsByChannel ?? []}
            chosen={channel}
            addressOf={(name) => `?${withParam(params, "channel", name).toString()}`}
          />
          {current && <QueueCard queue={current} isAdmin={viewer.isAdmin} />}
        </Stack>
        <Stack gap="sm">
          {attention.data && <MattersCard matters={matters(attention.data, current, unknown, doctor.data)} />}
          {attention.data && <BalancesCard accounts={accounts} />}
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
