import { Table } from "@mantine/core";
import type { ReactNode } from "react";
import { useFormat } from "../../frame/values/format";
import { useTranslation } from "../../frame/i18n";

export const KINDS = ["sent", "delivered", "failed", "unknown"] as const;
type Kind = (typeof KINDS)[number];

interface Props {
  /** what the rows are */
  head: string;
  rows: readonly { key: string; label: ReactNode; counts: Record<Kind, number> }[];
}

/** Numbers of messages by their state. */
export function StateTable({ head, rows }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Table stickyHeader verticalSpacing={4} horizontalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{head}</Table.Th>
          {KINDS.map((kind) => (
            <Table.Th key={kind} scope="col" ta="right">
              {t(`states.${kind}`)}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ key, label, counts }) => (
          <Table.Tr key={key}>
            <Table.Th scope="row" fw={400}>
              {label}
            </Table.Th>
            {KINDS.map((kind) => (
              <Table.Td key={kind} ta="right">
                {format.number(counts[kind])}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
