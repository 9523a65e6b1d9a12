import { Anchor, Breadcrumbs, Button, Loader, Paper, Stack, Table, Text } from "@mantine/core";
import { IconFileUpload, IconPencil, IconSend, IconUserPlus } from "@tabler/icons-react";
import { useState } from "react";
import { Link, useParams, useSearchParams } from "react-router";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useTranslation } from "../../../frame/i18n";
import { EmptyList } from "../../../frame/list/EmptyList";
import { FilterBar } from "../../../frame/list/FilterBar";
import { FilterMenu } from "../../../frame/list/FilterMenu";
import { LoadMore } from "../../../frame/list/LoadMore";
import { usePagedQuery } from "../../../frame/list/PagedList";
import { useChangeParams } from "../../../frame/search/useChangeParams";
import { useSearch } from "../../../frame/search/useSearch";
import { useViewer } from "../../../frame/session";
import type { Topic } from "../../../frame/topics/useTopics";
import { Notice, useNotice } from "../../../frame/ui/page/Notice";
import { NotFound } from "../../../frame/ui/page/NotFound";
import { PageHead } from "../../../frame/ui/page/PageHead";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../../frame/ui/page/usePageTitle";
import { Time } from "../../../frame/ui/Time";
import { useFormat } from "../../../frame/values/format";
import type { SubscribersQuery, SubscriptionState } from "../../../gql/graphql";
import { SubscriptionBadge } from "../consent/SubscriptionBadge";
import classes from "../contacts.module.css";
import { AddContactsDialog } from "./AddContactsDialog";
import { AddedContacts } from "./AddedContacts";
import { OneTopic, Subscribers } from "./documents";
import { TopicDialog } from "./TopicDialog";

const PAGE = 50;
const STATES: readonly SubscriptionState[] = ["active", "pending", "withdrawn"];

type Subscriber = NonNullable<SubscribersQuery["topicSubscriptions"]>["nodes"][number];

interface Search {
  state: SubscriptionState | null;
}

const parse = (params: URLSearchParams): Search => ({
  state: STATES.find((state) => state === params.get("state")) ?? null,
});
const paramsOf = ({ state }: Search) => new URLSearchParams(state ? { state } : {});

export default function TopicPage() {
  const { uuid = "" } = useParams();
  return <OnePage key={uuid} uuid={uuid} />;
}

function OnePage({ uuid }: { uuid: string }) {
  const { t } = useTranslation();
  const { data, problem, loading, reload } = useLoaded(OneTopic, { id: uuid });
  usePageTitle(data?.topic?.name ?? t("topics.title"));
  if (data?.topic) return <Shown topic={data.topic} reload={reload} />;
  if (loading) return <Loader size="sm" aria-label={t("common.loading")} />;
  if (!problem || problem.code === "topic_not_found" || problem.code === "bad_id") {
    return <NotFound text={t("topics.notFound")} />;
  }
  return <ProblemNotice problem={problem} onRetry={reload} />;
}

