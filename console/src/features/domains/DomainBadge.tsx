import { Badge } from "@mantine/core";
import { useTranslation } from "../../frame/i18n";
import type { DomainStatus, RecordState } from "../../gql/graphql";

const STATUS_COLORS = { pending: "blue", verified: "teal", lost: "orange", expired: "red" } as const;
const RECORD_COLORS = { pending: "blue", active: "teal", retired: "gray" } as const;

export function DomainBadge({ status }: { status: DomainStatus }) {
  const { t } = useTranslation();
  return <Small color={STATUS_COLORS[status]} text={t(`domains.states.${status}`)} />;
}

export function RecordBadge({ state }: { state: RecordState }) {
  const { t } = useTranslation();
  return <Small color={RECORD_COLORS[state]} text={t(`domains.recordStates.${state}`)} />;
}

function Small({ color, text }: { color: string; text: string }) {
  return (
    <Badge variant="light" color={color} radius="sm" size="sm" tt="none" fw={500} miw="max-content">
      {text}
    </Badge>
  );
}
