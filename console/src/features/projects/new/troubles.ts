import type { ProjectChoicesQuery } from "../../../gql/graphql";
import { hasText, needsSenders, type Draft, type StepName } from "./draft";
import type { Plan } from "./usePlan";

export interface Trouble {
  kind:
    | "noRecipients"
    | "noText"
    | "noPrice"
    | "noSender"
    | "offline"
    | "tooMany"
    | "tooDear"
    | "past"
    | "endless"
    | "lacks"
    | "daily";
  /** whether the project can't be started */
  fatal: boolean;
  step: StepName | null;
  names?: string[];
  count?: number;
}

/** Returns what stands in the way of a start, and what one should know before it. The worst comes first. */
export function troublesOf(
  draft: Draft,
  plan: Pick<
    Plan,
    | "total"
    | "sent"
    | "audience"
    | "account"
    | "price"
    | "tooDear"
    | "tooMany"
    | "finish"
    | "rate"
    | "startsAt"
  >,
  choices: ProjectChoicesQuery,
): Trouble[] {
  const found: Trouble[] = [];
  const fatal = (kind: Trouble["kind"], step: StepName | null) => found.push({ kind, fatal: true, step });
  const warn = (kind: Trouble["kind"], step: StepName | null, more: Partial<Trouble> = {}) =>
    found.push({ kind, fatal: false, step, ...more });
  if (plan.total === 0) fatal("noRecipients", "audience");
  if (!hasText(draft)) fatal("noText", "text");
  if (plan.account && plan.price === undefined) fatal("noPrice", "audience");
  if (plan.tooMany) fatal("tooMany", "audience");
  if (needsSenders(draft.channel)) {
    const senders = (choices.sourceAccounts?.nodes ?? []).filter(({ uuid }) =>
      draft.accountUuids.includes(uuid),
    );
    if (draft.accountUuids.length === 0) fatal("noSender", "audience");
    else if (senders.length > 0 && senders.every(({ status }) => status !== "connected"))
      warn("offline", null);
  }
  if (draft.startAt && Date.parse(draft.startAt) < plan.startsAt) warn("past", "schedule");
  if (plan.tooDear) warn("tooDear", null);
  if (plan.rate && plan.sent > 0 && !plan.finish) warn("endless", "schedule");
  const left = choices.tariff ? choices.tariff.messagesPerDay - choices.tariff.used.messagesToday : Infinity;
  if (plan.sent > left) warn("daily", null, { count: Math.max(0, left) });
  const names = Object.keys(plan.audience?.lacks ?? {});
  if (names.length > 0 && draft.onMissingVariable === "empty") {
    warn("lacks", "text", { names, count: Math.max(...Object.values(plan.audience?.lacks ?? {})) });
  }
  return found;
}
