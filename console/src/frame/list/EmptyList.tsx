import { Center, Loader, Text } from "@mantine/core";
import { useTranslation } from "../i18n";

/** What stands below the head of a table that has no rows: that it is being loaded, or that there is nothing. */
export function EmptyList({ loading, text }: { loading: boolean; text: string }) {
  const { t } = useTranslation();
  return (
    <Center p="lg">
      {loading ? (
        <Loader size="sm" aria-label={t("common.loading")} />
      ) : (
        <Text size="sm" role="status" maw={480} ta="center">
          {text}
        </Text>
      )}
    </Center>
  );
}
