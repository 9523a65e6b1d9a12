import { Button, Group, Text } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "../i18n";

interface Props {
  /** whether a filter is set, so that all can be cleared */
  filtered?: boolean;
  onClear?: () => void;
  /** how many rows there are; null while it is not known */
  total: string | null;
  /** the search field and the filters */
  children: ReactNode;
}

/** The filters above a list, the button that clears them, and the number of rows. */
export function FilterBar({ filtered = false, onClear, total, children }: Props) {
  const { t } = useTranslation();
  return (
    <Group gap={6}>
      {children}
      {filtered && (
        <Button variant="subtle" color="gray" leftSection={<IconX size={14} />} onClick={onClear}>
          {t("filters.clear")}
        </Button>
      )}
      <Text size="xs" c="dimmed" ms="auto" role="status">
        {total}
      </Text>
    </Group>
  );
}
