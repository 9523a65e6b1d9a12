import { Badge } from "@mantine/core";
import { useTranslation } from "../../../frame/i18n";
import type { SubscriptionState } from "../../../gql/graphql";

const COLORS = { pending: "orange", active: "teal", withdrawn: "gray" } as const;

/** The state of a subscription. */
export function SubscriptionBadge({ state }: { state: SubscriptionState }) {
  const { t } = useTranslation();
  return (
    <Badge variant="light" color={COLORS[state]} radius="sm" size="sm" tt="none" fw={500} miw="max-content">
      {t(`subscriptions.states.${state}`)}
    </Badge>
  );
}
