import { Anchor, Paper, Table, Text } from "@mantine/core";
import { Link } from "react-router";
import { fileSize } from "../../frame/files/fileSize";
import { useTranslation } from "../../frame/i18n";
import { EmptyList } from "../../frame/list/EmptyList";
import type { PagedState } from "../../frame/list/PagedList";
import { SelectAll, SelectRow } from "../../frame/list/SelectionBar";
import type { Selection } from "../../frame/list/useSelection";
import { useViewer } from "../../frame/session";
import { UserLink } from "../../frame/ui/UserLink";
import { RemoveButton } from "../../frame/ui/dialogs/RemoveButton";
import { Time } from "../../frame/ui/Time";
import { useFormat } from "../../frame/values/format";
import { withMarks } from "../../frame/values/marks";
import classes from "./files.module.css";
import { UploadButton, type useUploads } from "./UploadFiles";
import type { FileRow } from "./useFiles";

interface Props {
  state: PagedState<FileRow>;
  filtered: boolean;
  selection: Selection<FileRow>;
  uploads: ReturnType<typeof useUploads>;
  onRemove: (row: FileRow) => void;
}

export function FileTable({ state, filtered, selection, uploads, onRemove }: Props) {
  const { t, language } = useTranslation();
  const { isAdmin, may } = useViewer();
  const { rows, loading, complete, problem } = state;
  return (
    <Paper>
      <Table verticalSpacing={6} aria-label={t("files.title")} aria-busy={loading} className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={28}>
              <SelectAll selection={selection} shown={rows.length} />
            </Table.Th>
            <Table.Th>{t("files.name")}</Table.Th>
            <Table.Th className={classes.wide}>{t("files.type")}</Table.Th>
            <Table.Th className={classes.number}>{t("files.size")}</Table.Th>
            <Table.Th className={classes.wide}>{t("files.use")}</Table.Th>
            {isAdmin && <Table.Th className={classes.wide}>{t("files.owner")}</Table.Th>}
            <Table.Th className={classes.wide}>{t("files.created")}</Table.Th>
            <Table.Th w={44}>
              <span className="visually-hidden">{t("files.remove")}</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.uuid}>
              <Table.Td>
                <SelectRow selection={selection} row={row} name={withMarks(row.name)} />
              </Table.Td>
              <Table.Td className={classes.name}>
                <Anchor
                  href={row.url}
                  download
                  size="sm"
                  fw={500}
                  aria-label={t("files.download", { name: withMarks(row.name) })}
                >
                  {withMarks(row.name)}
                </Anchor>
              </Table.Td>
              <Table.Td className={classes.wide} c="dimmed">
                {row.mime}
              </Table.Td>
              <Table.Td className={classes.number}>{fileSize(row.size, language)}</Table.Td>
              <Table.Td className={classes.wide}>
                <Use row={row} />
              </Table.Td>
              {isAdmin && (
                <Table.Td className={classes.wide}>{row.owner && <UserLink user={row.owner} />}</Table.Td>
              )}
              <Table.Td className={`${classes.wide} ${classes.line}`} c="dimmed">
                <Time value={row.createdAt} />
              </Table.Td>
              <Table.Td>
                {may("files:write") && (
                  <RemoveButton
                    label={t("files.removeOf", { name: withMarks(row.name) })}
                    onClick={() => onRemove(row)}
                  />
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {rows.length === 0 && !problem && (
        <EmptyList
          loading={!complete}
          text={t(filtered ? "files.nothingFound" : "files.empty")}
          hint={filtered ? undefined : t("files.emptyHint")}
        >
          {!filtered && may("files:write") && <UploadButton uploads={uploads} />}
        </EmptyList>
      )}
    </Paper>
  );
}

/** What made the file, or what was read from it. The API does not say which projects carry a file. */
function Use({ row }: { row: FileRow }) {
  const { t, textOr } = useTranslation();
  const format = useFormat();
  const made = row.exports?.nodes[0];
  const list = row.imports?.nodes[0];
  if (made) {
    const source = textOr(`files.sources.${made.source}`, made.source);
    return (
      <Text size="sm">
        {t("files.exported", { source })}
        {made.sendingProject && (
          <>
            {": "}
            <Anchor component={Link} to={`/projects/${made.sendingProject.uuid}`} size="sm">
              {made.sendingProject.name}
            </Anchor>
          </>
        )}
      </Text>
    );
  }
  if (!list) {
    return (
      <Text size="sm" c="dimmed">
        {t("files.uploaded")}
      </Text>
    );
  }
  return (
    <Text size="sm">
      {list.status === "ready"
        ? t("files.list", { count: list.valid, number: format.number(list.valid) })
        : t("files.listBeingRead")}
    </Text>
  );
}
