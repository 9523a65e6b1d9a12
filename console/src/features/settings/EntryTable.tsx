import { Anchor, Paper, Table, Text } from "@mantine/core";
import { useFormat } from "../../frame/values/format";
import { useTranslation } from "../../frame/i18n";
import { RemoveButton } from "../../frame/ui/dialogs/RemoveButton";
import classes from "./settings.module.css";
import { kindOf, previewOf, type Entry } from "./values";

interface Props {
  label: string;
  entries: readonly Entry[];
  expires?: boolean | undefined;
  busy: boolean;
  onEdit: (entry: Entry) => void;
  onRemove: (entry: Entry) => void;
}

/** Keys and values. A key opens its value. */
export function EntryTable({ label, entries, expires = false, busy, onEdit, onRemove }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Paper>
      <Table verticalSpacing={6} aria-label={label} aria-busy={busy} className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("settings.key")}</Table.Th>
            <Table.Th>{t("settings.value")}</Table.Th>
            <Table.Th className={classes.wide}>{t(expires ? "settings.expires" : "settings.type")}</Table.Th>
            <Table.Th w={44}>
              <span className="visually-hidden">{t("settings.remove")}</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map((entry) => (
            <Table.Tr key={entry.key}>
              <Table.Td className={classes.key}>
                <Anchor
                  component="button"
                  type="button"
                  size="sm"
                  fw={500}
                  ta="start"
                  onClick={() => onEdit(entry)}
                >
                  {entry.key}
                </Anchor>
              </Table.Td>
              <Table.Td className={classes.value}>
                <Text size="sm" ff={kindOf(entry.value) === "json" ? "monospace" : undefined}>
                  {kindOf(entry.value) === "boolean"
                    ? t(entry.value ? "settings.yes" : "settings.no")
                    : previewOf(entry.value)}
                </Text>
              </Table.Td>
              <Table.Td className={classes.wide} c="dimmed">
                {!expires && t(`settings.kinds.${kindOf(entry.value)}`)}
                {expires &&
                  (entry.ttlSeconds == null
                    ? t("settings.never")
                    : t("settings.in", { duration: format.duration(entry.ttlSeconds) }))}
              </Table.Td>
              <Table.Td>
                <RemoveButton
                  label={t("settings.removeOf", { key: entry.key })}
                  onClick={() => onRemove(entry)}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}
