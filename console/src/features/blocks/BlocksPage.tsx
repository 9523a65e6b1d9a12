import "@mantine/core/styles/Radio.css";
import { Button, Group, Stack, Title } from "@mantine/core";
import { IconBan } from "@tabler/icons-react";
import { useState } from "react";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../frame/api/errors";
import { useFormat } from "../../frame/values/format";
import { useTranslation } from "../../frame/i18n";
import { LoadMore } from "../../frame/list/LoadMore";
import { Confirm } from "../../frame/ui/dialogs/Confirm";
import { Notice, useNotice } from "../../frame/ui/page/Notice";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { FilterBar } from "../../frame/list/FilterBar";
import { SearchField } from "../../frame/ui/SearchField";
import { usePageTitle } from "../../frame/ui/page/usePageTitle";
import { useSearch } from "../../frame/search/useSearch";
import { FilterMenu } from "../../frame/list/FilterMenu";
import { AddBlock } from "./AddBlock";
import { BlockTable } from "./BlockTable";
import { Unblock } from "./documents";
import { isFiltered, parseSearch, REASONS, SCOPES, searchParams } from "./search";
import { useBlocks, type BlockRow } from "./useBlocks";

/** Whom nothing is sent to. */
export default function BlocksPage() {
  const { t } = useTranslation();
  const format = useFormat();
  const { search, change, open: adding, setOpen: setAdding } = useSearch(parseSearch, searchParams, "add");
  const { list, state } = useBlocks(search);
  const [confirming, setConfirming] = useState<BlockRow | null>(null);
  const notice = useNotice();
  usePageTitle(t("blocks.title"));

  return (
    <Stack gap={8} maw={1000}>
      <Group justify="space-between">
        <Title order={1}>{t("blocks.title")}</Title>
        <Button leftSection={<IconBan size={14} />} onClick={() => setAdding(true)}>
          {t("blocks.add")}
        </Button>
      </Group>
      <FilterBar
        filtered={isFiltered(search)}
        onClear={() => change({ text: "", reason: [], scope: null })}
        total={
          state.total === null
            ? null
            : t("blocks.total", { count: state.total, number: format.number(state.total) })
        }
      >
        <SearchField label={t("blocks.search")} value={search.text} onChange={(text) => change({ text })} />
        <FilterMenu
          several
          label={t("blocks.reason")}
          options={REASONS.map((value) => ({ value, label: t(`blocks.reasons.${value}`) }))}
          chosen={search.reason}
          onChange={(chosen) => change({ reason: REASONS.filter((item) => chosen.includes(item)) })}
        />
        <FilterMenu
          label={t("blocks.scope")}
          options={SCOPES.map((value) => ({ value, label: t(`blocks.scopes.${value}`) }))}
          chosen={search.scope ? [search.scope] : []}
          onChange={([scope]) => change({ scope: SCOPES.find((item) => item === scope) ?? null })}
        />
      </FilterBar>
      <Notice message={notice.message} onDismiss={notice.dismiss} />
      {state.problem && <ProblemNotice problem={state.problem} onRetry={() => void list.retry()} />}
      <BlockTable
        state={state}
        empty={t(isFiltered(search) ? "blocks.nothingFound" : "blocks.empty")}
        onRemove={setConfirming}
      />
      <LoadMore label={t("blocks.more")} list={list} state={state} />
      {adding && (
        <AddBlock
          onClose={() => setAdding(false)}
          onAdded={(address) => {
            setAdding(false);
            notice.show(t("blocks.added", { address }));
            void list.reload();
          }}
        />
      )}
      {confirming && (
        <Remove
          row={confirming}
          onClose={() => setConfirming(null)}
          onRemoved={() => {
            notice.show(t("blocks.removed", { address: confirming.phone }));
            setConfirming(null);
            void list.reload();
          }}
        />
      )}
    </Stack>
  );
}

function Remove({ row, onClose, onRemoved }: { row: BlockRow; onClose: () => void; onRemoved: () => void }) {
  const { t } = useTranslation();
  const client = useClient();
  const [problem, setProblem] = useState<Problem | null>(null);
  async function remove() {
    const { error } = await client.mutation(Unblock, { phone: row.phone }).toPromise();
    if (error) setProblem(problemOf(error));
    else onRemoved();
  }
  return (
    <Confirm
      opened
      title={t("blocks.removeTitle", { address: row.phone })}
      question={t(row.reason === "manual" ? "blocks.removeText" : "blocks.removeUnsubscribed")}
      action={t("blocks.remove")}
      problem={problem}
      onConfirm={remove}
      onClose={onClose}
    />
  );
}
