import { Anchor, Paper, Stack, Text, Title } from "@mantine/core";
import { Link } from "react-router";
import { useFormat } from "../../../frame/format";
import { useTranslation } from "../../../frame/i18n";
import { letterOf } from "../new/variants";
import classes from "../projects.module.css";
import { useWindowText } from "../useWindowText";
import type { Project } from "./ProjectPage";

/** The text and the settings of the project. */
export function Settings({ project }: { project: Project }) {
  const { t } = useTranslation();
  const format = useFormat();
  const windowText = useWindowText();
  const { speed, window, variants } = project;
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
    [t("making.hours"), window ? windowText(window) : t("making.anyHour")],
    [t("making.speed"), speeds.join(", ") || t("making.noLimit")],
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
          <Text size="sm" fw={600} mb={4}>
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
            <pre className={classes.text}>{text || project.html}</pre>
          </div>
        ))}
      </Paper>
      <Paper p="sm">
        <Title order={2} mb="xs">
          {t("project.settings")}
        </Title>
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
