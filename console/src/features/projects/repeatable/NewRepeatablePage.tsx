import "../styles";
import { Anchor, Breadcrumbs, Loader, Paper, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { Link, useNavigate, useSearchParams } from "react-router";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../../frame/api/errors";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useTranslation } from "../../../frame/i18n";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { usePageTitle } from "../../../frame/ui/page/usePageTitle";
import { PageHead } from "../../../frame/ui/page/PageHead";
import { Narrow } from "../../../frame/ui/page/Narrow";
import type { ProjectSettingsFragment, ProjectTemplateInput } from "../../../gql/graphql";
import { useContentKey } from "../../../frame/api/ContentKey";
import { draftOf, patchOf, type Draft } from "../new/draft";
import { CreateRepeatable, ProjectToRepeat } from "./documents";
import { firstPlan, scheduleOf, type Plan } from "./schedule";
import { ScheduleForm } from "./ScheduleForm";

/** Makes a schedule for a project that exists: its text, its settings and its recipients are those of each run. */
export default function NewRepeatablePage() {
  const { t } = useTranslation();
  const [params] = useSearchParams();
  const from = params.get("from");
  const { data, problem, loading, reload } = useLoaded(ProjectToRepeat, { id: from ?? "" }, !from);
  const project = data?.sendingProject;
  usePageTitle(t("repeatable.newTitle"));
  return (
    <Stack gap="sm">
      <Breadcrumbs>
        <Anchor component={Link} to="/repeatable" size="sm">
          {t("repeatable.title")}
        </Anchor>
        <Text size="sm" c="dimmed">
          {t("repeatable.newTitle")}
        </Text>
      </Breadcrumbs>
      <PageHead title={t("repeatable.newTitle")} />
      {project ? (
        <Narrow>
          <Form project={project} />
        </Narrow>
      ) : from && loading ? (
        <Loader size="sm" aria-label={t("common.loading")} />
      ) : problem ? (
        <ProblemNotice problem={problem} onRetry={reload} />
      ) : (
        <Text size="sm">{t("repeatable.chooseProject")}</Text>
      )}
    </Stack>
  );
}

/** The settings that each run copies; a project's time of beginning is its own. */
function templateOf(project: ProjectSettingsFragment): ProjectTemplateInput {
  const settings: Partial<Draft> = draftOf(project);
  delete settings.name;
  delete settings.startAt;
  delete settings.startWithinSeconds;
  delete settings.audience; // the source of the runs says who gets them
  return patchOf(settings) as ProjectTemplateInput;
}

function Form({ project }: { project: ProjectSettingsFragment }) {
  const { t } = useTranslation();
  const client = useClient();
  const navigate = useNavigate();
  const keys = useContentKey();
  const [name, setName] = useState(project.name);
  const [plan, setPlan] = useState<Plan>(firstPlan);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  async function create() {
    setBusy(true);
    setProblem(null);
    const { audience } = draftOf(project);
    const input = {
      name: name.trim(),
      template: templateOf(project),
      schedule: scheduleOf(plan),
      // Each run of a project for contacts goes to those of its time.
      source: audience ? { audience } : { sendingProjectUuid: project.uuid },
    };
    const { data, error } = await client.mutation(CreateRepeatable, { input }, keys.of(input)).toPromise();
    setBusy(false);
    if (data?.createRepeatableSendingProject) {
      keys.renew();
      await navigate(`/repeatable/${data.createRepeatableSendingProject.uuid}`);
    } else if (error) {
      setProblem(problemOf(error));
    }
  }

  return (
    <Paper p="sm">
      <ScheduleForm
        name={name}
        plan={plan}
        busy={busy}
        problem={problem}
        action={t("repeatable.create")}
        hint={t("repeatable.createHint")}
        onName={setName}
        onPlan={setPlan}
        onSubmit={create}
      >
        <Text size="sm">{t("repeatable.newText")}</Text>
        <Text size="sm">
          {t("repeatable.from")}:{" "}
          <Anchor component={Link} to={`/projects/${project.uuid}`} size="sm">
            {project.name}
          </Anchor>
        </Text>
      </ScheduleForm>
    </Paper>
  );
}
