import { Anchor, Group, Paper, Text, Title } from "@mantine/core";
import { Link } from "react-router";
import { useTranslation } from "../../frame/i18n";
import { ProgressBar } from "../../frame/ui/figures/ProgressBar";
import { Time } from "../../frame/ui/Time";
import { useForecast } from "../../frame/values/forecast";
import { useFormat } from "../../frame/values/format";
import type { ActiveQuery } from "../../gql/graphql";
import classes from "./overview.module.css";

type Project = NonNullable<ActiveQuery["sendingProjects"]>["nodes"][number];

/** The projects that run, wait for their start or are paused, each with how far it is. */
export function RunningCard({ projects, more }: { projects: readonly Project[]; more: boolean }) {
  const { t } = useTranslation();
  if (projects.length === 0) return null;
  return (
    <Paper p="sm">
      <Group justify="space-between" mb="xs">
        <Title order={2}>{t("overview.running")}</Title>
        {more && (
          <Anchor component={Link} to="/projects?status=running,paused,scheduled" size="sm">
            {t("overview.allRunning")}
          </Anchor>
        )}
      </Group>
      <ul className={classes.matters}>
        {projects.map((project) => (
          <li key={project.uuid} className={classes.project}>
            <Row project={project} />
          </li>
        ))}
      </ul>
    </Paper>
  );
}

function Row({ project }: { project: Project }) {
  const { t, textOr } = useTranslation();
  const format = useFormat();
  const forecast = useForecast();
  const { status, statusReason, startAt, progress } = project;
  const total = progress?.total ?? 0;
  const done = progress?.done ?? 0;
  const reason = statusReason ? textOr(`overview.pauseReasons.${statusReason}`, statusReason) : "";
  return (
    <div className={classes.progress}>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Anchor component={Link} to={`/projects/${project.uuid}`} size="sm" fw={500} className={classes.name}>
          {project.name}
        </Anchor>
        {total > 0 && (
          <Text size="xs" className={classes.numbers}>
            {format.number(done)} / {format.number(total)} · {format.percent(done / total)}
          </Text>
        )}
      </Group>
      {total > 0 && <ProgressBar project={project} size={6} />}
      <Text size="xs" c="dimmed">
        {status === "scheduled" && startAt ? (
          <>
            {t("overview.starts")} <Time value={startAt} exact />.
          </>
        ) : status === "paused" ? (
          `${t("overview.paused")} ${reason}`
        ) : (
          reason || forecast(progress) || t("overview.sendingNow")
        )}
      </Text>
    </div>
  );
}
