import { Badge } from "@mantine/core";
import { useTranslation } from "../../frame/i18n";
import type { ProjectStatus } from "../../gql/graphql";
import { PROJECT_COLORS } from "./states";

/** The state of a project. */
export function ProjectBadge({ status }: { status: ProjectStatus }) {
  const { textOr } = useTranslation();
  return (
    <Badge variant="light" color={PROJECT_COLORS[status]} radius="sm" size="sm" tt="none" fw={500}>
      {textOr(`projects.states.${status}`, status)}
    </Badge>
  );
}
