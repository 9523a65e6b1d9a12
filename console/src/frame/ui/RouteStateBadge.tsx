import { Badge } from "@mantine/core";
import type { RouteState } from "../../gql/graphql";
import { useTranslation } from "../i18n";

const COLORS: Record<RouteState, string> = { closed: "teal", open: "red", probing: "yellow" };

/** The state of a route's circuit breaker. */
export function RouteStateBadge({ state }: { state: RouteState }) {
  const { t } = useTranslation();
  return (
    <Badge variant="light" color={COLORS[state]} tt="none" radius="sm" fw={500} miw="max-content">
      {t(`overview.routeStates.${state}`)}
    </Badge>
  );
}
