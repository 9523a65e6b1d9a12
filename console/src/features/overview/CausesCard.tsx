import { Anchor, Group, Paper, Text, Title } from "@mantine/core";
import { Link } from "react-router";
import { AreaTexts, type Loaders } from "../../frame/i18n/AreaTexts";
import shared from "../../frame/i18n/shared";
import { useTranslation } from "../../frame/i18n";
import { useLoaded } from "../../frame/api/useLoaded";
import { useFailure } from "../../frame/failure/failure";
import { useFormat } from "../../frame/values/format";
import type { ProjectChannel } from "../../gql/graphql";
import { CauseTotals, FailedMessages } from "./documents";
import { causesOf, listOf, type Cause, type Kind } from "./outcomes";
import classes from "./overview.module.css";

const TEXTS: Loaders[] = [shared];
const MOST = 5;

interface Props {
  from: string;
  channel: ProjectChannel | null;
  /** how many have failed: another number asks again */
  count: number;
}

/** Why messages of the period failed; each cause leads to its messages. */
export default function CausesCard(props: Props) {
  return (
    <AreaTexts area={TEXTS} waiting={null}>
      <Card key={props.count} {...props} />
    </AreaTexts>
  );
}

function Card({ from, channel }: Props) {
  const { t } = useTranslation();
  const { data } = useLoaded(FailedMessages, whereOf(from, channel));
  if (!data) return null;
  const causes = causesOf({
    direct: data.messages?.nodes ?? [],
    project: data.messageRecords?.nodes ?? [],
  });
  // Beyond the newest ones each cause is counted by itself.
  const isAll = !data.messages?.pageInfo.hasNextPage && !data.messageRecords?.pageInfo.hasNextPage;
  if (causes.length === 0) return null;
  return (
    <Paper p="sm">
      <Title order={2} mb="xs">
        {t("overview.causes")}
      </Title>
      <ul className={classes.matters}>
        {causes.slice(0, MOST).map((cause) => (
          <li key={`${cause.kind} ${cause.code}`}>
            <Row cause={cause} from={from} channel={channel} counted={isAll} />
          </li>
        ))}
      </ul>
    </Paper>
  );
}

function Row(props: { cause: Cause; from: string; channel: ProjectChannel | null; counted: boolean }) {
  const { cause, from, channel, counted } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const failure = useFailure(cause.code);
  const code = { eq: cause.code };
  const { direct, project } = whereOf(from, channel);
  const totals = useLoaded(
    CauseTotals,
    { direct: { ...direct, failureCode: code }, project: { ...project, failureCode: code } },
    counted,
  );
  const ofKind: Record<Kind, number | null | undefined> = {
    direct: totals.data?.messages?.totalCount,
    project: totals.data?.messageRecords?.totalCount,
  };
  const count = counted ? cause.count : ofKind[cause.kind];
  return (
    <div className={classes.cause}>
      <Group justify="space-between" wrap="nowrap" gap="xs" align="baseline">
        <Anchor
          component={Link}
          to={`${listOf(cause.kind, "failed", from, channel)}&cause=${encodeURIComponent(cause.code)}`}
          size="sm"
        >
          {failure?.what ?? cause.code}
        </Anchor>
        <Text size="sm" fw={600}>
          {count == null ? "…" : format.number(count)}
        </Text>
      </Group>
      <Text size="xs" c="dimmed">
        {t(`overview.causeOf.${cause.kind}`)} · {failure?.next}
      </Text>
    </div>
  );
}

function whereOf(from: string, channel: ProjectChannel | null) {
  const since = { gte: from };
  const byDirect = channel === "telegram" || channel === "whatsapp" ? null : channel;
  return {
    // Direct messages have no such channel, so none of them may match.
    direct: {
      deliveryState: { in: byDirect === channel ? (["failed"] as "failed"[]) : [] },
      direction: { eq: "outbound" as const },
      createdAt: since,
      ...(byDirect && { channel: { eq: byDirect } }),
    },
    project: {
      status: { in: ["failed"] as "failed"[] },
      direction: { eq: "outbound" as const },
      queuedAt: since,
      ...(channel && { channel: { eq: channel } }),
    },
  };
}
