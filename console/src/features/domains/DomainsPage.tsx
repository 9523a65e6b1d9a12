import { Button, Stack } from "@mantine/core";
import { IconPlus, IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { useNavigate } from "react-router";
import { useTranslation } from "../../frame/i18n";
import { FilterBar } from "../../frame/list/FilterBar";
import { LoadMore } from "../../frame/list/LoadMore";
import { useSearch } from "../../frame/search/useSearch";
import { useViewer } from "../../frame/session";
import { PageHead } from "../../frame/ui/page/PageHead";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../frame/ui/page/usePageTitle";
import { SearchField } from "../../frame/ui/SearchField";
import { useFormat } from "../../frame/values/format";
import { AddDomain } from "./AddDomain";
import { CheckDialog } from "./CheckDialog";
import { DomainTable } from "./DomainTable";
import { parseSearch, searchParams } from "./search";
import { useDomains } from "./useDomains";

/** The domains that emails are sent from. */
export default function DomainsPage() {
  const { t } = useTranslation();
  const format = useFormat();
  const navigate = useNavigate();
  const { search, change, open: adding, setOpen: setAdding } = useSearch(parseSearch, searchParams, "add");
  const { list, state } = useDomains(search);
  const [checking, setChecking] = useState(false);
  const { isAdmin, may } = useViewer();
  const filtered = Boolean(search.text.trim());
  usePageTitle(t("nav.domains"));
  return (
    <Stack gap={8}>
      <PageHead title={t("nav.domains")} about={t("domains.about")}>
        {isAdmin && (
          <Button variant="default" leftSection={<IconSearch size={14} />} onClick={() => setChecking(true)}>
            {t("domains.checkAny")}
          </Button>
        )}
        {may("senders:write") && (
          <Button leftSection={<IconPlus size={14} />} onClick={() => setAdding(true)}>
            {t("domains.add")}
          </Button>
        )}
      </PageHead>
      <FilterBar
        filtered={filtered}
        onClear={() => change({ text: "" })}
        total={
          state.total === null
            ? null
            : t("domains.total", { count: state.total, number: format.number(state.total) })
        }
      >
        <SearchField label={t("domains.search")} value={search.text} onChange={(text) => change({ text })} />
      </FilterBar>
      {state.problem && <ProblemNotice problem={state.problem} onRetry={() => void list.retry()} />}
      <DomainTable state={state} filtered={filtered} onAdd={() => setAdding(true)} />
      <LoadMore label={t("domains.more")} list={list} state={state} />
      {adding && may("senders:write") && (
        <AddDomain
          onClose={() => setAdding(false)}
          onAdded={(uuid) => {
            void list.reload();
            void navigate(`/domains/${uuid}`, { replace: true });
          }}
        />
      )}
      {checking && <CheckDialog onClose={() => setChecking(false)} />}
    </Stack>
  );
}
