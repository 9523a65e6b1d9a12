import { Button, Center, Loader } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "../i18n";
import { Empty } from "../ui/page/Empty";

interface Props {
  loading: boolean;
  /** what is not there, in one sentence */
  text: string;
  /** what to do about it */
  hint?: string | undefined;
  /** the button that adds the first row */
  add?: { label: string; onClick: () => void } | false;
  /** another button */
  children?: ReactNode;
}

/** What stands below the head of a table that has no rows: that it is being loaded, or that there is nothing. */
export function EmptyList({ loading, add, children, ...empty }: Props) {
  const { t } = useTranslation();
  if (!loading)
    return (
      <Empty {...empty}>
        {add && (
          <Button mt={6} leftSection={<IconPlus size={14} />} onClick={add.onClick}>
            {add.label}
          </Button>
        )}
        {children}
      </Empty>
    );
  return (
    <Center p="lg">
      <Loader size="sm" aria-label={t("common.loading")} />
    </Center>
  );
}
