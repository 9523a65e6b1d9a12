import { Paper, Table, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { EmptyList } from "../../frame/list/EmptyList";
import { useTranslation } from "../../frame/i18n";
import { useViewer } from "../../frame/session";
import type { PagedState } from "../../frame/list/PagedList";
import { SelectAll, SelectRow } from "../../frame/list/SelectionBar";
import type { Selection } from "../../frame/list/useSelection";
import { useFormat } from "../../frame/values/format";
import { Time } from "../../frame/ui/Time";
import { RemoveButton } from "../../frame/ui/dialogs/RemoveButton";
import classes from "../../frame/list/table.module.css";
import type { BlockRow } from "./useBlocks";

interface Props {
  state: PagedState<BlockRow>;
  empty: string;
  /** the button that fills an empty table */
  act?: ReactNode;
  selection: Selection<BlockRow>;
  onRemove: (row: BlockRow) => void;
}

export function BlockTable({ state, empty, act, selection, onRemove }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const writes = useViewer().may("blocks:write");
  const { rows, loading, complete, problem } = state;
  return (
    <Paper>
      <Table verticalSpacing={6} aria-label={t("blocks.title")} aria-busy={loading} className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            {writes && (
              <Table.Th w={28}>
                <SelectAll selection={selection} shown={rows.length} />
              </Table.Th>
            )}
            <Table.Th>{t("blocks.address")}</Table.Th>
            <Table.Th>{t("blocks.reason")}</Table.Th>
            <Table.Th className={classes.wide}>{t("blocks.scope")}</Table.Th>
            <Table.Th className={classes.wide}>{t("blocks.since")}</Table.Th>
            {writes && (
              <Table.Th w={44}>
                <span className="visually-hidden">{t("blocks.remove")}</span>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.uuid}>
              {writes && (
                <Table.Td>
                  <SelectRow selection={selection} row={row} name={row.phone} />
                </Table.Td>
              )}
              <Table.Td fw={500} className={classes.anywhere}>
                {row.phone}
              </Table.Td>
              <Table.Td>
                {t(`blocks.reasons.${row.reason}`)}
                {row.expiresAt && (
                  <Text size="xs" c="dimmed">
                    {t("blocks.until", { time: format.time(row.expiresAt) })}
                  </Text>
                )}
              </Table.Td>
              <Table.Td className={classes.wide}>{t(`blocks.scopes.${row.scope}`)}</Table.Td>
              <Table.Td className={classes.wide} c="dimmed">
                <Time value={row.createdAt} />
              </Table.Td>
              {writes && (
                <Table.Td>
                  <RemoveButton
                    label={t("blocks.removeOf", { address: row.phone })}
                    onClick={() => onRemove(row)}
                  />
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {rows.length === 0 && !problem && (
        <EmptyList loading={!complete} text={empty}>
          {act}
        </EmptyList>
      )}
    </Paper>
  );
}
