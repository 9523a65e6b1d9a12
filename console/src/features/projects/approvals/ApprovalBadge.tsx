import { Badge } from "@mantine/core";
import { useTranslation } from "../../../frame/i18n";
import type { ApprovalState } from "../../../gql/graphql";

const COLORS: Record<ApprovalState, string> = {
  asked: "blue",
  approved: "teal",
  refused: "red",
  withdrawn: "gray",
  void: "orange",
};

export function ApprovalBadge({ state }: { state: ApprovalState }) {
  const { t } = useTranslation();
  return (
    <Badge variant="light" color={COLORS[state]} radius="sm" size="sm" tt="none" fw={500} miw="max-content">
      {t(`approvals.states.${state}`)}
    </Badge>
  );
}
