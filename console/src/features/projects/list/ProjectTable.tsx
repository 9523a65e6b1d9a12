import { Box, Center, Loader, Paper, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useRef, type ReactNode } from "react";
import { Link } from "react-router";
import { useFormat } from "../../../frame/format";
import { useTranslation } from "../../../frame/i18n";
import { LongTable } from "../../../frame/ui/LongTable";
import { ProblemNotice } from "../../../frame/ui/ProblemNotice";
import { Time } from "../../../frame/ui/Time";
import type { ProjectRowFragment } from "../../../gql/graphql";
import { ProgressBar } from "../ProgressBar";
import { ProjectBadge } from "../ProjectBadge";
import classes from "../projects.module.css";
import { useStory } from "../useStory";
import type { ListState, ProjectList } from "./useProjects";

const COLUMNS = ["name", "channel", "state", "story", "progress", "created"] as const;
const AHEAD = 30; // rows before the end at which the next page is loaded

interface Props {
  list: ProjectList;
  state: ListState;
  empty: ReactNode;
}

export function ProjectTable({ list, state, empty }: Props) {
  const { t } = useTranslation();
  const narrow = useMediaQuery("(max-width: 48em)", undefined, { getInitialValueInEffect: false });
  const height = narrow ? 84 : 48;
  const box = useRef<HTMLDivElement>(null);
  const { rows, complete, loading, problem } = state;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    overscan: 10,
    getItemKey: (index) => rows[index]?.uuid ?? index,
    initialOffset: list.offset,
    onChange: (instance) => {
      if (instance.scrollOffset !== null) list.offset = instance.scrollOffset;
    },
  });
  useEffect(() => virtual.measure(), [height, virtual]);
  useLayoutEffect(() => {
    box.current?.scrollTo(0, list.offset);
  }, [list]);
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (rows.length > 0 && last >= rows.length - AHEAD) void list.more();
  }, [list, last, rows.length, loading]);

  return (
    <Paper pos="relative" style={{ overflow: "hidden" }}>
      <LongTable
        label={t("projects.title")}
        total={complete ? rows.length : null}
        busy={loading}
        columns={COLUMNS.map((name) => ({
          name,
          title: t(`projects.columns.${name}`),
          end: name === "created",
        }))}
        widths={classes.head ?? ""}
        list={classes.list ?? ""}
        box={box}
        height={virtual.getTotalSize()}
        empty={rows.length === 0}
      >
        {items.map((item) => {
          const row = rows[item.index];
          return (
            row && <Row key={item.key} project={row} index={item.index} top={item.start} height={height} />
          );
        })}
      </LongTable>
      {rows.length === 0 && (
        <Center pos="absolute" top={60} left={0} right={0} px="md">
          {problem ? (
            <ProblemNotice problem={problem} onRetry={() => void list.reload()} />
          ) : complete ? (
            empty
          ) : (
            <Loader size="sm" aria-label={t("common.loading")} />
          )}
        </Center>
      )}
      {rows.length > 0 && problem && (
        <Box pos="absolute" bottom={8} left={8} right={8}>
          <ProblemNotice problem={problem} onRetry={() => void list.reload()} />
        </Box>
      )}
    </Paper>
  );
}

interface RowProps {
  project: ProjectRowFragment;
  index: number;
  top: number;
  height: number;
}

function Row({ project, index, top, height }: RowProps) {
  const { textOr } = useTranslation();
  const format = useFormat();
  const story = useStory()(project);
  const total = project.progress?.total ?? project.counts.total;
  const done = project.progress?.done ?? 0;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={classes.row}
      style={{ height, transform: `translateY(${top}px)` }}
    >
      <span role="cell" className={classes.cell}>
        <Link to={`/projects/${project.uuid}`} className={classes.name}>
          {project.name}
        </Link>
      </span>
      <span role="cell" className={`${classes.cell} ${classes.channel}`}>
        {textOr(`channels.${project.channel}`, project.channel)}
      </span>
      <span role="cell" className={classes.cell}>
        <ProjectBadge status={project.status} />
      </span>
      <span role="cell" className={`${classes.cell} ${classes.story} ${classes.dim}`} title={story}>
        {story}
      </span>
      <span role="cell" className={`${classes.cell} ${classes.progress}`}>
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
      </span>
      <span role="cell" className={`${classes.cell} ${classes.time} ${classes.end} ${classes.dim}`}>
        <Time value={project.createdAt} />
      </span>
    </div>
  );
}