/** A topic, and who is, was or may become subscribed to it. */
function Shown({ topic, reload }: { topic: Topic; reload: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { may } = useViewer();
  const writes = may("contacts:write");
  const { search, change, open, setOpen } = useSearch(parse, paramsOf, "edit");
  const { list, state } = usePagedQuery(
    `subscribers?${topic.uuid}&${search.state}`,
    Subscribers,
    (after) => ({
      first: PAGE,
      after,
      where: { topicId: { eq: topic.uuid }, ...(search.state && { state: { eq: search.state } }) },
    }),
    (data) => data.topicSubscriptions,
  );
  const [params] = useSearchParams();
  const changeParams = useChangeParams();
  const added = params.get("added");
  const [adding, setAdding] = useState(false);
  const notice = useNotice();
  const facts = [
    topic.key,
    t(`topics.categories.${topic.category}`),
    t(`topics.optIns.${topic.optIn}`),
    t(topic.public ? "topics.publicYes" : "topics.publicNo"),
  ];
  return (
    <Stack gap={8}>
      <Breadcrumbs>
        <Anchor component={Link} to="/contacts" size="sm">
          {t("nav.contacts")}
        </Anchor>
        <Anchor component={Link} to="/contacts/topics" size="sm">
          {t("topics.title")}
        </Anchor>
      </Breadcrumbs>
      <PageHead title={topic.name} about={topic.description ?? undefined}>
        {writes && (
          <Button variant="default" leftSection={<IconPencil size={14} />} onClick={() => setOpen(true)}>
            {t("topics.edit")}
          </Button>
        )}
        {writes && (
          <Button variant="default" leftSection={<IconUserPlus size={14} />} onClick={() => setAdding(true)}>
            {t("subscriptions.addContacts")}
          </Button>
        )}
        {writes && may("files:write") && (
          <Button
            variant="default"
            component={Link}
            to={`/contacts/import?topic=${topic.uuid}`}
            leftSection={<IconFileUpload size={14} />}
          >
            {t("topics.import")}
          </Button>
        )}
        {may("projects:write") && (
          <Button
            component={Link}
            to={`/projects/new?topic=${topic.uuid}&category=${topic.category}`}
            leftSection={<IconSend size={14} />}
          >
            {t("segments.send")}
          </Button>
        )}
      </PageHead>
      <Text size="sm" c="dimmed" className={classes.anywhere}>
        {facts.join(" · ")}
      </Text>
      <Notice message={notice.message} onDismiss={notice.dismiss} />
      {added && (
        <AddedContacts
          key={added}
          uuid={added}
          onReady={() => void list.reload()}
          onDismiss={() => changeParams({ added: null }, true)}
        />
      )}
      <FilterBar
        filtered={search.state !== null}
        onClear={() => change({ state: null })}
        total={
          state.total === null
            ? null
            : t("subscriptions.total", { count: state.total, number: format.number(state.total) })
        }
      >
        <FilterMenu
          label={t("subscriptions.state")}
          options={STATES.map((value) => ({ value, label: t(`subscriptions.states.${value}`) }))}
          chosen={search.state ? [search.state] : []}
          onChange={([chosen]) => change({ state: STATES.find((one) => one === chosen) ?? null })}
        />
      </FilterBar>
      {state.problem && <ProblemNotice problem={state.problem} onRetry={() => void list.retry()} />}
      <Paper>
        <Table
          verticalSpacing={6}
          aria-label={t("subscriptions.subscribers")}
          aria-busy={state.loading}
          className={classes.table}
        >
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("contacts.name")}</Table.Th>
              <Table.Th>{t("contacts.channel")}</Table.Th>
              <Table.Th>{t("subscriptions.state")}</Table.Th>
              <Table.Th className={classes.wide}>{t("subscriptions.since")}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {state.rows.map((row) => (
              <Row key={row.uuid} row={row} />
            ))}
          </Table.Tbody>
        </Table>
        {state.rows.length === 0 && !state.problem && (
          <EmptyList
            loading={!state.complete}
            text={t(search.state ? "subscriptions.nothingFound" : "subscriptions.nobody")}
          />
        )}
      </Paper>
      <LoadMore label={t("contacts.more")} list={list} state={state} />
      {adding && (
        <AddContactsDialog
          topic={topic}
          onClose={() => setAdding(false)}
          onDone={(message) => {
            setAdding(false);
            notice.show(message);
            void list.reload();
          }}
          onBegun={(import_) => {
            setAdding(false);
            changeParams({ added: import_ });
          }}
        />
      )}
      {open && writes && (
        <TopicDialog
          topic={topic}
          onClose={() => setOpen(false)}
          onSaved={() => {
            setOpen(false);
            reload();
          }}
        />
      )}
    </Stack>
  );
}

function Row({ row: { contact, channel, state, changedAt } }: { row: Subscriber }) {
  const { t } = useTranslation();
  const address = contact?.addresses.find((one) => one.channel === channel)?.address;
  const name = contact?.name || contact?.externalId || address || t("contacts.nameless");
  return (
    <Table.Tr>
      <Table.Td className={classes.anywhere}>
        {contact ? (
          <Anchor component={Link} to={`/contacts/${contact.uuid}`} size="sm" fw={500}>
            {name}
          </Anchor>
        ) : (
          name
        )}
        {address && address !== name && (
          <Text size="xs" c="dimmed">
            {address}
          </Text>
        )}
      </Table.Td>
      <Table.Td>{t(`contacts.channels.${channel}`)}</Table.Td>
      <Table.Td>
        <SubscriptionBadge state={state} />
      </Table.Td>
      <Table.Td className={`${classes.wide} ${classes.line}`} c="dimmed">
        <Time value={changedAt} />
      </Table.Td>
    </Table.Tr>
  );
}
