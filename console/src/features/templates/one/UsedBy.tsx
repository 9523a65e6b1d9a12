import { Anchor, List, Loader, Paper, Text, Title } from "@mantine/core";
import { Link } from "react-router";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useTranslation } from "../../../frame/i18n";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import classes from "../templates.module.css";
import { TemplateUses } from "./documents";

/** The templates and the projects that have the texts of this one. */
export function UsedBy({ uuid }: { uuid: string }) {
  const { t } = useTranslation();
  const { data, problem, loading, reload } = useLoaded(TemplateUses, { id: uuid });
  const uses = data?.templateUsedBy;
  const none = uses && uses.templates.length === 0 && uses.projects.length === 0;
  const version = (number: number | null | undefined) =>
    number == null ? t("templates.draft") : t("templates.numbered", { number });
  return (
    <Paper p="sm" component="section" aria-label={t("templates.usedBy")}>
      <Title order={2} mb="xs">
        {t("templates.usedBy")}
      </Title>
      {loading && !uses && <Loader size="sm" aria-label={t("common.loading")} />}
      {problem && <ProblemNotice problem={problem} onRetry={reload} />}
      {none && (
        <Text size="sm" c="dimmed">
          {t("templates.unused")}
        </Text>
      )}
      {uses && !none && (
        <List size="sm" className={classes.anywhere}>
          {uses.projects.map(({ projectUuid, name, usedVersion }) => (
            <List.Item key={projectUuid}>
              {t("templates.project")}{" "}
              <Anchor component={Link} to={`/projects/${projectUuid}`} size="sm" underline="always">
                {name}
              </Anchor>
              : {version(usedVersion)}
            </List.Item>
          ))}
          {uses.templates.map(({ templateId, key, versionId, version: number, usedVersion }) => (
            <List.Item key={versionId}>
              {t("templates.template")}{" "}
              <Anchor
                component={Link}
                to={`/templates/${templateId}?version=${versionId}`}
                size="sm"
                underline="always"
              >
                {key}
              </Anchor>
              , {version(number)}:{" "}
              {usedVersion == null
                ? t("templates.takesNewest")
                : t("templates.hasVersion", { number: usedVersion })}
            </List.Item>
          ))}
        </List>
      )}
      {uses?.more && (
        <Text size="xs" c="dimmed" mt={4}>
          {t("templates.moreUses")}
        </Text>
      )}
    </Paper>
  );
}
