import { Badge, Button, Group, Loader, Paper, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useTranslation } from "../../../frame/i18n";
import { EmptyList } from "../../../frame/list/EmptyList";
import { LoadMore } from "../../../frame/list/LoadMore";
import { usePagedQuery } from "../../../frame/list/PagedList";
import { useViewer } from "../../../frame/session";
import { PageHead } from "../../../frame/ui/page/PageHead";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../../frame/ui/page/usePageTitle";
import { Time } from "../../../frame/ui/Time";
import { useFormat } from "../../../frame/values/format";
import type { ErasuresQuery } from "../../../gql/graphql";
import classes from "../contacts.module.css";
import { ContactsTabs } from "../ContactsTabs";
import { Erasures, OneErasure } from "./documents";

const PAGE = 20;
const POLL_MS = 2_000;

type Erasure = NonNullable<ErasuresQuery["erasures"]>["nodes"][number];

/** The erasures of people: how far each is, what was deleted, and what stays. */
export default function ErasuresPage() {
  const { t } = useTranslation();
  const { ownerUuid } = useViewer();
  const { list, state } = usePagedQuery(
    `erasures?${ownerUuid}`,
    Erasures,
    (after) => ({ first: PAGE, after, where: { ownerId: { eq: ownerUuid } } }),
    (data) => data.erasures,
    { pollMs: POLL_MS, pollWith: "sync" },
  );
  const { rows, loading, problem } = state;
  usePageTitle(t("erasures.title"));
  return (
    <Stack gap={8}>
      <PageHead title={t("nav.contacts")} about={t("erasures.about")} />
      <ContactsTabs />
      {problem && <ProblemNotice problem={problem} onRetry={() => void list.retry()} />}
      {rows.length === 0 && !problem && (
        <Paper>
          <EmptyList
            loading={loading || !state.complete}
            text={t("erasures.empty")}
            hint={t("erasures.emptyHint")}
          >
            <Button component={Link} to="/contacts" variant="default">
              {t("erasures.choose")}
            </Button>
          </EmptyList>
        </Paper>
      )}
      {rows.map((erasure) => (
        <One key={erasure.uuid} erasure={erasure} />
      ))}
      <LoadMore label={t("contacts.more")} list={list} state={state} />
    </Stack>
  );
}

function One({ erasure }: { erasure: Erasure }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { state, stateReason, requestedBy, counts, createdAt, finishedAt } = erasure;
  const [open, setOpen] = useState(false);
  const tables = Object.entries(counts as Record<string, number>).sort(([, one], [, other]) => other - one);
  const total = tables.reduce((sum, [, count]) => sum + count, 0);
  return (
    <Paper p="sm" component="section" aria-label={t("erasures.of", { uuid: erasure.uuid })}>
      <Stack gap={6}>
        <Group gap={8}>
          <Badge
            size="sm"
            variant="light"
            radius="sm"
            tt="none"
            fw={500}
            color={state === "done" ? "teal" : "blue"}
          >
            {t(`erasures.states.${state}`)}
          </Badge>
          <Text size="sm" className={classes.anywhere}>
            {erasure.uuid}
          </Text>
        </Group>
        <Text size="sm" c="dimmed">
          {t(requestedBy ? "erasures.asked" : "erasures.askedByPerson")} <Time value={createdAt} />
          {finishedAt && (
            <>
              {" · "}
              {t("erasures.finished")} <Time value={finishedAt} />
            </>
          )}
        </Text>
        {stateReason && <Text size="sm">{stateReason}</Text>}
        <Text size="sm">
          {t("erasures.rows", { count: total, number: format.number(total) })}
          {total > 0 && ": "}
          {tables
            .filter(([, count]) => count > 0)
            .map(([table, count]) => `${table} ${format.number(count)}`)
            .join(", ")}
        </Text>
        <details onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>
            <Text span size="sm">
              {t("erasures.details")}
            </Text>
          </summary>
          {open && <Details uuid={erasure.uuid} />}
        </details>
      </Stack>
    </Paper>
  );
}

/** The files that were deleted, and what stays: too much to be read with the list. */
function Details({ uuid }: { uuid: string }) {
  const { t } = useTranslation();
  const { data, problem, reload } = useLoaded(OneErasure, { id: uuid });
  const erasure = data?.erasure;
  if (problem) return <ProblemNotice problem={problem} onRetry={reload} />;
  if (!erasure) return <Loader size="sm" aria-label={t("common.loading")} />;
  return (
    <Stack component="ul" gap={4} className={classes.reasons}>
      {erasure.deleted.map(({ subjectId, name }) => (
        <Text key={subjectId} component="li" size="sm" className={classes.anywhere}>
          {t("erasures.file", { name })}
        </Text>
      ))}
      {erasure.notErased.map(({ kind, reason }) => (
        <Text key={kind} component="li" size="sm" className={classes.anywhere}>
          {reason}
        </Text>
      ))}
    </Stack>
  );
}
