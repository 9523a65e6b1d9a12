import "@mantine/core/styles/Progress.css";
import { Progress } from "@mantine/core";
import { useTranslation } from "../../i18n";
import { useFormat } from "../../values/format";
import classes from "./figures.module.css";
import { partsOf, type Counts } from "./progress";

interface Props {
  project: { name: string; counts: Counts; progress: { total: number; percent: number | null } | null };
  size?: number;
}

/** How far a project is, and how its messages ended. The same numbers are in its label. */
export function ProgressBar({ project, size = 8 }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const parts = partsOf(project.counts, project.progress?.total);
  const done = project.progress?.percent ?? 0;
  const label = [
    t("figures.progressOf", { name: project.name }),
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
            color={`var(--console-${part.state})`}
            aria-label={index === 0 ? label : undefined}
            aria-hidden={index > 0 || undefined}
          />
        ))
      )}
    </Progress.Root>
  );
}
