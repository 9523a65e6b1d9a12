import { Button, Stack } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "../../frame/i18n";
import { FilterBar } from "../../frame/list/FilterBar";
import { FilterMenu } from "../../frame/list/FilterMenu";
import { LoadMore } from "../../frame/list/LoadMore";
import { useSearch } from "../../frame/search/useSearch";
import { SendersTabs } from "../../frame/sender/SendersTabs";
import { Question } from "../../frame/ui/dialogs/Question";
import { Notice, useNotice } from "../../frame/ui/page/Notice";
import { PageHead } from "../../frame/ui/page/PageHead";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../frame/ui/page/usePageTitle";
import { SearchField } from "../../frame/ui/SearchField";
import { useFormat } from "../../frame/values/format";
import { useViewer } from "../../frame/session";
import { AddSender } from "./AddSender";
import { DeleteSender } from "./documents";
import { isFiltered, parseSearch, searchParams, STATES } from "./search";
import { SenderTable } from "./SenderTable";
import { useSenders, type SenderRow } from "./useSenders";

/** The accounts from which projects in messengers are sent. */
export default function SendersPage() {
  const { t } = useTranslation();
  const format = useFormat();
  const {
    search,
    params,
    change,
    open: adding,
    setOpen: setAdding,
  } = useSearch(parseSearch, searchParams, "add");
  const { list, state } = useSenders(search);
  const [removing, setRemoving] = useState<SenderRow | null>(null);
  const { may } = useViewer();
  const notice = useNotice();
  const filtered = isFiltered(search);
  usePageTitle(t("senders.title"));
  return (
    <Stack gap={8}>
      <PageHead title={t("nav.senders")} about={t("senders.about")}>
        {may("senders:write") && (
          <Button leftSection={<IconPlus size={14} />} onClick={() => setAdding(true)}>
            {t("senders.add")}
          </Button>
        )}
      </PageHead>
      <SendersTabs />
      <FilterBar
        filtered={filtered}
        onClear={() => change({ text: "", status: [] })}
        total={
          state.total === null
            ? null
            : t("senders.total", { count: state.total, number: format.number(state.total) })
        }
      >
        <SearchField label={t("senders.search")} value={search.text} onChange={(text) => change({ text })} />
        <FilterMenu
          several
          label={t("senders.state")}
          options={STATES.map((value) => ({ value, label: t(`senders.states.${value}`) }))}
          chosen={search.status}
          onChange={(chosen) => change({ status: STATES.filter((item) => chosen.includes(item)) })}
        />
      </FilterBar>
      <Notice message={notice.message} onDismiss={notice.dismiss} />
      {state.problem && <ProblemNotice problem={state.problem} onRetry={() => void list.retry()} />}
      <SenderTable
        state={state}
        filtered={filtered}
        onAdd={() => setAdding(true)}
        onRemove={(row) => setRemoving(row)}
      />
      <LoadMore label={t("senders.more")} list={list} state={state} />
      {adding && may("senders:write") && (
        <AddSender
          first={params.get("account")}
          onClose={() => setAdding(false)}
          onAdded={(name) => {
            setAdding(false);
            notice.show(t("senders.addedOne", { name }));
            void list.reload();
          }}
        />
      )}
      {removing && (
        <Question
          title={t("senders.removeTitle", { name: removing.name })}
          question={t(removing.messengerAccount ? "senders.removeText" : "senders.removeWithToken")}
          action={t("senders.remove")}
          mutation={DeleteSender}
          variables={{ id: removing.uuid }}
          onDone={() => {
            notice.show(t("senders.removed", { name: removing.name }));
            setRemoving(null);
            void list.reload();
          }}
          onClose={() => setRemoving(null)}
        />
      )}
    </Stack>
  );
}
