import { Button, Group } from "@mantine/core";
import {
  IconArrowForwardUp,
  IconCopy,
  IconEdit,
  IconPlayerPlay,
  IconPlayerStop,
  IconRepeat,
  IconTrash,
  type Icon,
} from "@tabler/icons-react";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { useClient } from "urql";
import { problemOf, type Problem } from "../../../frame/api/errors";
import { useFormat } from "../../../frame/values/format";
import { useTranslation } from "../../../frame/i18n";
import { Confirm } from "../../../frame/ui/dialogs/Confirm";
import { useContentKey } from "../../../frame/api/ContentKey";
import { useViewer } from "../../../frame/session";
import { DeleteProject, StartProject, StopProject } from "../documents";
import classes from "../projects.module.css";
import { actionsFor, canBeFollowed, type Action } from "../states";
import { DuplicateDialog } from "./DuplicateDialog";
import { PlanRefusal } from "../approvals/start/PlanRefusal";
import type { ProjectPlans } from "../approvals/start/useProjectPlan";
import type { Project } from "./model";
import { PlannedStart } from "./PlannedStart";

const ICONS: Record<Action, Icon> = {
  edit: IconEdit,
  start: IconPlayerPlay,
  startNow: IconPlayerPlay,
  continue: IconPlayerPlay,
  stop: IconPlayerStop,
  delete: IconTrash,
};

interface Props {
  project: Project;
  plans: ProjectPlans;
  onChanged: () => void;
}

/** What can be done with a project in its state; each but editing needs a confirmation. */
export function Actions({ project, plans, onChanged }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useClient();
  const keys = useContentKey();
  const navigate = useNavigate();
  const [confirming, setConfirming] = useState<Exclude<Action, "edit"> | null>(null);
  const [duplicating, setDuplicating] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const { uuid, status, counts } = project;
  const { may } = useViewer();
  const actions = actionsFor(status, may);
  const waiting = counts.queued;

  async function act() {
    if (!confirming) return;
    setProblem(null);
    const document =
      confirming === "stop" ? StopProject : confirming === "delete" ? DeleteProject : StartProject;
    // A start before its time is not what the plan says, so it names none.
    const planHash = confirming === "start" || confirming === "continue" ? plans.hash : null;
    const variables = { id: uuid, ...(planHash && { input: { planHash } }) };
    const { error } = await client
      .mutation<unknown, typeof variables>(document, variables, keys.of([confirming, variables]))
      .toPromise();
    if (!error) keys.renew();
    plans.reload();
    if (error) {
      setProblem(problemOf(error));
    } else if (confirming === "delete") {
      await navigate("/projects", { replace: true });
    } else {
      setConfirming(null);
      onChanged();
    }
  }

  return (
    <Group gap={6} className={classes.onScreen}>
      {actions.map((action, index) => {
        const Icon = ICONS[action];
        const variant = index === 0 && action !== "stop" && action !== "delete" ? "filled" : "default";
        return action === "edit" ? (
          <Button
            key={action}
            component={Link}
            to={`/projects/new?project=${uuid}${status === "draft" ? "" : "&step=text"}`}
            variant={variant}
            leftSection={<Icon size={14} />}
          >
            {t(status === "draft" ? "project.actions.goOn" : "project.actions.edit")}
          </Button>
        ) : (
          <Button
            key={action}
            variant={variant}
            leftSection={<Icon size={14} />}
            onClick={() => setConfirming(action)}
          >
            {t(`project.actions.${action}`)}
          </Button>
        );
      })}
      {may("projects:write") && (
        <>
          {canBeFollowed(project) && (
            <Button
              component={Link}
              to={`/projects/new?follow=${uuid}`}
              variant="default"
              leftSection={<IconArrowForwardUp size={14} />}
            >
              {t("project.actions.followUp")}
            </Button>
          )}
          {/* Each run of a repeating project is a project of its own, which can't follow. */}
          {!project.followsUuid && (
            <Button
              component={Link}
              to={`/repeatable/new?from=${uuid}`}
              variant="default"
              leftSection={<IconRepeat size={14} />}
            >
              {t("project.actions.repeat")}
            </Button>
          )}
          <Button variant="default" leftSection={<IconCopy size={14} />} onClick={() => setDuplicating(true)}>
            {t("project.actions.duplicate")}
          </Button>
        </>
      )}
      {duplicating && <DuplicateDialog project={project} onClose={() => setDuplicating(false)} />}
      {confirming && (
        <Confirm
          opened
          title={t(`project.questions.${confirming}.title`, { name: project.name })}
          question={
            confirming === "start"
              ? t("making.startStop")
              : t(`project.questions.${confirming}.text`, { count: waiting, number: format.number(waiting) })
          }
          action={t(`project.actions.${confirming}`)}
          problem={null}
          onConfirm={act}
          onClose={() => {
            setConfirming(null);
            setProblem(null);
          }}
        >
          {confirming === "start" && <PlannedStart project={project} />}
          {problem && <PlanRefusal problem={problem} />}
        </Confirm>
      )}
    </Group>
  );
}
