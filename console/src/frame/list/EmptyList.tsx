import { Center, Loader } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "../i18n";
import { Empty } from "../ui/page/Empty";

interface Props {
  loading: boolean;
  /** what is not there, in one sentence */
  text: string;
  /** what to do about it */
  hint?: string | undefined;
  /** the button that does it */
  children?: ReactNode;
}

/** What stands below the head of a table that has no rows: that it is being loaded, or that there is nothing. */
export function EmptyList({ loading, ...empty }: Props) {
  const { t } = useTranslation();
  if (!loading) return <Empty {...empty} />;
  return (
    <Center p="lg">
      <Loader size="sm" aria-label={t("common.loading")} />
    </Center>
  );
}
