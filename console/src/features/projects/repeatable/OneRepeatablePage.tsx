import "../styles";
import {
  Alert,
  Anchor,
  Breadcrumbs,
  Button,
  Group,
  List,
  Loader,
  Paper,
  Stack,
  Text,
  Title,
} from "@mantine/core";
import { IconEdit, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../../frame/api/errors";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useFormat } from "../../../frame/values/format";
import { useTranslation } from "../../../frame/i18n";
import { Confirm } from "../../../frame/ui/dialogs/Confirm";
import { NotFound } from "../../../frame/ui/page/NotFound";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { useVisibleInterval } from "../../../frame/ui/useInterval";
import { usePageTitle } from "../../../frame/ui/page/usePageTitle";
import { PageHead } from "../../../frame/ui/page/PageHead";
import type { OneRepeatableQuery } from "../../../gql/graphql";
import { ProgressBar } from "../../../frame/ui/figures/ProgressBar";
import { useViewer } from "../../../frame/session";
import { ProjectBadge } from "../ProjectBadge";
import classes from "../projects.module.css";
import { ApprovalsCard } from "./ApprovalsCard";
import { DeleteRepeatable, OneRepeatable } from "./documents";
import { Toggle } from "./Toggle";
import { useScheduleText } from "./useScheduleText";

const POLL_MS = 15_000;

type Repeatable = NonNullable<OneRepeatableQuery["repeatableSendingProject"]>;

export default function OneRepeatablePage() {
  const { uuid = "" } = useParams();
  return <OnePage key={uuid} uuid={uuid} />;
}

function OnePage({ uuid }: { uuid: string }) {
  const { t } = useTranslation();
  const { may } = useViewer();
  const { data, problem, loading, reload } = useLoaded(OneRepeatable, {
    id: uuid,
    accounts: may("accounts:read"),
    recipients: may("recipients:read"),
  });
  const project = data?.repeatableSendingProject;
  usePageTitle(project?.name ?? t("repeatable.title"));
  useVisibleInterval(reload, POLL_MS);
  if (!project) {
    if (loading) return <Loader size="sm" aria-label={t("common.loading")} />;
    if (!problem || problem.code === "repeatable_project_not_found" || problem.code === "bad_id") {
      return <NotFound text={t("repeatable.notFound")} />;
    }
    return <ProblemNotice problem={problem} onRetry={reload} />;
  }
  return <Shown project={project} onChanged={reload} />;
}

function Shown({ project, onChanged }: { project: Repeatable; onChanged: () => void }) {
  const { t, textOr } = useTranslation();
  const format = useFormat();
  const { may } = useViewer();
  const scheduleText = useScheduleText();
  const { template, schedule } = project;
  const runs = project.nextRuns ?? [];
  return (
    <Stack gap="sm">
      <Breadcrumbs>
        <Anchor component={Link} to="/repeatable" size="sm">
          {t("repeatable.title")}
        </Anchor>
        <Text size="sm" c="dimmed">
          {textOr(`channels.${template.channel}`, template.channel)}
        </Text>
      </Breadcrumbs>
      <PageHead title={project.name} note={<Toggle project={project} onChanged={onChanged} />}>
        {may("projects:write") && (
          <>
            <Button
              component={Link}
              to={`/repeatable/${project.uuid}/edit`}
              variant="default"
              leftSection={<IconEdit size={14} />}
            >
              {t("project.actions.edit")}
            </Button>
            {project.status !== "active" && <Remove project={project} />}
          </>
        )}
      </PageHead>
      {project.lastError && (
        <Alert color="orange">{t("repeatable.lastError", { reason: project.lastError })}</Alert>
      )}
      <div className={classes.columns}>
        <Stack gap="sm">
          <Paper p="sm">
            <Title order={2} mb="xs">
              {t("repeatable.runsMade")}
            </Title>
            <Runs project={project} />
          </Paper>
          <ApprovalsCard uuid={project.uuid} template={template} />
          <Paper p="sm">
            <Title order={2} mb="xs">
              {t("send.text")}
            </Title>
            {template.subject && <Text fw={600}>{template.subject}</Text>}
            {(template.variants.length > 0 ? template.variants.map(({ text }) => text) : [template.text]).map(
              (text, index) => (
                <pre key={index} className={classes.text}>
                  {text}
                </pre>
              ),
            )}
          </Paper>
        </Stack>
        <Paper p="sm">
          <Title order={2} mb="xs">
            {t("repeatable.nextRuns")}
          </Title>
          {project.status !== "active" && runs.length > 0 && (
            <Text size="xs" c="dimmed" mb={6}>
              {t("repeatable.wouldRun")}
            </Text>
          )}
          <List size="sm" spacing={4}>
            {runs.map((run) => (
              <List.Item key={run}>{format.fullTime(run)}</List.Item>
            ))}
          </List>
          {runs.length === 0 && <Text size="sm">{t("repeatable.noRuns")}</Text>}
          <dl className={classes.facts} style={{ marginBlockStart: "0.75rem" }}>
            <dt>{t("repeatable.columns.schedule")}</dt>
            <dd>{scheduleText(schedule)}</dd>
            <dt>{t("repeatable.zone")}</dt>
            <dd>{schedule.timezone}</dd>
            {schedule.startAt && (
              <>
                <dt>{t("repeatable.startAt")}</dt>
                <dd>{format.fullTime(schedule.startAt)}</dd>
              </>
            )}
            {schedule.endAt && (
              <>
                <dt>{t("repeatable.endAt")}</dt>
                <dd>{format.fullTime(schedule.endAt)}</dd>
              </>
            )}
            {schedule.maxRuns != null && (
              <>
                <dt>{t("repeatable.maxRuns")}</dt>
                <dd>
                  {format.number(project.runs)} / {format.number(schedule.maxRuns)}
                </dd>
              </>
            )}
            <dt>{t("repeatable.misfire")}</dt>
            <dd>{t(`repeatable.misfires.${schedule.misfire}`)}</dd>
            <dt>{t("repeatable.source")}</dt>
            <dd>
              {project.sourceProject ? (
                <Anchor component={Link} to={`/projects/${project.sourceProject.uuid}`} size="sm">
                  {t("repeatable.fromProject", { name: project.sourceProject.name })}
                </Anchor>
              ) : (
                t("repeatable.fromList", {
                  name: project.recipientImport?.fileName ?? t("making.pastedList"),
                })
              )}
            </dd>
          </dl>
        </Paper>
      </div>
    </Stack>
  );
}

function Runs({ project }: { project: Repeatable }) {
  const { t } = useTranslation();
  const runs = project.sendingProjects?.nodes ?? [];
  if (runs.length === 0) return <Text size="sm">{t("repeatable.noneMade")}</Text>;
  return (
    <Stack gap={10}>
      {runs.map((run) => (
        <div key={run.uuid}>
          <Group justify="space-between" gap={6} mb={4}>
            <Anchor component={Link} to={`/projects/${run.uuid}`} size="sm">
              {run.name}
            </Anchor>
            <ProjectBadge status={run.status} />
          </Group>
          <ProgressBar project={run} size={6} />
        </div>
      ))}
    </Stack>
  );
}

function Remove({ project }: { project: Repeatable }) {
  const { t } = useTranslation();
  const client = useClient();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  async function remove() {
    const { error } = await client.mutation(DeleteRepeatable, { id: project.uuid }).toPromise();
    if (error) setProblem(problemOf(error));
    else await navigate("/repeatable", { replace: true });
  }
  return (
    <>
      <Button variant="default" leftSection={<IconTrash size={14} />} onClick={() => setAsking(true)}>
        {t("repeatable.delete")}
      </Button>
      <Confirm
        opened={asking}
        title={t("repeatable.deleteTitle", { name: project.name })}
        question={t("repeatable.deleteText")}
        action={t("repeatable.delete")}
        problem={problem}
        onConfirm={remove}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
