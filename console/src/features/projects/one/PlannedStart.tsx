import { Loader, Text } from "@mantine/core";
import { useState } from "react";
import { useLoaded } from "../../../frame/api/useLoaded";
import { useBilling } from "../../../frame/billing";
import { useFormat } from "../../../frame/values/format";
import { useTranslation } from "../../../frame/i18n";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { ProjectPlan } from "../new/documents";
import type { Project } from "./model";

/** What a start leads to, for somebody who may start the project and does not come by its last step. */
export function PlannedStart({ project }: { project: Project }) {
  const { t } = useTranslation();
  const format = useFormat();
  const isFree = useBilling() === "off";
  const [now] = useState(() => Date.now());
  const { data, problem, reload } = useLoaded(ProjectPlan, { id: project.uuid });
  const plan = data?.sendingProjectPlan;
  if (problem) return <ProblemNotice problem={problem} onRetry={reload} />;
  if (!plan) return <Loader size="sm" aria-label={t("making.planning")} />;
  const startAt = project.startAt ? Date.parse(project.startAt) : now;
  const later = startAt > now;
  return (
    <Text size="sm" fw={500}>
      {t(later ? "making.scheduleQuestion" : "making.startQuestion", {
        count: plan.toSend,
        number: (plan.exact ? "" : "≈ ") + format.number(plan.toSend),
        time: format.fullTime(startAt),
      })}{" "}
      {plan.cost &&
        !isFree &&
        t(plan.exact ? "making.startCost" : "making.startCostAbout", {
          price: format.money(plan.cost.amount, plan.cost.currency),
        })}
    </Text>
  );
}
