import { Anchor, Button, Group, List, Paper, Stack, Text, Title } from "@mantine/core";
import { IconGauge } from "@tabler/icons-react";
import { Link, useSearchParams } from "react-router";
import { useFormat } from "../../../frame/values/format";
import { useTranslation } from "../../../frame/i18n";
import { fileSize } from "../../../frame/files/fileSize";
import { withMarks } from "../../../frame/values/marks";
import { useViewer } from "../../../frame/session";
import { letterOf } from "../new/text/variants";
import classes from "../projects.module.css";
import { useWindowText } from "../useWindowText";
import { SpeedDialog } from "./SpeedDialog";
import type { Project } from "./model";

/** The text and the settings of the project. */
export function Settings({ project, onChanged }: { project: Project; onChanged: () => void }) {
  const { t, language } = useTranslation();
  const [params, setParams] = useSearchParams();
  const format = useFormat();
  const windowText = useWindowText();
  const { speed, window, variants, template, retry } = project;
  const { may } = useViewer();
  const begun = may("projects:write") && (project.status === "running" || project.status === "paused");
  const files = project.attachments ?? [];
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
  const texts = variants.length > 0 ? variants.map(({ text }) => text) : [project.text ?? ""];
  return (
    <Stack gap="sm">
      <Paper p="sm">
        <Title order={2} mb="xs">
          {t("send.text")}
        </Title>
        {project.subject && (
          <Text size="sm" fw={600} mb={4} dir="auto" ta="start">
            {project.subject}
          </Text>
        )}
        {texts.map((text, index) => (
          <div key={index}>
            {variants.length > 0 && (
              <Text size="xs" c="dimmed" mt={6}>
                {letterOf(index)}
              </Text>
            )}
            {(text || project.html || !template) && (
              <pre className={classes.text} dir="auto">
                {text || project.html}
              </pre>
            )}
          </div>
        ))}
        {template && (
          <>
            <Text size="sm" mt={6}>
              {t("making.template")}: {template.name} ({template.language})
            </Text>
            <List size="sm" type="ordered">
              {template.params.map((param, index) => (
                <List.Item key={index}>{param}</List.Item>
              ))}
            </List>
          </>
        )}
        {files.length > 0 && (
          <>
            <Text size="xs" c="dimmed" mt={6}>
              {t("making.files")}
            </Text>
            {files.map((file) => (
              <div key={file.uuid}>
                <Anchor href={file.url} size="sm" download style={{ overflowWrap: "anywhere" }}>
                  {withMarks(file.name)}
                </Anchor>{" "}
                <Text span size="xs" c="dimmed">
                  {fileSize(file.size, language)}
                </Text>
              </div>
            ))}
          </>
        )}
      </Paper>
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
          {project.repeatable && (
            <FactRow label={t("repeatable.one")}>
              <Anchor component={Link} to={`/repeatable/${project.repeatable.uuid}`} size="sm">
                {project.repeatable.name}
              </Anchor>
            </FactRow>
          )}
        </dl>
      </Paper>
    </Stack>
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
