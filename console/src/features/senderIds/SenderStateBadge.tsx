import { Badge } from "@mantine/core";
import { useTranslation } from "../../frame/i18n";
import type { SenderState } from "../../gql/graphql";

const COLORS = { pending: "blue", approved: "teal", refused: "red" } as const;

export function SenderStateBadge({ state }: { state: SenderState }) {
  const { t } = useTranslation();
  return (
    <Badge variant="light" color={COLORS[state]} radius="sm" size="sm" tt="none" fw={500} miw="max-content">
      {t(`senderIds.states.${state}`)}
    </Badge>
  );
}
