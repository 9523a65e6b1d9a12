import { Anchor, Button, Paper, Stack, Table, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { Link, useNavigate } from "react-router";
import { useTranslation } from "../../frame/i18n";
import { EmptyList } from "../../frame/list/EmptyList";
import { FilterBar } from "../../frame/list/FilterBar";
import { FilterMenu } from "../../frame/list/FilterMenu";
import { LoadMore } from "../../frame/list/LoadMore";
import { usePagedQuery } from "../../frame/list/PagedList";
import { useSearch } from "../../frame/search/useSearch";
import { useViewer } from "../../frame/session";
import { PageHead } from "../../frame/ui/page/PageHead";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../frame/ui/page/usePageTitle";
import { Time } from "../../frame/ui/Time";
import { useFormat } from "../../frame/values/format";
import type { SeriesStatus } from "../../gql/graphql";
import { SeriesPage } from "./documents";
import { SeriesBadge } from "./SeriesBadge";
import { SeriesDialog } from "./SeriesDialog";
import classes from "./series.module.css";

const STATUSES: readonly SeriesStatus[] = ["draft", "running", "paused", "archived"];

interface Search {
  status: SeriesStatus | null;
}

const parse = (params: URLSearchParams): Search => ({
  status: STATUSES.find((status) => status === params.get("status")) ?? null,
});
const paramsOf = ({ status }: Search) => new URLSearchParams(status ? { status } : {});

/** Messages that people get one after the other, after they have subscribed. */
export default function SeriesListPage() {
  const { t } = useTranslation();
  const format = useFormat();
  const navigate = useNavigate();
  const may = useViewer().may("projects:write");
  const { search, change, open, setOpen } = useSearch(parse, paramsOf, "add");
  const { list, state } = usePagedQuery(
    `series?${search.status}`,
    SeriesPage,
    (after) => ({ first: 50, after, where: search.status ? { status: { eq: search.status } } : {} }),
    (data) => data.seriesList,
  );
  usePageTitle(t("series.title"));
  return (
    <Stack gap={8}>
      <PageHead title={t("nav.series")} about={t("series.about")}>
        {may && (
          <Button leftSection={<IconPlus size={14} />} onClick={() => setOpen(true)}>
            {t("series.add")}
          </Button>
        )}
      </PageHead>
      <FilterBar
        filtered={search.status !== null}
        onClear={() => change({ status: null })}
        total={
          state.total === null
            ? null
            : t("series.total", { count: state.total, number: format.number(state.total) })
        }
      >
        <FilterMenu
          label={t("series.status")}
          options={STATUSES.map((value) => ({ value, label: t(`series.statuses.${value}`) }))}
          chosen={search.status ? [search.status] : []}
          onChange={([chosen]) => change({ status: STATUSES.find((one) => one === chosen) ?? null })}
        />
      </FilterBar>
      {state.problem && <ProblemNotice problem={state.problem} onRetry={() => void list.retry()} />}
      <Paper>
        <Table
          verticalSpacing={6}
          aria-label={t("series.title")}
          aria-busy={state.loading}
          className={classes.table}
        >
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t("series.name")}</Table.Th>
              <Table.Th>{t("series.status")}</Table.Th>
              <Table.Th className={classes.wide}>{t("series.topic")}</Table.Th>
              <Table.Th className={classes.number}>{t("series.steps")}</Table.Th>
              <Table.Th className={classes.wide}>{t("series.started")}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {state.rows.map((row) => (
              <Table.Tr key={row.uuid}>
                <Table.Td className={classes.anywhere}>
                  <Anchor component={Link} to={`/series/${row.uuid}`} size="sm" fw={500}>
                    {row.name}
                  </Anchor>
                </Table.Td>
                <Table.Td>
                  <SeriesBadge status={row.status} />
                </Table.Td>
                <Table.Td className={`${classes.wide} ${classes.anywhere}`}>
                  {row.topic?.name ?? t("series.bySegment")}
                </Table.Td>
                <Table.Td className={classes.number}>{format.number(row.steps.length)}</Table.Td>
                <Table.Td className={classes.wide} c="dimmed">
                  {row.startedAt ? <Time value={row.startedAt} /> : <Text size="sm">—</Text>}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        {state.rows.length === 0 && !state.problem && (
          <EmptyList
            loading={!state.complete}
            text={t(search.status ? "series.nothingFound" : "series.empty")}
            hint={may && !search.status ? t("series.emptyHint") : undefined}
            add={may && !search.status && { label: t("series.add"), onClick: () => setOpen(true) }}
          />
        )}
      </Paper>
      <LoadMore label={t("series.more")} list={list} state={state} />
      {open && may && (
        <SeriesDialog
          onClose={() => setOpen(false)}
          onSaved={(uuid) => void navigate(`/series/${uuid}`, { replace: true })}
        />
      )}
    </Stack>
  );
}
