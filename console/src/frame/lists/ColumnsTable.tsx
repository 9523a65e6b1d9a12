import { Group, Select, Table } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "../i18n";
import classes from "./lists.module.css";

interface Column<Use extends string> {
  name: string;
  samples: readonly string[];
  use: Use;
}

interface Props<Use extends string, One extends Column<Use>> {
  columns: readonly One[];
  uses: readonly { value: Use; label: string }[];
  onUse: (index: number, use: Use) => void;
  /** what the use of a column needs besides */
  detail: (column: One, index: number) => ReactNode;
}

/** The columns of a list with examples, and what each one is used for. */
export function ColumnsTable<Use extends string, One extends Column<Use>>(props: Props<Use, One>) {
  const { columns, uses, onUse, detail } = props;
  const { t } = useTranslation();
  return (
    <div className={classes.scroll}>
      <Table verticalSpacing={6} aria-label={t("lists.columnsLabel")} className={classes.columnsTable}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("lists.column")}</Table.Th>
            <Table.Th>{t("lists.samples")}</Table.Th>
            <Table.Th>{t("lists.usedAs")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {columns.map((column, index) => (
            <Table.Tr key={`${index}-${column.name}`} data-unused={column.use === "none" || undefined}>
              <Table.Td fw={500}>{column.name}</Table.Td>
              <Table.Td c="dimmed" className={classes.samples}>
                {column.samples.slice(0, 3).join(" · ")}
              </Table.Td>
              <Table.Td>
                <Group gap={6} wrap="nowrap">
                  <Select
                    size="xs"
                    w={150}
                    aria-label={t("lists.useOf", { column: column.name })}
                    value={column.use}
                    allowDeselect={false}
                    data={uses}
                    onChange={(use) => onUse(index, use ?? column.use)}
                  />
                  {detail(column, index)}
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
