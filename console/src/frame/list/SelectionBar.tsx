import "@mantine/core/styles/Checkbox.css";
import { Button, Checkbox, Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "../i18n";
import { useFormat } from "../values/format";
import type { Selection } from "./useSelection";

interface Props {
  selection: Pick<Selection<unknown>, "rows" | "clear">;
  /** what can be done with the chosen rows */
  children: ReactNode;
}

/** Says how many rows are chosen, with what can be done with them. Nothing is shown while none is. */
export function SelectionBar({ selection, children }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const count = selection.rows.length;
  if (count === 0) return null;
  return (
    <Group gap={6} role="group" aria-label={t("selection.chosen", { count, number: format.number(count) })}>
      <Text size="sm" fw={500} role="status">
        {t("selection.chosen", { count, number: format.number(count) })}
      </Text>
      {children}
      <Button variant="subtle" color="gray" onClick={selection.clear}>
        {t("selection.clear")}
      </Button>
    </Group>
  );
}

/** The box in the head of a table that chooses all rows that are shown. */
export function SelectAll({
  selection,
  shown,
}: {
  selection: Pick<Selection<unknown>, "rows" | "toggleAll">;
  shown: number;
}) {
  const { t } = useTranslation();
  const count = selection.rows.length;
  return (
    <Checkbox
      size="xs"
      aria-label={t("selection.all")}
      checked={count > 0 && count === shown}
      indeterminate={count > 0 && count < shown}
      disabled={shown === 0}
      onChange={selection.toggleAll}
    />
  );
}

/** The box of one row. `name` says which, for screen readers. */
export function SelectRow<Row>({
  selection,
  row,
  name,
}: {
  selection: Selection<Row>;
  row: Row;
  name: string;
}) {
  const { t } = useTranslation();
  return (
    <Checkbox
      size="xs"
      aria-label={t("selection.row", { name })}
      checked={selection.has(row)}
      onChange={() => selection.toggle(row)}
    />
  );
}
