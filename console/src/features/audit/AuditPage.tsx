import { Stack } from "@mantine/core";
import { useMemo } from "react";
import { AuditTable } from "../../frame/audit/AuditTable";
import { AuditPage as Entries } from "../../frame/audit/documents";
import { useActors } from "../../frame/audit/useActors";
import { ExportsButton } from "../../frame/files/ExportsButton";
import { useTranslation } from "../../frame/i18n";
import { FilterBar } from "../../frame/list/FilterBar";
import { FilterMenu } from "../../frame/list/FilterMenu";
import { LoadMore } from "../../frame/list/LoadMore";
import { usePagedQuery } from "../../frame/list/PagedList";
import { ANY_TIME } from "../../frame/period/period";
import { PeriodFilter } from "../../frame/period/PeriodFilter";
import { useSearch } from "../../frame/search/useSearch";
import { useViewer } from "../../frame/session";
import { SearchField } from "../../frame/ui/SearchField";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../frame/ui/page/usePageTitle";
import { PageHead } from "../../frame/ui/page/PageHead";
import { exportFilters, isFiltered, ME, parseSearch, RESULTS, searchParams, whereOf } from "./search";

const PAGE = 50;

/** Who changed what, and what was refused. */
export default function AuditPage() {
  const { t } = useTranslation();
  const viewer = useViewer();
  const { search, change } = useSearch(parseSearch, searchParams);
  const key = searchParams(search).toString();
  const opened = useMemo(
    () => Date.now(), // a range like "24h" begins a day before it was chosen, or pages would not fit together
    // eslint-disable-next-line react-hooks/exhaustive-deps -- another search has another beginning
    [key],
  );
  const { list, state } = usePagedQuery(
    `audit?${key}`,
    Entries,
    (after) => ({
      first: PAGE,
      after,
      where: whereOf(search, viewer.uuid, opened),
      actors: viewer.may("users:read"),
    }),
    (data) => data.auditEntries,
  );
  const others = [...useActors()]
    .map(([value, label]) => ({ value, label }))
    .filter(({ value }) => value !== viewer.uuid);
  usePageTitle(t("nav.audit"));
  return (
    <Stack gap={8}>
      <PageHead title={t("nav.audit")} about={t("audit.about")}>
        <ExportsButton
          source="audit"
          title={t("audit.export")}
          heading={t(isFiltered(search) ? "audit.exportFiltered" : "audit.exportAll")}
          empty={t("audit.noExports")}
          label={t("audit.exportAs")}
          filters={exportFilters(search, viewer.uuid, opened)}
        />
      </PageHead>
      <FilterBar
        filtered={isFiltered(search)}
        onClear={() => change({ operation: "", object: "", result: null, by: null, ...ANY_TIME })}
        total={null}
      >
        <SearchField
          label={t("audit.operation")}
          value={search.operation}
          onChange={(operation) => change({ operation })}
        />
        <SearchField
          label={t("audit.objectId")}
          value={search.object}
          onChange={(object) => change({ object })}
        />
        <FilterMenu
          label={t("audit.result")}
          options={RESULTS.map((value) => ({ value, label: t(`audit.results.${value}`) }))}
          chosen={search.result ? [search.result] : []}
          onChange={([result]) => change({ result: RESULTS.find((item) => item === result) ?? null })}
        />
        <FilterMenu
          label={t("audit.who")}
          options={[{ value: ME, label: t("audit.you") }, ...others]}
          chosen={search.by ? [search.by] : []}
          onChange={([by]) => change({ by: by ?? null })}
        />
        <PeriodFilter search={search} onChange={change} />
      </FilterBar>
      {state.problem && <ProblemNotice problem={state.problem} onRetry={() => void list.retry()} />}
      <AuditTable
        rows={state.rows}
        loading={!state.complete && state.rows.length === 0}
        empty={t(isFiltered(search) ? "audit.nothingFound" : "audit.empty")}
        label={t("nav.audit")}
      />
      <LoadMore label={t("audit.more")} list={list} state={state} />
    </Stack>
  );
}
