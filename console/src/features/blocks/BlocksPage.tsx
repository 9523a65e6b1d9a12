import { Button, Stack } from "@mantine/core";
import { IconBan, IconChartBar, IconFileUpload } from "@tabler/icons-react";
import { useState } from "react";
import { ExportsButton } from "../../frame/files/ExportsButton";
import { useFormat } from "../../frame/values/format";
import { useTranslation } from "../../frame/i18n";
import { LoadMore } from "../../frame/list/LoadMore";
import { SelectionBar } from "../../frame/list/SelectionBar";
import { useSelection } from "../../frame/list/useSelection";
import { Notice, useNotice } from "../../frame/ui/page/Notice";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { FilterBar } from "../../frame/list/FilterBar";
import { SearchField } from "../../frame/ui/SearchField";
import { usePageTitle } from "../../frame/ui/page/usePageTitle";
import { PageHead } from "../../frame/ui/page/PageHead";
import { useSearch } from "../../frame/search/useSearch";
import { FilterMenu } from "../../frame/list/FilterMenu";
import { useViewer } from "../../frame/session";
import { AddBlock } from "./AddBlock";
import { BlockSummary } from "./BlockSummary";
import { BlockTable } from "./BlockTable";
import { ImportBlocks } from "./ImportBlocks";
import { isFiltered, parseSearch, REASONS, SCOPES, searchParams } from "./search";
import { UnblockDialog } from "./UnblockDialog";
import { useBlocks, type BlockRow } from "./useBlocks";

/** The addresses to which nothing is sent. */
export default function BlocksPage() {
  const { t } = useTranslation();
  const format = useFormat();
  const { search, change, open: adding, setOpen: setAdding } = useSearch(parseSearch, searchParams, "add");
  const { list, state } = useBlocks(search);
  const [confirming, setConfirming] = useState<readonly BlockRow[]>([]);
  const [dialog, setDialog] = useState<"summary" | "import" | null>(null);
  const selection = useSelection(state.rows);
  const { may } = useViewer();
  const notice = useNotice();
  usePageTitle(t("blocks.title"));

  const add = (
    <Button leftSection={<IconBan size={14} />} onClick={() => setAdding(true)}>
      {t("blocks.add")}
    </Button>
  );

  return (
    <Stack gap={8}>
      <PageHead title={t("blocks.title")}>
        <Button
          variant="default"
          leftSection={<IconChartBar size={14} />}
          onClick={() => setDialog("summary")}
        >
          {t("blocks.summary")}
        </Button>
        <ExportsButton
          source="blocked-phones"
          title={t("blocks.export")}
          heading={t("blocks.exportTitle")}
          empty={t("blocks.noExports")}
          label={t("blocks.exportAs")}
        />
        {may("blocks:write") && (
          <>
            <Button
              variant="default"
              leftSection={<IconFileUpload size={14} />}
              onClick={() => setDialog("import")}
            >
              {t("blocks.import")}
            </Button>
            {add}
          </>
        )}
      </PageHead>
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
      <SelectionBar selection={selection}>
        <Button variant="default" onClick={() => setConfirming(selection.rows)}>
          {t("blocks.remove")}
        </Button>
      </SelectionBar>
      <BlockTable
        state={state}
        empty={t(isFiltered(search) ? "blocks.nothingFound" : "blocks.empty")}
        act={!isFiltered(search) && may("blocks:write") && add}
        selection={selection}
        onRemove={(row) => setConfirming([row])}
      />
      <LoadMore label={t("blocks.more")} list={list} state={state} />
      {adding && may("blocks:write") && (
        <AddBlock
          onClose={() => setAdding(false)}
          onAdded={(address) => {
            setAdding(false);
            notice.show(t("blocks.added", { address }));
            void list.reload();
          }}
        />
      )}
      {confirming.length > 0 && (
        <UnblockDialog
          rows={confirming}
          onClose={() => setConfirming([])}
          onRemoved={(count) => {
            const [row] = confirming;
            notice.show(
              confirming.length === 1 && row
                ? t("blocks.removed", { address: row.phone })
                : t("blocks.removedMany", { count, number: format.number(count) }),
            );
            setConfirming([]);
            void list.reload();
          }}
        />
      )}
      {dialog === "summary" && (
        <BlockSummary
          onClose={() => setDialog(null)}
          onChosen={(reason, scope) => {
            setDialog(null);
            change({ text: "", reason: [reason], scope });
          }}
        />
      )}
      {dialog === "import" && (
        <ImportBlocks onClose={() => setDialog(null)} onChanged={() => void list.reload()} />
      )}
    </Stack>
  );
}
