import { ActionIcon, Anchor, Button, Group, Paper, Stack, Table, Text } from "@mantine/core";
import { IconPlus, IconRefresh, IconSend } from "@tabler/icons-react";
import { Suspense, useState } from "react";
import { Link, useSearchParams } from "react-router";
import { useClient } from "urql";
import { lazyFile } from "../../../frame/api/consoleFiles";
import { problemOf, type Problem } from "../../../frame/api/errors";
import { useTranslation } from "../../../frame/i18n";
import { EmptyList } from "../../../frame/list/EmptyList";
import { LoadMore } from "../../../frame/list/LoadMore";
import { usePagedQuery } from "../../../frame/list/PagedList";
import { useChangeParams } from "../../../frame/search/useChangeParams";
import { useViewer } from "../../../frame/session";
import { useTopics, type Topic } from "../../../frame/topics/useTopics";
import { ChangeButton } from "../../../frame/ui/dialogs/ChangeButton";
import { Question } from "../../../frame/ui/dialogs/Question";
import { RemoveButton } from "../../../frame/ui/dialogs/RemoveButton";
import { Notice, useNotice } from "../../../frame/ui/page/Notice";
import { PageHead } from "../../../frame/ui/page/PageHead";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../../frame/ui/page/usePageTitle";
import { Time } from "../../../frame/ui/Time";
import { useFormat } from "../../../frame/values/format";
import type { SegmentRowFragment } from "../../../gql/graphql";
import classes from "../contacts.module.css";
import { ContactsTabs } from "../ContactsTabs";
import { CountSegment, DeleteSegment, SegmentPage } from "./documents";
import { addressOf } from "./sending";

const PAGE = 100; // of at most 200
const SegmentDialog = lazyFile(() => import("./SegmentDialog"));

/** Contacts that meet conditions. */
export default function SegmentsPage() {
  const { t } = useTranslation();
  const { topics } = useTopics();
  const { may: has, ownerUuid } = useViewer();
  const may = has("contacts:write");
  const { list, state } = usePagedQuery(
    `segments?${ownerUuid}`,
    SegmentPage,
    (after) => ({ first: PAGE, after, where: { ownerId: { eq: ownerUuid } } }),
    (data) => data.segments,
    { pollWith: "update" },
  );
  const { rows, problem, loading } = state;
  const [params] = useSearchParams();
  const change = useChangeParams();
  const [removing, setRemoving] = useState<SegmentRowFragment | null>(null);
  const counting = useCounting((row) => list.replace(row));
  const notice = useNotice();
  const editing = rows.find(({ uuid }) => uuid === params.get("edit"));
  usePageTitle(t("segments.title"));
  const add = () => change({ add: "1" });
  const close = () => change({ add: null, edit: null }, true);
  const button = (
    <Button leftSection={<IconPlus size={14} />} onClick={add}>
      {t("segments.add")}
    </Button>
  );
  return (
    <Stack gap={8}>
      <PageHead title={t("nav.contacts")} about={t("segments.about")}>
        {may && button}
      </PageHead>
      <ContactsTabs />
      <Notice message={notice.message} onDismiss={notice.dismiss} />
      {problem && <ProblemNotice problem={problem} onRetry={() => void list.retry()} />}
      {counting.problem && <ProblemNotice problem={counting.problem} />}
      <Paper>
        <Table verticalSpacing={6} aria-label={t("segments.title")} className={classes.table}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("segments.name")}</Table.Th>
              <Table.Th>{t("segments.size")}</Table.Th>
              <Table.Th className={classes.wide}>{t("segments.counted")}</Table.Th>
              <Table.Th w={144}>
                <span className="visually-hidden">{t("topics.actions")}</span>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((segment) => (
              <Row
                key={segment.uuid}
                segment={segment}
                topics={topics}
                counting={counting.of === segment.uuid}
                onCount={() => void counting.count(segment.uuid)}
                onEdit={() => change({ edit: segment.uuid })}
                onRemove={() => setRemoving(segment)}
              />
            ))}
          </Table.Tbody>
        </Table>
        {rows.length === 0 && !problem && (
          <EmptyList
            loading={loading || !state.complete}
            text={t("segments.empty")}
            hint={may ? t("segments.emptyHint") : undefined}
          >
            {may && button}
          </EmptyList>
        )}
      </Paper>
      <LoadMore label={t("contacts.more")} list={list} state={state} />
      {may && (params.has("add") || editing) && (
        <Suspense fallback={null}>
          <SegmentDialog
            key={editing?.uuid ?? "new"}
            {...(editing && { segment: editing })}
            onClose={close}
            onSaved={(name: string) => {
              close();
              notice.show(t("segments.saved", { name }));
              void list.reload();
            }}
          />
        </Suspense>
      )}
      {removing && (
        <Question
          title={t("segments.deleteTitle", { name: removing.name })}
          question={t("segments.deleteText")}
          action={t("topics.delete")}
          mutation={DeleteSegment}
          variables={{ id: removing.uuid }}
          onDone={() => {
            notice.show(t("segments.deleted", { name: removing.name }));
            list.remove(removing.uuid);
            setRemoving(null);
          }}
          onClose={() => setRemoving(null)}
        />
      )}
    </Stack>
  );
}

/** Counts the contacts of one segment at a time. */
function useCounting(onCounted: (row: SegmentRowFragment) => void) {
  const client = useClient();
  const [of, setOf] = useState<string | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  async function count(id: string) {
    setOf(id);
    setProblem(null);
    const { data, error } = await client.mutation(CountSegment, { id }).toPromise();
    setOf(null);
    if (data?.countSegment) onCounted(data.countSegment);
    else if (error) setProblem(problemOf(error));
  }
  return { of, problem, count };
}

interface RowProps {
  segment: SegmentRowFragment;
  topics: readonly Topic[];
  counting: boolean;
  onCount: () => void;
  onEdit: () => void;
  onRemove: () => void;
}

function Row({ segment, topics, counting, onCount, onEdit, onRemove }: RowProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { may: has } = useViewer();
  const may = has("contacts:write");
  const { uuid, name, filter, size, countedAt } = segment;
  return (
    <Table.Tr>
      <Table.Td className={classes.anywhere}>
        <Anchor component={Link} to={`/contacts/segments/${uuid}`} size="sm" fw={500}>
          {name}
        </Anchor>
      </Table.Td>
      <Table.Td className={classes.line}>
        {t("contacts.total", { count: size, number: format.number(size) })}
        <Text size="xs" c="dimmed" className={classes.narrow}>
          <Time value={countedAt} />
        </Text>
      </Table.Td>
      <Table.Td className={classes.wide}>
        <Time value={countedAt} />
      </Table.Td>
      <Table.Td>
        {may && (
          <Group gap={4} wrap="nowrap">
            {has("projects:write") && (
              <ActionIcon
                component={Link}
                to={addressOf(uuid, filter, topics)}
                variant="subtle"
                color="gray"
                aria-label={t("segments.sendTo", { name })}
                title={t("segments.send")}
              >
                <IconSend size={16} />
              </ActionIcon>
            )}
            <ActionIcon
              variant="subtle"
              color="gray"
              loading={counting}
              aria-label={t("segments.countOf", { name })}
              title={t("segments.count")}
              onClick={onCount}
            >
              <IconRefresh size={16} />
            </ActionIcon>
            <ChangeButton label={t("topics.editOf", { name })} onClick={onEdit} />
            <RemoveButton label={t("topics.deleteOf", { name })} onClick={onRemove} />
          </Group>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
