import "../styles";
import {
  Anchor,
  Breadcrumbs,
  Button,
  Group,
  Loader,
  NumberInput,
  Paper,
  Select,
  Stack,
  Text,
  TextInput,
  Title,
} from "@mantine/core";
import { useState, type SubmitEvent } from "react";
import { Link, useNavigate, useSearchParams } from "react-router";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../../frame/api/errors";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useTranslation } from "../../../frame/i18n";
import { ProblemNotice } from "../../../frame/ui/ProblemNotice";
import { usePageTitle } from "../../../frame/ui/usePageTitle";
import type { ProjectSettingsFragment, ProjectTemplateInput } from "../../../gql/graphql";
import { Timezones } from "../new/documents";
import { draftOf, patchOf, type Draft } from "../new/draft";
import { DAYS } from "../new/window";
import { CreateRepeatable, ProjectToRepeat } from "./documents";
import { FREQUENCIES, scheduleOf, type Plan } from "./schedule";

/** Makes a schedule for a project that exists: its text, its settings and its recipients are those of each run. */
export default function NewRepeatablePage() {
  const { t } = useTranslation();
  const [params] = useSearchParams();
  const from = params.get("from");
  const { data, problem, loading, reload } = useLoaded(ProjectToRepeat, { id: from ?? "" }, !from);
  const project = data?.sendingProject;
  usePageTitle(t("repeatable.newTitle"));
  return (
    <Stack gap="sm" maw={720}>
      <Breadcrumbs>
        <Anchor component={Link} to="/repeatable" size="sm">
          {t("repeatable.title")}
        </Anchor>
        <Text size="sm" c="dimmed">
          {t("repeatable.newTitle")}
        </Text>
      </Breadcrumbs>
      <Title order={1}>{t("repeatable.newTitle")}</Title>
      {project ? (
        <Form project={project} />
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
  return patchOf(settings) as ProjectTemplateInput;
}

function Form({ project }: { project: ProjectSettingsFragment }) {
  const { t, language } = useTranslation();
  const client = useClient();
  const navigate = useNavigate();
  const zones = useLoaded(Timezones, {});
  const [name, setName] = useState(project.name);
  const [plan, setPlan] = useState<Plan>({
    frequency: "workday",
    weekday: 1,
    monthday: 1,
    at: "09:00",
    cron: "0 9 * * 1-5",
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  });
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const set = (part: Partial<Plan>) => setPlan({ ...plan, ...part });
  const names = new Intl.DateTimeFormat(language, { weekday: "long", timeZone: "UTC" });

  async function create(event: SubmitEvent) {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    const input = {
      name: name.trim(),
      template: templateOf(project),
      schedule: scheduleOf(plan),
      source: { sendingProjectUuid: project.uuid },
    };
    const { data, error } = await client.mutation(CreateRepeatable, { input }).toPromise();
    setBusy(false);
    if (data?.createRepeatableSendingProject) {
      await navigate(`/repeatable/${data.createRepeatableSendingProject.uuid}`);
    } else if (error) {
      setProblem(problemOf(error));
    }
  }

  return (
    <Paper p="sm">
      <form onSubmit={create} noValidate>
        <Stack gap="sm">
          <Text size="sm">{t("repeatable.newText")}</Text>
          <Text size="sm">
            {t("repeatable.from")}:{" "}
            <Anchor component={Link} to={`/projects/${project.uuid}`} size="sm">
              {project.name}
            </Anchor>
          </Text>
          <TextInput
            label={t("repeatable.name")}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Group align="flex-end" gap="sm">
            <Select
              label={t("repeatable.how")}
              allowDeselect={false}
              value={plan.frequency}
              data={FREQUENCIES.map((value) => ({ value, label: t(`repeatable.every.${value}`) }))}
              onChange={(frequency) => set({ frequency: frequency ?? plan.frequency })}
            />
            {plan.frequency === "week" && (
              <Select
                label={t("repeatable.weekday")}
                allowDeselect={false}
                value={String(plan.weekday)}
                // 1 January 2024 was a Monday.
                data={DAYS.map((day) => ({
                  value: String(day),
                  label: names.format(Date.UTC(2024, 0, day)),
                }))}
                onChange={(day) => set({ weekday: Number(day) })}
              />
            )}
            {plan.frequency === "month" && (
              <NumberInput
                label={t("repeatable.monthday")}
                min={1}
                max={31}
                value={plan.monthday}
                onChange={(day) => {
                  if (typeof day === "number" && day >= 1 && day <= 31) set({ monthday: day });
                }}
              />
            )}
            {plan.frequency === "cron" ? (
              <TextInput
                label={t("repeatable.cron")}
                description={t("repeatable.cronHint")}
                value={plan.cron}
                onChange={(event) => set({ cron: event.currentTarget.value })}
              />
            ) : (
              <TextInput
                type="time"
                label={t("repeatable.at")}
                value={plan.at}
                onChange={(event) => {
                  if (event.currentTarget.value) set({ at: event.currentTarget.value });
                }}
              />
            )}
            <Select
              label={t("repeatable.zone")}
              searchable
              allowDeselect={false}
              value={plan.timezone}
              data={zones.data?.timezones ?? [plan.timezone]}
              onChange={(timezone) => set({ timezone: timezone ?? plan.timezone })}
            />
          </Group>
          <Text size="xs" c="dimmed">
            {t("repeatable.createHint")}
          </Text>
          {problem && <ProblemNotice problem={problem} />}
          <Group justify="flex-end">
            <Button type="submit" loading={busy} disabled={!name.trim()}>
              {t("repeatable.create")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
