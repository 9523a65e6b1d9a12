import { Badge } from "@mantine/core";
import { useTranslation } from "../../frame/i18n";
import { COLORS, type Health } from "./health";

export function HealthBadge({ health }: { health: Health }) {
  const { t } = useTranslation();
  return (
    <Badge miw="max-content" variant="light" color={COLORS[health]} radius="sm" size="sm" tt="none" fw={500}>
      {t(`eventSinks.health.${health}`)}
    </Badge>
  );
}
