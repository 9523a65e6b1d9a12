import { Button, Stack } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "../../frame/i18n";
import { FilterBar } from "../../frame/list/FilterBar";
import { FilterMenu } from "../../frame/list/FilterMenu";
import { LoadMore } from "../../frame/list/LoadMore";
import { useSearch } from "../../frame/search/useSearch";
import { SendersTabs } from "../../frame/sender/SendersTabs";
import { useViewer } from "../../frame/session";
import { Question } from "../../frame/ui/dialogs/Question";
import { Notice, useNotice } from "../../frame/ui/page/Notice";
import { PageHead } from "../../frame/ui/page/PageHead";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../frame/ui/page/usePageTitle";
import { SearchField } from "../../frame/ui/SearchField";
import { useFormat } from "../../frame/values/format";
import type { SenderState } from "../../gql/graphql";
import { AskDialog } from "./AskDialog";
import { CountriesDialog } from "./CountriesDialog";
import { DecideDialog } from "./DecideDialog";
import { DeleteSenderId } from "./documents";
import { isFiltered, KINDS, parseSearch, searchParams, STATES } from "./search";
import { SenderIdTable } from "./SenderIdTable";
import { useSenderIds, type SenderIdRow } from "./useSenderIds";

type Opened = { what: "countries" | "decide" | "remove"; row: SenderIdRow };

/** The names, numbers and addresses that messages are sent from; administrators decide about those of SMS. */
export default function SenderIdsPage() {
  const { t } = useTranslation();
  const format = useFormat();
  const { search, change, open: asking, setOpen: setAsking } = useSearch(parseSearch, searchParams, "ask");
  const { list, state } = useSenderIds(search);
  const [opened, setOpened] = useState<Opened | null>(null);
  const { isAdmin, may } = useViewer();
  const notice = useNotice();
  const filtered = isFiltered(search);
  usePageTitle(t("nav.senderIds"));
  const done = (message: string) => {
    notice.show(message);
    setOpened(null);
    void list.reload();
  };
  const told = (value: string, now: SenderState) => t(`senderIds.now.${now}`, { value });
  return (
    <Stack gap={8}>
      <PageHead title={t("nav.senders")} about={t("senderIds.about")}>
        {isAdmin && (
          <Button variant="default" onClick={() => change({ text: "", kind: [], state: ["pending"] })}>
            {t("senderIds.waiting")}
          </Button>
        )}
        {may("senders:write") && (
          <Button leftSection={<IconPlus size={14} />} onClick={() => setAsking(true)}>
            {t("senderIds.ask")}
          </Button>
        )}
      </PageHead>
      <SendersTabs />
      <FilterBar
        filtered={filtered}
        onClear={() => change({ text: "", state: [], kind: [] })}
        total={
          state.total === null
            ? null
            : t("senderIds.total", { count: state.total, number: format.number(state.total) })
        }
      >
        <SearchField
          label={t("senderIds.search")}
          value={search.text}
          onChange={(text) => change({ text })}
        />
        <FilterMenu
          several
          label={t("senderIds.state")}
          options={STATES.map((value) => ({ value, label: t(`senderIds.states.${value}`) }))}
          chosen={search.state}
          onChange={(chosen) => change({ state: STATES.filter((item) => chosen.includes(item)) })}
        />
        <FilterMenu
          several
          label={t("senderIds.kind")}
          options={KINDS.map((value) => ({ value, label: t(`senderIds.kinds.${value}`) }))}
          chosen={search.kind}
          onChange={(chosen) => change({ kind: KINDS.filter((item) => chosen.includes(item)) })}
        />
      </FilterBar>
      <Notice message={notice.message} onDismiss={notice.dismiss} />
      {state.problem && <ProblemNotice problem={state.problem} onRetry={() => void list.retry()} />}
      <SenderIdTable
        state={state}
        filtered={filtered}
        onAsk={() => setAsking(true)}
        onCountries={(row) => setOpened({ what: "countries", row })}
        onDecide={(row) => setOpened({ what: "decide", row })}
        onRemove={(row) => setOpened({ what: "remove", row })}
      />
      <LoadMore label={t("senderIds.more")} list={list} state={state} />
      {asking && may("senders:write") && (
        <AskDialog
          onClose={() => setAsking(false)}
          onAsked={(value, now) => {
            setAsking(false);
            done(told(value, now));
          }}
        />
      )}
      {opened?.what === "countries" && (
        <CountriesDialog
          row={opened.row}
          onClose={() => setOpened(null)}
          onChanged={() => done(t("senderIds.changed", { value: opened.row.value }))}
        />
      )}
      {opened?.what === "decide" && (
        <DecideDialog
          row={opened.row}
          onClose={() => setOpened(null)}
          onDecided={(value, now) => done(told(value, now))}
        />
      )}
      {opened?.what === "remove" && (
        <Question
          title={t("senderIds.deleteOf", { value: opened.row.value })}
          question={t("senderIds.deleteText")}
          action={t("senderIds.delete")}
          mutation={DeleteSenderId}
          variables={{ id: opened.row.uuid }}
          onDone={() => done(t("senderIds.deleted", { value: opened.row.value }))}
          onClose={() => setOpened(null)}
        />
      )}
    </Stack>
  );
}
