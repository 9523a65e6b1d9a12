import { useLoaded } from "../../../../frame/api/useLoaded";
import { useVisibleInterval } from "../../../../frame/ui/useInterval";
import type { ApprovalRowFragment, PlanOfProjectQuery, ProjectRowFragment } from "../../../../gql/graphql";
import { PlanOfProject } from "../documents";

export type StoredPlan = NonNullable<PlanOfProjectQuery["storedPlans"]>["nodes"][number];
type Rule = NonNullable<PlanOfProjectQuery["approvalRule"]>;

export interface ProjectPlans {
  /** the newest plan; null: none was made */
  plan: StoredPlan | null;
  /** what became of the request to approve it; null: nobody has asked */
  approval: ApprovalRowFragment | null;
  /** the owner's rule, if it may ask for an approval of this project */
  rule: Rule | null;
  /** what a start sends, so that nothing else starts; null: there is no plan that holds */
  hash: string | null;
  loaded: boolean;
  reload: () => void;
}

const POLL_MS = 20_000;

/** The newest plan of a project, and the state of its approval. */
export function useProjectPlan(
  project: Pick<ProjectRowFragment, "uuid" | "channel"> & { category: string },
  pause = false,
): ProjectPlans {
  const { data, reload } = useLoaded(PlanOfProject, { id: project.uuid }, pause);
  useVisibleInterval(() => {
    if (!pause) reload();
  }, POLL_MS);
  const plan = data?.storedPlans?.nodes[0] ?? null;
  const newest = data?.approvals?.nodes[0] ?? null;
  const rule = data?.approvalRule ?? null;
  return {
    plan,
    approval: newest && newest.planUuid === plan?.uuid ? newest : null,
    rule: rule && asks(rule, project) ? rule : null,
    hash: plan && holds(plan) ? plan.hash : null,
    loaded: data !== undefined,
    reload,
  };
}

/** Whether the plan says what would be sent now, and can still be started. */
export function holds({ isCurrent, expiresAt }: StoredPlan): boolean {
  return isCurrent && Date.parse(expiresAt) > Date.now();
}

/** Whether the rule may ask for an approval of such a project. */
export function asks(
  { mode, channels, categories }: Rule,
  project: { channel: string; category: string },
): boolean {
  const isMeant = (chosen: readonly string[], value: string) => chosen.length === 0 || chosen.includes(value);
  return mode !== "off" && isMeant(channels, project.channel) && isMeant(categories, project.category);
}
