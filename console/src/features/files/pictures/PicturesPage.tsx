import { Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { fileSize } from "../../../frame/files/fileSize";
import { useTranslation } from "../../../frame/i18n";
import { EmptyList } from "../../../frame/list/EmptyList";
import { FilterBar } from "../../../frame/list/FilterBar";
import { FilterMenu } from "../../../frame/list/FilterMenu";
import { LoadMore } from "../../../frame/list/LoadMore";
import { PictureImage } from "../../../frame/pictures/PictureImage";
import grid from "../../../frame/pictures/pictures.module.css";
import { UploadPictures } from "../../../frame/pictures/UploadPictures";
import { usePictures, usePictureUploads, type Picture } from "../../../frame/pictures/usePictures";
import { useSearch } from "../../../frame/search/useSearch";
import { useViewer } from "../../../frame/session";
import { CopyButton } from "../../../frame/ui/CopyButton";
import { Question } from "../../../frame/ui/dialogs/Question";
import { RemoveButton } from "../../../frame/ui/dialogs/RemoveButton";
import { Notice, useNotice } from "../../../frame/ui/page/Notice";
import { PageHead } from "../../../frame/ui/page/PageHead";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../../frame/ui/page/usePageTitle";
import { SearchField } from "../../../frame/ui/SearchField";
import { Time } from "../../../frame/ui/Time";
import { useFormat } from "../../../frame/values/format";
import { withMarks } from "../../../frame/values/marks";
import { FilesTabs } from "../FilesTabs";
import { ORDERS, orderOf, parseSearch, searchParams } from "../search";
import { DeletePicture } from "./documents";

/** The pictures of letters: uploaded, searched, copied by their address, deleted. */
export default function PicturesPage() {
  const { t } = useTranslation();
  const format = useFormat();
  const { search, change } = useSearch(parseSearch, searchParams);
  const { field, direction } = orderOf(search);
  const { list, state } = usePictures(search.name, { field, direction });
  const [removing, setRemoving] = useState<Picture | null>(null);
  const { may } = useViewer();
  const notice = useNotice();
  const filtered = Boolean(search.name.trim());
  const uploads = usePictureUploads((pictures) => {
    const count = pictures.length;
    notice.show(t("pictures.uploaded", { count, number: format.number(count) }));
    void list.reload();
  });
  usePageTitle(t("pictures.title"));

  return (
    <Stack gap={8}>
      <PageHead title={t("pictures.title")} about={t("pictures.about")} />
      <FilesTabs />
      <FilterBar
        filtered={filtered}
        onClear={() => change({ name: "" })}
        total={
          state.total === null
            ? null
            : t("pictures.total", { count: state.total, number: format.number(state.total) })
        }
      >
        <SearchField label={t("pictures.search")} value={search.name} onChange={(name) => change({ name })} />
        <FilterMenu
          label={t("files.order")}
          options={ORDERS.map((value) => ({ value, label: t(`files.orders.${value}`) }))}
          chosen={search.order === "newest" ? [] : [search.order]}
          onChange={([order]) => change({ order: ORDERS.find((item) => item === order) ?? "newest" })}
        />
      </FilterBar>
      {may("files:write") && <UploadPictures uploads={uploads} />}
      <Notice message={notice.message} onDismiss={notice.dismiss} />
      {state.problem && <ProblemNotice problem={state.problem} onRetry={() => void list.retry()} />}
      <ul className={grid.grid} aria-label={t("pictures.title")} aria-busy={state.loading}>
        {state.rows.map((picture) => (
          <Tile key={picture.uuid} picture={picture} onRemove={() => setRemoving(picture)} />
        ))}
      </ul>
      {state.rows.length === 0 && !state.problem && (
        <EmptyList
          loading={!state.complete}
          text={t(filtered ? "pictures.nothingFound" : "pictures.empty")}
          hint={filtered ? undefined : t("pictures.emptyHint")}
        />
      )}
      <LoadMore label={t("pictures.more")} list={list} state={state} />
      {removing && (
        <Question
          title={t("pictures.removeTitle", { name: withMarks(removing.name) })}
          question={t("pictures.removeText")}
          action={t("pictures.remove")}
          mutation={DeletePicture}
          variables={{ id: removing.uuid }}
          onDone={() => {
            notice.show(t("pictures.removed", { name: withMarks(removing.name) }));
            setRemoving(null);
            void list.reload();
          }}
          onClose={() => setRemoving(null)}
        />
      )}
    </Stack>
  );
}

function Tile({ picture, onRemove }: { picture: Picture; onRemove: () => void }) {
  const { t, language } = useTranslation();
  const { may } = useViewer();
  const name = withMarks(picture.name);
  return (
    <li className={grid.tile}>
      <PictureImage picture={picture} />
      <div className={grid.facts}>
        <Text size="sm" className={grid.name}>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {picture.width} × {picture.height} · {fileSize(picture.size, language)}
        </Text>
        <Text size="xs" c="dimmed">
          <Time value={picture.createdAt} />
        </Text>
        <Group gap={4} justify="space-between" wrap="nowrap" mt="auto">
          <CopyButton small text={picture.url} label={t("pictures.copy", { name })} />
          {may("files:write") && <RemoveButton label={t("pictures.removeOf", { name })} onClick={onRemove} />}
        </Group>
      </div>
    </li>
  );
}
