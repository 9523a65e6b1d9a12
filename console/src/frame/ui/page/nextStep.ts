import { useTranslation } from "../../i18n";
import { NETWORK, type Problem } from "../../api/errors";
import { useFormat } from "../../values/format";

// Codes whose sentence from the server does not say what to do in the console.
const STEPS = {
  [NETWORK]: "errors.next.network",
  internal_error: "errors.next.operator",
  insufficient_balance: "errors.next.balance",
  forbidden: "errors.next.administrator",
  user_suspended: "errors.next.administrator",
  user_deleted: "errors.next.administrator",
  user_invited: "errors.next.invitation",
  channel_not_in_tariff: "errors.next.tariff",
  no_account: "errors.next.noAccount",
  bad_credentials: "errors.next.credentials",
  document_not_found: "errors.next.reload",
  document_not_allowed: "errors.next.reload",
  approval_required: "errors.next.needsApproval",
  plan_changed: "errors.next.newPlan",
  plan_expired: "errors.next.newPlan",
  approved_content: "errors.next.approvedContent",
  own_change: "errors.next.ownChange",
} as const;

/** Returns what the user can do about an error; "" if the server's sentence says all there is. */
export function useNextStep(problem: Problem): string {
  const { t } = useTranslation();
  const format = useFormat();
  if (problem.retryAfter) return t("errors.next.wait", { duration: format.duration(problem.retryAfter) });
  if (problem.code in STEPS) return t(STEPS[problem.code as keyof typeof STEPS]);
  if (/^http_5/.test(problem.code)) return t("errors.next.operator");
  return "";
}
