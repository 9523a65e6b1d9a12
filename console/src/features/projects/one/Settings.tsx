import { Anchor, Button, Group, Paper, Title } from "@mantine/core";
import { IconGauge } from "@tabler/icons-react";
import { Link, useSearchParams } from "react-router";
import { useFormat } from "../../../frame/values/format";
import { useTranslation } from "../../../frame/i18n";
import { useViewer } from "../../../frame/session";
import classes from "../projects.module.css";
import { useWindowText } from "../useWindowText";
import { AudienceFacts } from "./AudienceFacts";
import { SpeedDialog } from "./SpeedDialog";
import type { Project } from "./model";

/** The settings of the project. */
export function Settings({ project, onChanged }: { project: Project; onChanged: () => void }) {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const format = useFormat();
  const windowText = useWindowText();
  const { speed, window, retry } = project;
  const { may } = useViewer();
  const begun = may("projects:write") && (project.status === "running" || project.status === "paused");
  const speeds = [
    speed.perMinute ? t("project.perMinute", { number: format.number(speed.perMinute) }) : "",
    speed.perAccountPerMinute
      ? t("project.perSender", { number: format.number(speed.perAccountPerMinute) })
      : "",
  ].filter(Boolean);
  const facts: [string, string | null | undefined][] = [
    [t("making.account"), project.account?.name],
    [t("making.senders"), (project.sourceAccounts ?? []).map(({ name }) => name).join(", ")],
    [t("message.category"), t(`message.categories.${project.category}`)],
    [t("making.begin"), project.startAt ? format.fullTime(project.startAt) : null],
    [t("making.startWithin"), project.startAt ? format.duration(project.startWithinSeconds) : null],
    [t("making.hours"), window ? windowText(window) : t("making.anyHour")],
    [t("making.speed"), speeds.join(", ") || t("making.noLimit")],
    [
      t("making.attempts"),
      [
        t("project.attempts", { count: retry.maxAttempts ?? 3 }),
        retry.maxAttempts === 1
          ? ""
          : t("project.backoff", { duration: format.duration(retry.backoffSeconds ?? 60) }),
      ]
        .filter(Boolean)
        .join(", "),
    ],
    [
      t("making.missing"),
      t(project.onMissingVariable === "skip" ? "making.missingSkip" : "making.missingEmpty"),
    ],
    [t("projects.columns.created"), format.fullTime(project.createdAt)],
    [t("project.startedAt"), project.startedAt ? format.fullTime(project.startedAt) : null],
    [t("project.finishedAt"), project.finishedAt ? format.fullTime(project.finishedAt) : null],
    [t("message.owner"), project.owner?.email],
  ];
  return (
    <Paper p="sm">
      <Group justify="space-between" mb="xs">
        <Title order={2}>{t("project.settings")}</Title>
        {begun && (
          <Button
            className={classes.onScreen}
            variant="default"
            size="compact-xs"
            leftSection={<IconGauge size={14} />}
            onClick={() => setParams({ change: "speed" })}
          >
            {t("project.changeSpeed")}
          </Button>
        )}
      </Group>
      {begun && params.get("change") === "speed" && (
        <SpeedDialog project={project} onChanged={onChanged} onClose={() => setParams({})} />
      )}
      <dl className={classes.facts}>
        {facts.map(
          ([label, value]) =>
            value && (
              <FactRow key={label} label={label}>
                {value}
              </FactRow>
            ),
        )}
        {project.audience && <AudienceFacts audience={project.audience} follows={project.follows ?? null} />}
        {project.repeatable && (
          <FactRow label={t("repeatable.one")}>
            <Anchor component={Link} to={`/repeatable/${project.repeatable.uuid}`} size="sm">
              {project.repeatable.name}
            </Anchor>
          </FactRow>
        )}
      </dl>
    </Paper>
  );
}

function FactRow({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  );
}
