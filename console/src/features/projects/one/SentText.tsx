import { Anchor, List, Paper, Text, Title } from "@mantine/core";
import { Link } from "react-router";
import { useTranslation } from "../../../frame/i18n";
import { fileSize } from "../../../frame/files/fileSize";
import { LetterScreen } from "../../../frame/ui/letter/LetterScreen";
import { withMarks } from "../../../frame/values/marks";
import { letterOf } from "../new/text/variants";
import classes from "../projects.module.css";
import type { Project } from "./model";

/** The text of the project, or those of its variants, with the attached files. */
export function SentText({ project }: { project: Project }) {
  const { t, language } = useTranslation();
  const { variants, template } = project;
  const files = project.attachments ?? [];
  const languages = project.languages?.texts.map(({ locale }) => locale) ?? [];
  const texts = variants.length > 0 ? variants.map(({ text }) => text) : [project.text ?? ""];
  return (
    <Paper p="sm">
      <Title order={2} mb="xs">
        {t("send.text")}
      </Title>
      {project.templateId && (
        <Text size="xs" c="dimmed" mb={4}>
          {t("stored.from")}{" "}
          <Anchor component={Link} to={`/templates/${project.templateId}`} size="xs" underline="always">
            {t("stored.version", {
              version: project.templateVersion ?? 0,
              locale: project.languages
                ? t("stored.ownLanguage", { locales: languages.join(", ") })
                : (project.templateLocale ?? ""),
            })}
          </Anchor>
        </Text>
      )}
      {project.from && (
        <Text size="xs" c="dimmed" mb={4} style={{ overflowWrap: "anywhere" }}>
          {t("from.label")}: {withMarks(project.from)}
        </Text>
      )}
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
          {text || (!project.html && !template) ? (
            <pre className={classes.text} dir="auto">
              {text}
            </pre>
          ) : (
            project.html && (
              <Text size="sm" c="dimmed">
                {t("making.madeFromHtml")}
              </Text>
            )
          )}
        </div>
      ))}
      {project.html && (
        <details className={classes.letter}>
          <summary>
            <Text span size="sm">
              {t("project.html")}
            </Text>
          </summary>
          <LetterScreen html={project.html} title={t("making.htmlPreview")} />
        </details>
      )}
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
  );
}
