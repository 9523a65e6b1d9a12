import { Badge, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useTranslation } from "../../../frame/i18n";
import { LoadMore } from "../../../frame/list/LoadMore";
import { usePagedQuery } from "../../../frame/list/PagedList";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { useFormat } from "../../../frame/values/format";
import { Time } from "../../../frame/ui/Time";
import type { ConsentHistoryQuery } from "../../../gql/graphql";
import classes from "../contacts.module.css";
import { ConsentHistory } from "./documents";

const PAGE = 20;
const COLORS = {
  asked: "orange",
  confirmed: "teal",
  recorded: "teal",
  withdrawn: "gray",
  expired: "gray",
} as const;

type Entry = NonNullable<ConsentHistoryQuery["consentEntries"]>["nodes"][number];

/** What has happened to the subscriptions of a person, newest first: the proof of consent. */
export function ConsentEntries({ uuid }: { uuid: string }) {
  const { t } = useTranslation();
  const { list, state } = usePagedQuery(
    `consents?${uuid}`,
    ConsentHistory,
    (after) => ({ first: PAGE, after, where: { contactId: { eq: uuid } } }),
    (data) => data.consentEntries,
    { pollWith: "update" },
  );
  const { rows, loading, problem } = state;
  if (rows.length === 0 && !problem) return null;
  return (
    <Paper p="sm">
      <Title order={2}>{t("consents.title")}</Title>
      {problem && <ProblemNotice problem={problem} onRetry={() => void list.retry()} />}
      <Stack component="ol" gap="xs" className={classes.timeline} aria-busy={loading}>
        {rows.map((entry) => (
          <Row key={entry.uuid} entry={entry} />
        ))}
      </Stack>
      <LoadMore label={t("contacts.more")} list={list} state={state} />
    </Paper>
  );
}

function Row({ entry }: { entry: Entry }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { action, topic, channel, source, createdAt, text, evidence, ip, userAgent, agreedAt } = entry;
  const facts: [string, string | null | undefined][] = [
    [t("consents.evidence"), evidence],
    [t("consents.text"), text],
    [t("consents.agreedAt"), agreedAt && format.fullTime(agreedAt)],
    [t("consents.browser"), [ip, userAgent].filter(Boolean).join(" · ")],
  ];
  return (
    <li>
      <Group gap={8} wrap="wrap">
        <Badge size="sm" variant="light" radius="sm" tt="none" fw={500} color={COLORS[action]}>
          {t(`consents.actions.${action}`)}
        </Badge>
        <Text size="sm" className={classes.anywhere}>
          {topic?.name ?? t("consents.gone")} · {t(`contacts.channels.${channel}`)}
        </Text>
        <Text size="xs" c="dimmed">
          {t(`consents.sources.${source}`)}, <Time value={createdAt} />
        </Text>
      </Group>
      {facts.map(
        ([label, value]) =>
          value && (
            <Text key={label} size="sm" className={classes.anywhere}>
              <span className={classes.dimmed}>{label}:</span> {value}
            </Text>
          ),
      )}
    </li>
  );
}
