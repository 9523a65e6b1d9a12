import "../styles";
import { Alert, Anchor, Button, Group, Loader, Paper, Stack, Tabs, Text } from "@mantine/core";
import { IconPlayerPause, IconPlayerPlay, IconX } from "@tabler/icons-react";
import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../../frame/api/errors";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useFormat } from "../../../frame/values/format";
import { useTranslation } from "../../../frame/i18n";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../../frame/ui/page/usePageTitle";
import { PageHead } from "../../../frame/ui/page/PageHead";
import { Empty } from "../../../frame/ui/page/Empty";
import { Question } from "../../../frame/ui/dialogs/Question";
import type { FeedStateQuery } from "../../../gql/graphql";
import { FilterMenu } from "../../../frame/list/FilterMenu";
import classes from "../developer.module.css";
import { Json } from "../ui/CodeBlock";
import { Catalogue } from "./Catalogue";
import { DisableEvents, EnableEvents, FeedState } from "./documents";
import { useWatch } from "./useWatch";
import { beginning, typesOf, type Feed, type Seen } from "./watch";

type Types = NonNullable<FeedStateQuery["eventTypes"]>;

/** The event feed: what happens, as it happens, and all types of events. */
export default function EventsPage() {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const { data, problem, loading, reload } = useLoaded(FeedState, {});
  usePageTitle(t("nav.events"));
  const tab = params.get("tab") === "types" ? "types" : "live";
  const feed = data?.eventFeed;
  return (
    <Stack gap={8}>
      <PageHead title={t("nav.events")} />
      <Tabs value={tab} onChange={(value) => setParams(value === "types" ? { tab: "types" } : {})}>
        <Tabs.List mb="sm">
          <Tabs.Tab value="live">{t("feed.live")}</Tabs.Tab>
          <Tabs.Tab value="types">{t("feed.types")}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value={tab}>
          {problem && <ProblemNotice problem={problem} onRetry={reload} />}
          {!data && loading && <Loader size="sm" aria-label={t("common.loading")} />}
          {tab === "types" && <Catalogue types={data?.eventTypes ?? []} />}
          {tab === "live" && feed && !feed.recording && <Enable onEnabled={reload} />}
          {tab === "live" && feed?.recording && (
            <Watching
              key={String(feed.recordingSince)}
              feed={feed}
              types={data?.eventTypes ?? []}
              onEnded={reload}
            />
          )}
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

function Enable({ onEnabled }: { onEnabled: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  async function enable() {
    setBusy(true);
    const { error } = await client.mutation(EnableEvents, {}).toPromise();
    setBusy(false);
    if (error) setProblem(problemOf(error));
    else onEnabled();
  }
  return (
    <Paper p="md">
      <Stack gap="sm" align="flex-start">
        <Text size="sm" maw={640}>
          {t("feed.off")}
        </Text>
        {problem && <ProblemNotice problem={problem} />}
        <Button loading={busy} onClick={enable}>
          {t("feed.enable")}
        </Button>
      </Stack>
    </Paper>
  );
}

function Watching({ feed, types, onEnded }: { feed: Feed; types: Types; onEnded: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [params, setParams] = useSearchParams();
  const [after] = useState(() => beginning(feed));
  const [paused, setPaused] = useState(false);
  const [confirming, setConfirming] = useState(false);
  const [opened, setOpened] = useState<string | null>(null);
  const chosen = typesOf(params);
  const { list, problem, clear, retry } = useWatch(after, chosen, paused);
  const shown = chosen.length > 0 ? list.filter(({ type }) => chosen.includes(type)) : list;
  return (
    <Stack gap={8}>
      <Text size="sm" c="dimmed">
        {t("feed.state", {
          count: feed.count,
          number: format.number(feed.count),
          limit: format.number(feed.limit),
          days: feed.retentionDays,
        })}
      </Text>
      {feed.nearlyFull && <Alert color="orange">{t("feed.nearlyFull")}</Alert>}
      <Group gap={6}>
        <FilterMenu
          several
          label={t("feed.type")}
          options={types.map(({ type }) => ({ value: type, label: type }))}
          chosen={chosen}
          onChange={(next) => setParams(next.length > 0 ? { types: next.join(",") } : {}, { replace: true })}
        />
        <Button
          variant="default"
          leftSection={paused ? <IconPlayerPlay size={14} /> : <IconPlayerPause size={14} />}
          onClick={() => setPaused(!paused)}
        >
          {t(paused ? "feed.resume" : "feed.pause")}
        </Button>
        <Button variant="subtle" color="gray" leftSection={<IconX size={14} />} onClick={clear}>
          {t("feed.clear")}
        </Button>
        <Button variant="subtle" color="red" ms="auto" onClick={() => setConfirming(true)}>
          {t("feed.disable")}
        </Button>
      </Group>
      {problem && <ProblemNotice problem={problem} onRetry={retry} />}
      <Paper role="log" aria-label={t("feed.live")}>
        {shown.map((event) => (
          <Row
            key={event.uuid}
            event={event}
            opened={opened === event.uuid}
            onToggle={() => setOpened(opened === event.uuid ? null : event.uuid)}
          />
        ))}
        {shown.length === 0 && (
          <Empty text={t(paused ? "feed.paused" : "feed.waiting")}>
            <Anchor component={Link} size="sm" underline="always" to="/developer#sandbox">
              {t("feed.makeSome")}
            </Anchor>
          </Empty>
        )}
      </Paper>
      {confirming && (
        <Question
          title={t("feed.disableTitle")}
          question={t("feed.disableText")}
          action={t("feed.disable")}
          mutation={DisableEvents}
          variables={{}}
          onDone={() => {
            setConfirming(false);
            onEnded();
          }}
          onClose={() => setConfirming(false)}
        />
      )}
    </Stack>
  );
}

function Row({ event, opened, onToggle }: { event: Seen; opened: boolean; onToggle: () => void }) {
  const format = useFormat();
  const data = event.data as Record<string, unknown>;
  const hint = ["to", "name", "phone", "address", "login", "text"].map((name) => data[name]).find(Boolean);
  return (
    <>
      <button type="button" className={classes.event} aria-expanded={opened} onClick={onToggle}>
        <span className={classes.eventLine}>
          <time dateTime={event.at} title={format.fullTime(event.at)}>
            {format.time(event.at)}
          </time>
          <b>{event.type}</b>
          <span className={classes.wide}>{typeof hint === "string" ? hint : event.subjectId}</span>
        </span>
      </button>
      {opened && (
        <Stack p="xs">
          <Json title={event.type} value={shownEvent(event)} />
        </Stack>
      )}
    </>
  );
}

/** Returns the event with the names that REST and webhooks use. */
function shownEvent({
  uuid,
  cursor,
  type,
  at,
  subject,
  subjectId,
  sendingProjectUuid,
  accountId,
  data,
}: Seen) {
  return { id: uuid, cursor, type, at, subject, subjectId, sendingProjectUuid, accountId, data };
}
