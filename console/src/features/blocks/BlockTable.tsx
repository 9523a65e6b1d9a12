import { ActionIcon, Center, Loader, Paper, Table, Text } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useTranslation } from "../../frame/i18n";
import { Time } from "../../frame/ui/Time";
import classes from "./blocks.module.css";
import type { BlockRow } from "./useBlocks";

interface Props {
  rows: readonly BlockRow[];
  loading: boolean;
  empty: string;
  onRemove: (row: BlockRow) => void;
}

export function BlockTable({ rows, loading, empty, onRemove }: Props) {
  const { t } = useTranslation();
  return (
    <Paper>
      <Table verticalSpacing={6} aria-label={t("blocks.title")} aria-busy={loading} className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("blocks.address")}</Table.Th>
            <Table.Th>{t("blocks.reason")}</Table.Th>
            <Table.Th className={classes.wide}>{t("blocks.scope")}</Table.Th>
            <Table.Th className={classes.wide}>{t("blocks.since")}</Table.Th>
            <Table.Th w={44}>
              <span className="visually-hidden">{t("blocks.remove")}</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.uuid}>
              <Table.Td fw={500} className={classes.address}>
                {row.phone}
              </Table.Td>
              <Table.Td>{t(`blocks.reasons.${row.reason}`)}</Table.Td>
              <Table.Td className={classes.wide}>{t(`blocks.scopes.${row.scope}`)}</Table.Td>
              <Table.Td className={classes.wide} c="dimmed">
                <Time value={row.createdAt} />
              </Table.Td>
              <Table.Td>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t("blocks.removeOf", { address: row.phone })}
                  onClick={() => onRemove(row)}
                >
                  <IconTrash size={16} />
                </ActionIcon>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {rows.length === 0 && (
        <Center p="lg">
          {loading ? (
            <Loader size="sm" aria-label={t("common.loading")} />
          ) : (
            <Text size="sm" role="status" maw={420} ta="center">
              {empty}
            </Text>
          )}
        </Center>
      )}
    </Paper>
  );
}
