import "../styles";
import { Button, Stack } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { Link, useLocation, useNavigate } from "react-router";
import { useFormat } from "../../../frame/values/format";
import { useTranslation } from "../../../frame/i18n";
import { useViewer } from "../../../frame/session";
import { LoadMore } from "../../../frame/list/LoadMore";
import { Notice } from "../../../frame/ui/page/Notice";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { FilterBar } from "../../../frame/list/FilterBar";
import { SearchField } from "../../../frame/ui/SearchField";
import { usePageTitle } from "../../../frame/ui/page/usePageTitle";
import { PageHead } from "../../../frame/ui/page/PageHead";
import { useSearch } from "../../../frame/search/useSearch";
import { FilterMenu } from "../../../frame/list/FilterMenu";
import { isFiltered, parseSearch, searchParams, SOURCES } from "../search";
import { AccountTable } from "./AccountTable";
import { Groups } from "./Groups";
import { useAccounts } from "./useAccounts";

/** All messenger accounts, and which of them need a person. */
export default function MessengersPage() {
  const { t } = useTranslation();
  const format = useFormat();
  const viewer = useViewer();
  const navigate = useNavigate();
  const location = useLocation();
  const { search, change } = useSearch(parseSearch, searchParams);
  const { list, state, counts } = useAccounts(search);
  usePageTitle(t("messengers.title"));
  const deleted = (location.state as { deleted?: string } | null)?.deleted;

  const add = viewer.may("messengers:write") && (
    <Button component={Link} to="/messengers/new" leftSection={<IconPlus size={14} />}>
      {t("messengers.add")}
    </Button>
  );

  return (
    <Stack gap={8}>
      <PageHead title={t("messengers.title")}>{add}</PageHead>
      <Notice
        message={deleted ? t("messengers.deleted", { name: deleted }) : null}
        onDismiss={() => void navigate(location.pathname + location.search, { replace: true, state: null })}
      />
      <Groups
        counts={counts}
        chosen={search.group}
        onChoose={(group) => change({ group: group === search.group ? null : group })}
      />
      <FilterBar
        filtered={isFiltered(search)}
        onClear={() => change({ text: "", source: null, group: null })}
        total={
          state.total === null
            ? null
            : t("messengers.total", { count: state.total, number: format.number(state.total) })
        }
      >
        <SearchField
          label={t("messengers.search")}
          value={search.text}
          onChange={(text) => change({ text })}
        />
        <FilterMenu
          label={t("messengers.columns.messenger")}
          options={SOURCES.map((value) => ({ value, label: t(`channels.${value}`) }))}
          chosen={search.source ? [search.source] : []}
          onChange={([source]) => change({ source: SOURCES.find((item) => item === source) ?? null })}
        />
      </FilterBar>
      {state.problem && <ProblemNotice problem={state.problem} onRetry={() => void list.retry()} />}
      <AccountTable
        state={state}
        empty={t(isFiltered(search) ? "messengers.nothingFound" : "messengers.empty")}
        act={!isFiltered(search) && add}
        admin={viewer.isAdmin}
        onLifted={(lifted) => {
          const row = state.rows.find(({ uuid }) => uuid === lifted.uuid);
          if (row) list.replace({ ...row, ...lifted });
        }}
      />
      <LoadMore label={t("messengers.more")} list={list} state={state} />
    </Stack>
  );
}
