import { List, Paper, Text, Title } from "@mantine/core";
import { useTranslation } from "../../../frame/i18n";
import { groupsOf } from "./model";
import { useNames } from "./useNames";
import { useWords } from "./useWords";

/** The conditions of a segment in words; nothing if the fields of the console can't show them. */
export function Conditions({ filter }: { filter: unknown }) {
  const { t } = useTranslation();
  const names = useNames(filter);
  const wordsOf = useWords(names);
  const groups = names.loaded ? groupsOf(filter, names.types) : null;
  if (!groups) return null;
  return (
    <Paper p="sm">
      <Title order={2}>{t("segments.conditions")}</Title>
      {groups.length === 1 && groups[0] ? (
        <Text size="sm" mt={4}>
          {wordsOf(groups[0])}
        </Text>
      ) : (
        <List size="sm" mt={4}>
          {groups.map((group, index) => (
            <List.Item key={index}>{wordsOf(group)}</List.Item>
          ))}
        </List>
      )}
    </Paper>
  );
}
