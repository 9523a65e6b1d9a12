import "../styles";
import { Alert, Anchor, Breadcrumbs, Group, Loader, Paper, Stack, Text } from "@mantine/core";
import { Link, useParams } from "react-router";
import { useSubscription } from "urql";
import { ObjectHistory } from "../../../frame/audit/ObjectHistory";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useFormat } from "../../../frame/values/format";
import { useTranslation } from "../../../frame/i18n";
import { useViewer } from "../../../frame/session";
import { NotFound } from "../../../frame/ui/page/NotFound";
import { SandboxNotice } from "../../../frame/sandbox/SandboxNotice";
import { useSandboxAnswered } from "../../../frame/sandbox/useSandbox";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { useThrottled, useVisibleInterval } from "../../../frame/ui/useInterval";
import { ProgressBar } from "../../../frame/ui/figures/ProgressBar";
import { usePageTitle } from "../../../frame/ui/page/usePageTitle";
import { PageHead } from "../../../frame/ui/page/PageHead";
import type { ProjectRowFragment } from "../../../gql/graphql";
import { OneProject, ProjectMoved } from "../documents";
import { PlanCard } from "../approvals/start/PlanCard";
import { useProjectPlan } from "../approvals/start/useProjectPlan";
import { ProjectBadge } from "../ProjectBadge";
import classes from "../projects.module.css";
import { isActive } from "../states";
import { useStory } from "../useStory";
import { Actions } from "./Actions";
import { Bounces } from "./Bounces";
import { Counts } from "./Counts";
import { Exports } from "./Exports";
import { Failures } from "./Failures";
import { FollowUps } from "./FollowUps";
import { SendToThose } from "./again/SendToThose";
import type { Project } from "./model";
import { Links } from "./report/Links";
import { Reconciliation } from "./report/Reconciliation";
import { Result } from "./report/Result";
import { SentOverTime } from "./report/SentOverTime";
import { SentText } from "./SentText";
import { Settings } from "./Settings";
import { Variants } from "./Variants";

const POLL_MS = 15_000;
const AFTER_CHANGE_MS = 1_500;

export default function ProjectPage() {
  const { uuid = "" } = useParams();
  return <OnePage key={uuid} uuid={uuid} />;
}

function OnePage({ uuid }: { uuid: string }) {
  const { t } = useTranslation();
  const viewer = useViewer();
  const { data, problem, loading, reload } = useLoaded(OneProject, {
    id: uuid,
    admin: viewer.isAdmin,
    accounts: viewer.may("accounts:read"),
    files: viewer.may("files:read"),
    recipients: viewer.may("recipients:read"),
    senders: viewer.may("senders:read"),
  });
  const project = data?.sendingProject;
  const answered = useSandboxAnswered();
  usePageTitle(project?.name ?? t("projects.title"));

  // Counts come as they change; what is computed from messages follows a little later.
  const reloadSoon = useThrottled(reload, AFTER_CHANGE_MS);
  const [moved] = useSubscription({ query: ProjectMoved, variables: { id: uuid } }, (_before, event) => {
    reloadSoon();
    return event;
  });
  useVisibleInterval(() => {
    if (project && isActive(project.status)) reload();
  }, POLL_MS);

  if (!project) {
    if (loading) return <Loader size="sm" aria-label={t("common.loading")} />;
    if (!problem || problem.code === "sending_project_not_found" || problem.code === "bad_id") {
      return <NotFound text={t("project.notFound")} />;
    }
    return <ProblemNotice problem={problem} onRetry={reload} />;
  }
  if (!answered) return <Loader size="sm" aria-label={t("common.loading")} />;
  const live = moved.data?.sendingProjectProgress;
  const newest: Project = live && live.updatedAt >= project.updatedAt ? { ...project, ...live } : project;
  return <Shown project={newest} onChanged={reload} />;
}

function Shown({ project, onChanged }: { project: Project; onChanged: () => void }) {
  const { t, textOr } = useTranslation();
  const { may } = useViewer();
  const story = useStory()(project);
  const told = project.status === "paused" || (project.status === "stopped" && project.statusReason !== null);
  const format = useFormat();
  const total = project.progress?.total ?? 0;
  const done = project.progress?.done ?? 0;
  // What it came to is said when nothing is on its way any more.
  const plans = useProjectPlan(project);
  const ended = project.status === "finished" || project.status === "stopped";
  const reported = ended && project.startedAt !== null && project.counts.total > 0;
  return (
    <Stack gap="sm">
      <Breadcrumbs className={classes.onScreen}>
        <Anchor component={Link} to="/projects" size="sm">
          {t("projects.title")}
        </Anchor>
        <Text size="sm" c="dimmed">
          {textOr(`channels.${project.channel}`, project.channel)}
        </Text>
      </Breadcrumbs>
      <PageHead title={project.name} note={<ProjectBadge status={project.status} />}>
        <Actions project={project} plans={plans} onChanged={onChanged} />
      </PageHead>
      {project.counts.total > 0 && <SandboxNotice channel={project.channel} when="after" />}
      {told && (
        <Alert color="orange" title={story}>
          {project.statusReason && textOr(`project.pauseNext.${project.statusReason}`, "")}
        </Alert>
      )}
      {project.recipientsError && <Alert color="red">{project.recipientsError}</Alert>}
      {project.messagesDeletedAt && (
        <Alert
          color="gray"
          title={t("project.messagesDeleted", { time: format.time(project.messagesDeletedAt) })}
        >
          {t("project.messagesDeletedText")}
        </Alert>
      )}
      {project.processing?.stuck && <Alert color="red">{t("project.stuck")}</Alert>}
      {reported && <Result project={project} story={told ? null : story} />}
      {!reported && (
        <Paper p="sm">
          <Group justify="space-between" mb={6}>
            <Text size="sm" role="status">
              {told ? "" : story}
            </Text>
            {total > 0 && (
              <Text size="sm" fw={600}>
                {format.number(done)} / {format.number(total)} · {format.percent(done / total)}
              </Text>
            )}
          </Group>
          {total > 0 && <ProgressBar project={project} size={12} />}
          <Counts project={project} />
        </Paper>
      )}
      <PlanCard project={project} plans={plans} />
      {reported && <SentOverTime project={project} />}
      <div className={classes.columns}>
        <Stack gap="sm">
          <Failures project={project} onChanged={onChanged} />
          {project.status === "finished" && !project.messagesDeletedAt && <SendToThose project={project} />}
          <FollowUps uuid={project.uuid} />
          {project.channel === "email" && project.counts.total > 0 && <Links project={project} />}
          {project.channel === "email" && project.counts.total > 0 && <Bounces project={project} />}
          <Variants project={project} />
          <SentText project={project} />
          {project.status === "finished" && <Reconciliation key={project.finishedAt} project={project} />}
          {may("exports:read") && !project.messagesDeletedAt && <Exports project={project} />}
        </Stack>
        <Settings project={project} onChanged={onChanged} />
      </div>
      {may("audit:read") && (
        <div className={classes.onScreen}>
          <ObjectHistory key={project.status} id={project.uuid} />
        </div>
      )}
    </Stack>
  );
}

export type { ProjectRowFragment };
