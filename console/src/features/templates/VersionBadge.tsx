import { Badge } from "@mantine/core";
import { useTranslation } from "../../frame/i18n";

/** The number of a published version; a draft has none. */
export function VersionBadge({ number }: { number: number | null }) {
  const { t } = useTranslation();
  return (
    <Badge
      variant="light"
      color={number === null ? "orange" : "teal"}
      radius="sm"
      size="sm"
      tt="none"
      fw={500}
      miw="max-content"
    >
      {number === null ? t("templates.draft") : t("templates.numbered", { number })}
    </Badge>
  );
}
