import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { useFormat } from "../../../frame/values/format";
import { useTranslation } from "../../../frame/i18n";
import type { PagedList, PagedState } from "../../../frame/list/PagedList";
import { Cell, rowLink, VirtualTable } from "../../../frame/list/VirtualTable";
import { Time } from "../../../frame/ui/Time";
import type { ProjectRowFragment } from "../../../gql/graphql";
import { ProgressBar } from "../ProgressBar";
import { ProjectBadge } from "../ProjectBadge";
import classes from "../projects.module.css";
import { useStory } from "../useStory";

const COLUMNS = ["name", "channel", "state", "story", "progress", "created"] as const;

interface Props {
  list: PagedList<ProjectRowFragment>;
  state: PagedState<ProjectRowFragment>;
  empty: ReactNode;
}

export function ProjectTable({ list, state, empty }: Props) {
  const { t } = useTranslation();
  return (
    <VirtualTable
      label={t("projects.title")}
      list={list}
      state={state}
      columns={COLUMNS.map((name) => ({
        name,
        title: t(`projects.columns.${name}`),
        end: name === "created",
      }))}
      widths={classes.project}
      height={48}
      narrowHeight={84}
      listClass={classes.list}
      empty={empty}
      cells={(project) => <Cells project={project} />}
    />
  );
}

function Cells({ project }: { project: ProjectRowFragment }) {
  const { textOr } = useTranslation();
  const format = useFormat();
  const story = useStory()(project);
  const total = project.progress?.total ?? project.counts.total;
  const done = project.progress?.done ?? 0;
  return (
    <>
      <Cell>
        <Link to={`/projects/${project.uuid}`} className={rowLink}>
          {project.name}
        </Link>
      </Cell>
      <Cell className={classes.channel}>{textOr(`channels.${project.channel}`, project.channel)}</Cell>
      <Cell>
        <ProjectBadge status={project.status} />
      </Cell>
      <Cell dim className={classes.story} title={story}>
        {story}
      </Cell>
      <Cell className={classes.progress}>
        {total > 0 && (
          <>
            <span className={classes.numbers}>
              <Text span size="xs">
                {format.number(done)} / {format.number(total)}
              </Text>
              <Text span size="xs" c="dimmed">
                {format.percent(done / total)}
              </Text>
            </span>
            <ProgressBar project={project} size={6} />
          </>
        )}
      </Cell>
      <Cell dim end className={classes.time}>
        <Time value={project.createdAt} />
      </Cell>
    </>
  );
}
