import { Center, Loader } from "@mantine/core";
import { useTranslation } from "../i18n";
import { Empty } from "../ui/page/Empty";

/** What stands below the head of a table that has no rows: that it is being loaded, or that there is nothing. */
export function EmptyList({ loading, text }: { loading: boolean; text: string }) {
  const { t } = useTranslation();
  if (!loading) return <Empty text={text} />;
  return (
    <Center p="lg">
      <Loader size="sm" aria-label={t("common.loading")} />
    </Center>
  );
}
