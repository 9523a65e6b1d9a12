import { Loader, Text } from "@mantine/core";
import { useState } from "react";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useTranslation } from "../../../frame/i18n";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { ProjectPlan } from "../new/documents";
import { useQuestion } from "../new/plan/useQuestion";
import type { Project } from "./model";

/** What a start leads to, for somebody who may start the project and does not come by its last step. */
export function PlannedStart({ project }: { project: Project }) {
  const { t } = useTranslation();
  const [now] = useState(() => Date.now());
  const { data, problem, reload } = useLoaded(ProjectPlan, { id: project.uuid });
  const plan = data?.sendingProjectPlan ?? null;
  const startAt = project.startAt ? Date.parse(project.startAt) : now;
  const question = useQuestion({
    channel: project.channel,
    plan,
    follows: project.followsUuid !== null,
    later: startAt > now ? startAt : null,
  });
  if (problem) return <ProblemNotice problem={problem} onRetry={reload} />;
  if (!plan) return <Loader size="sm" aria-label={t("making.planning")} />;
  return (
    <Text size="sm" fw={500}>
      {question}
    </Text>
  );
}
