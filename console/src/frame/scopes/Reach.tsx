import { Text } from "@mantine/core";
import { useTranslation } from "../i18n";

/** How many people a token or a member may reach; nothing without a limit. */
export function Reach({ above }: { above: number | null }) {
  const { t } = useTranslation();
  if (above === null) return null;
  return (
    <Text size="xs" c="dimmed">
      {t("scopeList.reach", { count: above, number: above })}
    </Text>
  );
}
