import { Badge } from "@mantine/core";
import { useTranslation } from "../../frame/i18n";
import type { UserStatus } from "../../gql/graphql";

const COLORS: Record<UserStatus, string> = {
  active: "teal",
  invited: "blue",
  suspended: "orange",
  deleted: "gray",
};

export function UserBadge({ status }: { status: UserStatus }) {
  const { t } = useTranslation();
  return (
    <Badge variant="light" color={COLORS[status]} radius="sm" size="sm" tt="none" fw={500}>
      {t(`users.states.${status}`)}
    </Badge>
  );
}
