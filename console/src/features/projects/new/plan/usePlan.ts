import { useEffect, useRef, useState } from "react";
import { useLoaded } from "../../../../frame/api/useLoaded";
import type { ProjectChoicesQuery } from "../../../../gql/graphql";
import { ProjectPlan } from "../documents";
import { lastsFor, trustOf } from "./plan";
import { payerOf } from "./planOf";
import type { DraftState } from "../useDraft";

/** What will happen when the project is started, as the server has it: who gets it, the price and the end. */
export function usePlan(state: DraftState, choices: ProjectChoicesQuery | undefined) {
  const { draft, project, saving } = state;
  const [now] = useState(() => Date.now());
  const listed = project?.recipients?.totalCount ?? 0;
  // The server plans what is saved.
  const unsaved = project === null || saving === "saving" || saving === "waiting";
  const { data, problem, loading, reload } = useLoaded(ProjectPlan, { id: project?.uuid ?? "" }, unsaved);
  const planned = useRef(listed);
  useEffect(() => {
    if (planned.current === listed || unsaved) return;
    planned.current = listed;
    reload();
  }, [listed, unsaved, reload]);
  const plan = unsaved ? null : (data?.sendingProjectPlan ?? null);
  // Subscribers are counted by the plan: the project has them from its start on.
  const total = draft.audience ? (plan?.recipients ?? 0) : listed;
  const account = payerOf(draft, choices);
  const trust = plan && trustOf(plan);
  const cost = trust?.cost ?? null;
  return {
    plan,
    problem,
    loading: unsaved || loading,
    reload,
    total,
    account,
    trust,
    /** null: as soon as it is started */
    begins: plan?.beginsAt && Date.parse(plan.beginsAt) > now + 60_000 ? Date.parse(plan.beginsAt) : null,
    startsAt: Math.max(now, draft.startAt ? Date.parse(draft.startAt) : 0),
    /** how many messages the balance pays; null: all of them */
    lastsFor: plan && account ? lastsFor(plan, account.balance) : null,
    tooDear: cost !== null && account !== null && cost > account.balance,
    tooMany: total > (choices?.tariff?.maxRecipientsPerProject ?? Infinity),
  };
}

export type Plan = ReturnType<typeof usePlan>;
