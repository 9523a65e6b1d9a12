import { Anchor, Badge, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { Link } from "react-router";
import { useTranslation } from "../../frame/i18n";
import { useViewer } from "../../frame/session";
import { LoadMore } from "../../frame/list/LoadMore";
import { usePagedQuery } from "../../frame/list/PagedList";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { StateBadge } from "../../frame/ui/StateBadge";
import { Time } from "../../frame/ui/Time";
import type { ContactTimelineQuery } from "../../gql/graphql";
import classes from "./contacts.module.css";
import { ContactTimeline } from "./documents";

type Entry = NonNullable<ContactTimelineQuery["contactTimeline"]>["nodes"][number];

const PAGE = 20;

function target({ kind, uuid, projectUuid, accountUuid }: Entry): string {
  if (kind === "chat") return `/inbox/${accountUuid}/${uuid}`;
  return kind === "record" ? `/projects/${projectUuid}` : `/messages/${uuid}`;
}

/** What was written to a person and by it, over all channels, newest first. */
export function Timeline({ uuid }: { uuid: string }) {
  const { t } = useTranslation();
  const { uses } = useViewer();
  const nameOf = ({ direction, kind }: Entry) =>
    t(`contacts.entries.${direction === "inbound" ? "reply" : kind}`);
  const { list, state } = usePagedQuery(
    `timeline?${uuid}`,
    ContactTimeline,
    (after) => ({ id: uuid, first: PAGE, after }),
    (data) => data.contactTimeline,
  );
  const { rows, loading, problem } = state;
  return (
    <Paper p="sm">
      <Title order={2}>{t("contacts.timeline")}</Title>
      {problem && <ProblemNotice problem={problem} onRetry={() => void list.retry()} />}
      {rows.length === 0 && !loading && !problem && (
        <Text size="sm" c="dimmed">
          {t("contacts.nothingWritten")}
        </Text>
      )}
      <Stack component="ol" gap="xs" className={classes.timeline} aria-busy={loading}>
        {rows.map((entry) => (
          <li key={entry.uuid}>
            <Group gap={8} wrap="wrap">
              <Badge size="xs" variant="light" tt="none">
                {t(`contacts.channels.${entry.channel}`)}
              </Badge>
              {entry.kind === "chat" && !uses("messengers") ? (
                <Text size="sm">{nameOf(entry)}</Text>
              ) : (
                <Anchor component={Link} to={target(entry)} size="sm">
                  {nameOf(entry)}
                </Anchor>
              )}
              {entry.status && entry.direction === "outbound" && <StateBadge state={entry.status} />}
              <Text size="xs" c="dimmed">
                <Time value={entry.at} />
              </Text>
            </Group>
            <Text size="sm" className={classes.anywhere}>
              {entry.text ?? <span className={classes.dimmed}>{entry.address}</span>}
            </Text>
          </li>
        ))}
      </Stack>
      <LoadMore label={t("contacts.more")} list={list} state={state} />
    </Paper>
  );
}
