import { ActionIcon, Anchor, Button, Group, Paper, Table, Text, Title } from "@mantine/core";
import { IconBellOff, IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "react-router";
import { useTranslation } from "../../../frame/i18n";
import { LoadMore } from "../../../frame/list/LoadMore";
import { usePagedQuery } from "../../../frame/list/PagedList";
import { useViewer } from "../../../frame/session";
import { Notice, useNotice } from "../../../frame/ui/page/Notice";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { Time } from "../../../frame/ui/Time";
import type { OneContactQuery } from "../../../gql/graphql";
import classes from "../contacts.module.css";
import { ConsentEntries } from "./ConsentEntries";
import { ContactSubscriptions } from "./documents";
import type { OwnSubscription } from "./model";
import { SubscribeDialog } from "./SubscribeDialog";
import { SubscriptionBadge } from "./SubscriptionBadge";
import { WithdrawDialog } from "./WithdrawDialog";

const PAGE = 50;

/** What a person is subscribed to, and what has happened to it. */
export function ConsentCard({ contact }: { contact: NonNullable<OneContactQuery["contact"]> }) {
  const { t } = useTranslation();
  const { uuid } = contact;
  const may = useViewer().may("contacts:write");
  const [changes, setChanges] = useState(0);
  const [subscribing, setSubscribing] = useState(false);
  const [withdrawing, setWithdrawing] = useState<OwnSubscription | null>(null);
  const notice = useNotice();
  const { list, state } = usePagedQuery(
    `subscriptions?${uuid}`,
    ContactSubscriptions,
    (after) => ({ first: PAGE, after, where: { contactId: { eq: uuid } } }),
    (data) => data.topicSubscriptions,
  );
  const { rows, loading, problem } = state;

  function changed(message: string) {
    setSubscribing(false);
    setWithdrawing(null);
    notice.show(message);
    void list.reload();
    setChanges((count) => count + 1);
  }

  return (
    <>
      <Paper p="sm">
        <Group justify="space-between">
          <Title order={2}>{t("subscriptions.title")}</Title>
          {may && (
            <Button
              variant="default"
              leftSection={<IconPlus size={14} />}
              onClick={() => setSubscribing(true)}
            >
              {t("subscriptions.subscribe")}
            </Button>
          )}
        </Group>
        <Notice message={notice.message} onDismiss={notice.dismiss} />
        {problem && <ProblemNotice problem={problem} onRetry={() => void list.retry()} />}
        {rows.length === 0 && !loading && !problem && (
          <Text size="sm" c="dimmed">
            {t("subscriptions.none")}
          </Text>
        )}
        {rows.length > 0 && (
          <Table
            verticalSpacing={4}
            mt={4}
            aria-label={t("subscriptions.title")}
            aria-busy={loading}
            className={classes.table}
          >
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t("subscriptions.topic")}</Table.Th>
                <Table.Th className={classes.wide}>{t("contacts.channel")}</Table.Th>
                <Table.Th>{t("subscriptions.state")}</Table.Th>
                <Table.Th className={classes.wide}>{t("subscriptions.since")}</Table.Th>
                <Table.Th w={44}>
                  <span className="visually-hidden">{t("topics.actions")}</span>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((row) => (
                <Row key={row.uuid} row={row} may={may} onWithdraw={() => setWithdrawing(row)} />
              ))}
            </Table.Tbody>
          </Table>
        )}
        <LoadMore label={t("contacts.more")} list={list} state={state} />
      </Paper>
      <ConsentEntries key={changes} uuid={uuid} />
      {subscribing && (
        <SubscribeDialog contact={contact} onClose={() => setSubscribing(false)} onDone={changed} />
      )}
      {withdrawing && (
        <WithdrawDialog
          contact={uuid}
          subscription={withdrawing}
          onClose={() => setWithdrawing(null)}
          onDone={changed}
        />
      )}
    </>
  );
}

interface RowProps {
  row: OwnSubscription;
  may: boolean;
  onWithdraw: () => void;
}

function Row({ row, may, onWithdraw }: RowProps) {
  const { t } = useTranslation();
  const { topic, channel, state, changedAt } = row;
  return (
    <Table.Tr>
      <Table.Td className={classes.anywhere}>
        {topic && (
          <Anchor component={Link} to={`/contacts/topics/${topic.uuid}`} size="sm">
            {topic.name}
          </Anchor>
        )}
        <Text size="xs" c="dimmed" className={classes.narrow}>
          {t(`contacts.channels.${channel}`)}
        </Text>
      </Table.Td>
      <Table.Td className={classes.wide}>{t(`contacts.channels.${channel}`)}</Table.Td>
      <Table.Td>
        <SubscriptionBadge state={state} />
      </Table.Td>
      <Table.Td className={`${classes.wide} ${classes.line}`} c="dimmed">
        <Time value={changedAt} />
      </Table.Td>
      <Table.Td>
        {may && topic && state !== "withdrawn" && (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t("subscriptions.withdrawOf", {
              name: topic.name,
              channel: t(`contacts.channels.${channel}`),
            })}
            onClick={onWithdraw}
          >
            <IconBellOff size={16} />
          </ActionIcon>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
