import { Badge } from "@mantine/core";
import { useTranslation } from "../../frame/i18n";
import type { AccountState } from "../../gql/graphql";
import { GROUP_COLORS, groupOf } from "./states";

/** The state of a messenger account in plain words. */
export function AccountBadge({ state }: { state: AccountState }) {
  const { textOr } = useTranslation();
  return (
    <Badge
      variant="light"
      color={GROUP_COLORS[groupOf(state)]}
      radius="sm"
      size="sm"
      tt="none"
      fw={500}
      miw="max-content"
    >
      {textOr(`messengers.states.${state}`, state)}
    </Badge>
  );
}
