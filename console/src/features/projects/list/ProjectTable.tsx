import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { useFormat } from "../../../frame/values/format";
import { useTranslation } from "../../../frame/i18n";
import type { PagedList, PagedState } from "../../../frame/list/PagedList";
import { Cell, rowLink, VirtualTable } from "../../../frame/list/VirtualTable";
import { SelectAll, SelectRow } from "../../../frame/list/SelectionBar";
import type { Selection } from "../../../frame/list/useSelection";
import { ProgressBar } from "../../../frame/ui/figures/ProgressBar";
import { Time } from "../../../frame/ui/Time";
import type { ProjectRowFragment } from "../../../gql/graphql";
import { ProjectBadge } from "../ProjectBadge";
import classes from "../projects.module.css";
import { useStory } from "../useStory";

const COLUMNS = ["select", "name", "channel", "state", "story", "progress", "created"] as const;

interface Props {
  list: PagedList<ProjectRowFragment>;
  state: PagedState<ProjectRowFragment>;
  empty: ReactNode;
  selection: Selection<ProjectRowFragment>;
}

export function ProjectTable({ list, state, empty, selection }: Props) {
  const { t } = useTranslation();
  return (
    <VirtualTable
      label={t("projects.title")}
      list={list}
      state={state}
      columns={COLUMNS.map((name) => ({
        name,
        title:
          name === "select" ? (
            <SelectAll selection={selection} shown={state.rows.length} />
          ) : (
            t(`projects.columns.${name}`)
          ),
        end: name === "created",
      }))}
      widths={classes.project}
      height={48}
      narrowHeight={88}
      listClass={classes.list}
      empty={empty}
      cells={(project) => <Cells project={project} selection={selection} />}
    />
  );
}

function Cells({
  project,
  selection,
}: {
  project: ProjectRowFragment;
  selection: Selection<ProjectRowFragment>;
}) {
  const { textOr } = useTranslation();
  const format = useFormat();
  const story = useStory()(project);
  const total = project.progress?.total ?? project.counts.total;
  const done = project.progress?.done ?? 0;
  return (
    <>
      <Cell className={classes.check}>
        <SelectRow selection={selection} row={project} name={project.name} />
      </Cell>
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
