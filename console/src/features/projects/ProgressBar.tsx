import { Progress } from "@mantine/core";
import { useTranslation } from "../../frame/i18n";
import type { ProjectRowFragment } from "../../gql/graphql";
import { useFormat } from "../../frame/values/format";
import { partsOf } from "./states";
import classes from "./projects.module.css";

interface Props {
  project: Pick<ProjectRowFragment, "counts" | "progress" | "name">;
  size?: number;
}

/** How far a project is, and how its messages ended. The same numbers are in its label. */
export function ProgressBar({ project, size = 8 }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const parts = partsOf(project.counts);
  const done = project.progress?.percent ?? 0;
  const label = [
    t("projects.progressOf", { name: project.name }),
    ...parts.map((part) => `${t(`states.${part.state}`)}: ${format.number(part.count)}`),
  ].join(", ");
  return (
    <Progress.Root size={size} radius="sm" className={classes.bar} transitionDuration={200}>
      {parts.length === 0 ? (
        <Progress.Section value={done} aria-label={label} />
      ) : (
        parts.map((part, index) => (
          <Progress.Section
            key={part.state}
            value={part.share}
            color={`var(--project-${part.state})`}
            aria-label={index === 0 ? label : undefined}
            aria-hidden={index > 0 || undefined}
          />
        ))
      )}
    </Progress.Root>
  );
}
