import type { ProjectChoicesQuery } from "../../../../gql/graphql";
import { hasText, lacksUnsubscribe, needsSenders, type Draft, type StepName } from "../draft";
import type { ServerPlan } from "./plan";
import type { Plan } from "./usePlan";

export interface Trouble {
  kind:
    | "noRecipients"
    | "noSubscribers"
    | "noText"
    | "noPrice"
    | "noSender"
    | "offline"
    | "tooMany"
    | "tooDear"
    | "past"
    | "endless"
    | "lacks"
    | "daily"
    | "nobody"
    | "noUnsubscribe"
    | "noPublicUrl";
  /** whether the project can't be started */
  fatal: boolean;
  step: StepName | null;
  names?: string[];
  count?: number;
  /** how many there are of what `count` counts a part */
  of?: number;
}

type Context = Pick<Plan, "total" | "account" | "tooDear" | "lastsFor" | "tooMany" | "startsAt"> & {
  plan: Pick<
    ServerPlan,
    "toSend" | "cost" | "beginsAt" | "endsAt" | "perMinute" | "leftToday" | "missing" | "lacksPublicUrl"
  >;
};

/** Returns what stands in the way of a start, and what one should know before it. The worst comes first. */
export function troublesOf(draft: Draft, context: Context, choices: ProjectChoicesQuery): Trouble[] {
  const { plan } = context;
  const troubles: Trouble[] = [];
  const fatal = (kind: Trouble["kind"], step: StepName | null) => troubles.push({ kind, fatal: true, step });
  const warn = (kind: Trouble["kind"], step: StepName | null, more: Partial<Trouble> = {}) =>
    troubles.push({ kind, fatal: false, step, ...more });
  if (context.total === 0 && draft.audience) warn("noSubscribers", "audience");
  else if (context.total === 0) fatal("noRecipients", "audience");
  if (!hasText(draft)) fatal("noText", "text");
  if (hasText(draft) && lacksUnsubscribe(draft)) warn("noUnsubscribe", "text");
  if (context.account && !plan.cost) fatal("noPrice", "audience");
  if (plan.lacksPublicUrl) fatal("noPublicUrl", null);
  if (context.tooMany) fatal("tooMany", "audience");
  if (needsSenders(draft.channel)) {
    const senders = (choices.sourceAccounts?.nodes ?? []).filter(({ uuid }) =>
      draft.accountUuids.includes(uuid),
    );
    if (draft.accountUuids.length === 0) fatal("noSender", "audience");
    else if (senders.length > 0 && senders.every(({ status }) => status !== "connected"))
      warn("offline", null);
  }
  if (draft.startAt && Date.parse(draft.startAt) < context.startsAt) warn("past", "schedule");
  if (context.tooDear) warn("tooDear", null, { count: context.lastsFor ?? 0, of: plan.toSend });
  if (context.total > 0 && hasText(draft) && plan.toSend === 0) warn("nobody", "audience");
  if (plan.toSend > 0 && (!plan.beginsAt || (plan.perMinute && !plan.endsAt))) warn("endless", "schedule");
  if (plan.toSend > plan.leftToday) warn("daily", null, { count: plan.leftToday });
  if (plan.missing.length > 0 && draft.onMissingVariable === "empty") {
    warn("lacks", "text", {
      names: plan.missing.map(({ name, count }) => `${name} (${count})`),
    });
  }
  return troubles;
}
