import { Button, Stack } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "../../frame/i18n";
import { FilterBar } from "../../frame/list/FilterBar";
import { FilterMenu } from "../../frame/list/FilterMenu";
import { LoadMore } from "../../frame/list/LoadMore";
import { SelectionBar } from "../../frame/list/SelectionBar";
import { useSelection } from "../../frame/list/useSelection";
import { useSearch } from "../../frame/search/useSearch";
import { Notice, useNotice } from "../../frame/ui/page/Notice";
import { PageHead } from "../../frame/ui/page/PageHead";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../frame/ui/page/usePageTitle";
import { SearchField } from "../../frame/ui/SearchField";
import { useFormat } from "../../frame/values/format";
import { withMarks } from "../../frame/values/marks";
import { useViewer } from "../../frame/session";
import { DeleteFiles } from "./DeleteFiles";
import { FilesTabs } from "./FilesTabs";
import { FileTable } from "./FileTable";
import { ORDERS, parseSearch, searchParams } from "./search";
import { UploadButton, UploadState, useUploads } from "./UploadFiles";
import { useFiles, type FileRow } from "./useFiles";

/** The files that were uploaded, and those that exports have made. */
export default function FilesPage() {
  const { t } = useTranslation();
  const format = useFormat();
  const { search, change } = useSearch(parseSearch, searchParams);
  const { list, state } = useFiles(search);
  const [removing, setRemoving] = useState<readonly FileRow[]>([]);
  const selection = useSelection(state.rows);
  const { may } = useViewer();
  const notice = useNotice();
  const filtered = Boolean(search.name.trim());
  const uploads = useUploads((names) => {
    const [name = ""] = names;
    const count = names.length;
    notice.show(
      count === 1
        ? t("files.uploadedOne", { name: withMarks(name) })
        : t("files.uploadedMany", { count, number: format.number(count) }),
    );
    void list.reload();
  });
  usePageTitle(t("files.title"));

  return (
    <Stack gap={8}>
      <PageHead title={t("files.title")} about={t("files.about")}>
        {may("files:write") && <UploadButton uploads={uploads} />}
      </PageHead>
      <FilesTabs />
      <FilterBar
        filtered={filtered}
        onClear={() => change({ name: "" })}
        total={
          state.total === null
            ? null
            : t("files.total", { count: state.total, number: format.number(state.total) })
        }
      >
        <SearchField label={t("files.search")} value={search.name} onChange={(name) => change({ name })} />
        <FilterMenu
          label={t("files.order")}
          options={ORDERS.map((value) => ({ value, label: t(`files.orders.${value}`) }))}
          chosen={search.order === "newest" ? [] : [search.order]}
          onChange={([order]) => change({ order: ORDERS.find((item) => item === order) ?? "newest" })}
        />
      </FilterBar>
      <UploadState uploads={uploads} />
      <Notice message={notice.message} onDismiss={notice.dismiss} />
      {state.problem && <ProblemNotice problem={state.problem} onRetry={() => void list.retry()} />}
      <SelectionBar selection={selection}>
        {may("files:write") && (
          <Button variant="default" onClick={() => setRemoving(selection.rows)}>
            {t("files.remove")}
          </Button>
        )}
      </SelectionBar>
      <FileTable
        state={state}
        filtered={filtered}
        selection={selection}
        uploads={uploads}
        onRemove={(row) => setRemoving([row])}
      />
      <LoadMore label={t("files.more")} list={list} state={state} />
      {removing.length > 0 && (
        <DeleteFiles
          rows={removing}
          onClose={() => setRemoving([])}
          onDeleted={(count, isAll) => {
            notice.show(t("files.removed", { count, number: format.number(count) }));
            if (isAll) setRemoving([]);
            void list.reload();
          }}
        />
      )}
    </Stack>
  );
}
