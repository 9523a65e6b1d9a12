import { Badge } from "@mantine/core";
import { useTranslation } from "../../frame/i18n";
import type { SeriesRowFragment } from "../../gql/graphql";

const COLORS = { draft: "gray", running: "teal", paused: "orange", archived: "gray" } as const;

/** The status of a series. */
export function SeriesBadge({ status }: { status: SeriesRowFragment["status"] }) {
  const { t } = useTranslation();
  return (
    <Badge variant="light" color={COLORS[status]} radius="sm" size="sm" tt="none" fw={500} miw="max-content">
      {t(`series.statuses.${status}`)}
    </Badge>
  );
}
