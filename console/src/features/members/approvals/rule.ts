import type {
  ApprovalMode,
  ApprovalRuleInput,
  ApprovalRuleQuery,
  MessageCategory,
  ProjectChannel,
} from "../../../gql/graphql";

export type Rule = NonNullable<ApprovalRuleQuery["approvalRule"]>;

export const MODES = ["off", "above", "always"] as const satisfies readonly ApprovalMode[];
export const CHANNELS = [
  "sms",
  "email",
  "push",
  "telegram",
  "whatsapp",
] as const satisfies readonly ProjectChannel[];
export const CATEGORIES = ["promotional", "transactional"] as const satisfies readonly MessageCategory[];

/** The rule as its form has it: an empty number does not matter. */
export interface Draft extends Record<string, unknown> {
  mode: ApprovalMode;
  aboveRecipients: number | string;
  aboveAmount: number | string;
  channels: string[];
  categories: string[];
  selfApproval: boolean;
}

export function draftOf(rule: Rule): Draft {
  return {
    mode: rule.mode,
    aboveRecipients: rule.aboveRecipients ?? "",
    aboveAmount: rule.aboveAmount === null ? "" : rule.aboveAmount,
    channels: [...rule.channels],
    categories: [...rule.categories],
    selfApproval: rule.selfApproval,
  };
}

/** Returns what is sent. The limits stay while another mode is chosen, for somebody who chooses `above` again. */
export function inputOf(draft: Draft): ApprovalRuleInput {
  return {
    mode: draft.mode,
    aboveRecipients: numberOf(draft.aboveRecipients),
    aboveAmount: numberOf(draft.aboveAmount),
    channels: CHANNELS.filter((item) => draft.channels.includes(item)),
    categories: CATEGORIES.filter((item) => draft.categories.includes(item)),
    selfApproval: draft.selfApproval,
  };
}

/** Whether the form lacks the number without which `above` says nothing. While nothing costs money only one is shown. */
export function isIncomplete(draft: Draft, isFree: boolean): boolean {
  const shown = isFree ? [draft.aboveRecipients] : [draft.aboveRecipients, draft.aboveAmount];
  return draft.mode === "above" && shown.every((value) => numberOf(value) === null);
}

function numberOf(value: number | string): number | null {
  return value === "" ? null : Number(value);
}
