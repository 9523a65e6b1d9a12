import { Group, Paper, Text, Title } from "@mantine/core";
import { Fragment, useState } from "react";
import { useLoaded } from "../../../../frame/api/useLoaded";
import { useFormat } from "../../../../frame/values/format";
import { useTranslation } from "../../../../frame/i18n";
import { ProblemNotice } from "../../../../frame/ui/page/ProblemNotice";
import type { Project } from "../model";
import { ProjectTraffic } from "./documents";
import classes from "./report.module.css";
import { busyColumns, intervalOf, isOneColumn, topOf, type Column } from "./traffic";

const [WIDTH, HEIGHT, BELOW] = [720, 180, 22];
const SERIES = ["sent", "delivered", "failed"] as const;

/** When the messages left, as columns; the same numbers are in a table for those who don't see it. */
export function SentOverTime({ project }: { project: Project }) {
  const { startedAt, finishedAt, updatedAt, uuid } = project;
  const from = Date.parse(startedAt ?? updatedAt);
  // Reports come for a while after the last message, so the end is the last change.
  const until = Math.max(Date.parse(finishedAt ?? updatedAt), Date.parse(updatedAt), from + 1000);
  const variables = {
    id: uuid,
    interval: intervalOf(from, until),
    from: new Date(from).toISOString(),
    until: new Date(until).toISOString(),
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
  const { t } = useTranslation();
  const { data, problem, reload } = useLoaded(ProjectTraffic, variables);
  const rows = data?.sendingProject?.statistics ?? [];
  const columns = busyColumns(
    rows.map((row) => ({
      from: Date.parse(row.from),
      sent: row.sent,
      delivered: row.delivered,
      failed: row.failed,
    })),
  );
  if (!problem && data && columns.length === 0) return null;
  return (
    <Paper p="sm" className={classes.whole}>
      <Group justify="space-between" mb="xs">
        <Title order={2}>{t("report.overTime")}</Title>
        <Group gap="sm">
          {columns.length > 1 &&
            SERIES.map((name) => (
              <Text key={name} size="xs" c="dimmed" className={classes.legend} data-series={name}>
                {t(`states.${name}`)}
              </Text>
            ))}
        </Group>
      </Group>
      {problem ? (
        <ProblemNotice problem={problem} onRetry={reload} />
      ) : (
        <>
          {/* The numbers come after the page: their place is as high as they will be. */}
          <div className={classes.place} data-lines={isOneColumn(from, until) || undefined} aria-busy={!data}>
            {columns.length === 1 && columns[0] ? (
              <OneColumn column={columns[0]} />
            ) : (
              columns.length > 1 && (
                <Columns
                  columns={columns}
                  byDay={variables.interval === "day" || variables.interval === "week"}
                />
              )
            )}
          </div>
          <Pace project={project} from={from} />
        </>
      )}
    </Paper>
  );
}

/** In place of a chart of one moment: a line for each number, in proportion to the largest. */
function OneColumn({ column }: { column: Column }) {
  const { t } = useTranslation();
  const format = useFormat();
  const most = Math.max(1, ...SERIES.map((name) => column[name]));
  return (
    <dl className={classes.lines}>
      {SERIES.map((name) => (
        <Fragment key={name}>
          <dt>{t(`states.${name}`)}</dt>
          <dd>
            <svg width="100%" height={14} aria-hidden>
              <rect
                className={classes.column}
                data-series={name}
                width={`${(column[name] / most) * 100}%`}
                height={14}
                rx={2}
              />
            </svg>
          </dd>
          <dd className={classes.number}>{format.number(column[name])}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

/** How long the sending took, and how fast it was. */
function Pace({ project, from }: { project: Project; from: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (!project.finishedAt) return null;
  const seconds = Math.max(1, (Date.parse(project.finishedAt) - from) / 1000);
  const left = project.counts.total - project.counts.skipped - project.counts.canceled;
  return (
    <Text size="xs" c="dimmed" mt={6}>
      {t("report.pace", {
        duration: format.duration(seconds),
        number: format.number(Math.round((left / seconds) * 60)),
      })}
    </Text>
  );
}

function Columns({ columns, byDay }: { columns: readonly Column[]; byDay: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [hover, setHover] = useState<number | null>(null);
  const top = topOf(Math.max(...columns.flatMap((column) => SERIES.map((name) => column[name]))));
  const slot = WIDTH / columns.length;
  const bar = Math.min(28, (slot * 0.8) / SERIES.length);
  const at = (from: number) => (byDay ? format.day(from) : format.time(new Date(from).toISOString()));
  const shown = hover === null ? null : columns[hover];
  return (
    <>
      <div className={classes.chart}>
        <div className={classes.scale} aria-hidden>
          {[top, top / 2, 0].map((value) => (
            <span key={value}>{format.number(value)}</span>
          ))}
        </div>
        <svg
          role="img"
          aria-label={t("report.overTime")}
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          onPointerLeave={() => setHover(null)}
        >
          {[0, 0.5, 1].map((part) => (
            <line
              key={part}
              className={classes.grid}
              x1={0}
              x2={WIDTH}
              y1={part * HEIGHT}
              y2={part * HEIGHT}
            />
          ))}
          {columns.map((column, index) => (
            <g key={column.from} onPointerEnter={() => setHover(index)}>
              <rect
                className={classes.slot}
                data-on={hover === index || undefined}
                x={index * slot}
                width={slot}
                height={HEIGHT}
              />
              {SERIES.map((name, place) => {
                const height = (column[name] / top) * HEIGHT;
                const left = index * slot + (slot - bar * SERIES.length) / 2 + place * bar;
                return (
                  <rect
                    key={name}
                    className={classes.column}
                    data-series={name}
                    x={left}
                    y={HEIGHT - height}
                    width={bar * 0.9}
                    height={height}
                  />
                );
              })}
            </g>
          ))}
        </svg>
        <div className={classes.times} aria-hidden>
          {ticksOf(columns).map((column) => (
            <span key={column.from}>{at(column.from)}</span>
          ))}
        </div>
      </div>
      <Text size="xs" c="dimmed" h={BELOW} className={classes.hint} aria-hidden>
        {shown &&
          [
            at(shown.from),
            ...SERIES.map((name) => `${t(`states.${name}`)} ${format.number(shown[name])}`),
          ].join(" · ")}
      </Text>
      <table className="visually-hidden">
        <caption>{t("report.overTime")}</caption>
        <thead>
          <tr>
            <th>{t("report.time")}</th>
            {SERIES.map((name) => (
              <th key={name}>{t(`states.${name}`)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {columns.map((column) => (
            <tr key={column.from}>
              <th>{at(column.from)}</th>
              {SERIES.map((name) => (
                <td key={name}>{format.number(column[name])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** Returns the columns whose time stands below them: the first, the last, and one between. */
function ticksOf(columns: readonly Column[]): Column[] {
  const places = [0, Math.floor((columns.length - 1) / 2), columns.length - 1];
  return [...new Set(places)].flatMap((place) => columns[place] ?? []);
}
