import { Alert, Button, Group, Text } from "@mantine/core";
import { IconTemplate } from "@tabler/icons-react";
import { useState } from "react";
import { useNavigate } from "react-router";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../../frame/api/errors";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useTranslation } from "../../../frame/i18n";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { PublishedLocales, TakeTexts } from "./documents";

/** The text step of a project. */
export const stepOfProject = (project: string) =>
  `/projects/new?project=${encodeURIComponent(project)}&step=text`;

interface Props {
  /** a template that is published */
  template: { uuid: string; key: string };
  /** the project from which the template was opened */
  project: string;
}

/** Gives the project the texts of the newest version, and leads back to it. */
export function ForProject({ template, project }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const { data } = useLoaded(PublishedLocales, { id: template.uuid });
  const newest = data?.template?.versions?.nodes[0];

  async function use() {
    if (!newest) return;
    setBusy(true);
    const input = {
      templateKey: template.key,
      locale: newest.defaultLocale,
      // Each recipient gets the own language if there are several.
      localeFrom: newest.locales.length > 1 ? "locale" : null,
    };
    const { error } = await client.mutation(TakeTexts, { id: project, input }).toPromise();
    setBusy(false);
    if (error) setProblem(problemOf(error));
    else void navigate(stepOfProject(project));
  }

  return (
    <Alert color="blue" icon={<IconTemplate size={18} />}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" flex={1} miw={220}>
          {t("templates.forProject")}
        </Text>
        <Button loading={busy} disabled={!newest} onClick={() => void use()}>
          {t("templates.useInProject")}
        </Button>
      </Group>
      {problem && <ProblemNotice problem={problem} />}
    </Alert>
  );
}
