import { Text, Textarea } from "@mantine/core";
import { useClient } from "urql";
import { codesOf } from "../../../../frame/api/errors";
import { useRequestForm } from "../../../../frame/form/useRequestForm";
import { useTranslation } from "../../../../frame/i18n";
import { FormDialog } from "../../../../frame/ui/dialogs/FormDialog";
import type { ApprovalDecisionKind } from "../../../../gql/graphql";
import { DecideApproval } from "../documents";
import { Hash } from "../Hash";
import type { Review } from "../plan";

interface Props {
  review: Review;
  decision: ApprovalDecisionKind;
  onClose: () => void;
  onDecided: () => void;
  /** the plan is not what would be sent any more, or somebody else has decided */
  onOutdated: () => void;
}

const OUTDATED = new Set(["plan_changed", "plan_expired", "not_asked"]);

/** Confirms a decision about the plan that the page shows, with a note: a refusal needs one. */
export function DecideDialog({ review, decision, onClose, onDecided, onOutdated }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  const form = useRequestForm({ initialValues: { note: "" } });
  const { approval, plan } = review;
  const refuses = decision === "refused";
  const note = form.getValues().note.trim();

  const decide = form.sends(async () => {
    const input = { planHash: plan.hash, decision, ...(note && { note }) };
    const { data, error } = await client.mutation(DecideApproval, { id: approval.uuid, input }).toPromise();
    if (data?.decideApproval) onDecided();
    else if (codesOf(error).some((code) => OUTDATED.has(code))) onOutdated();
    return error;
  });

  return (
    <FormDialog
      title={t(refuses ? "approvals.refuseTitle" : "approvals.approveTitle", { number: plan.number })}
      form={form}
      onSubmit={decide}
      action={t(refuses ? "approvals.refuse" : "approvals.approve")}
      disabled={refuses && !note}
      onClose={onClose}
    >
      <Text size="sm">{t(refuses ? "approvals.refuseText" : "approvals.approveText")}</Text>
      <Text size="sm" component="div">
        {t("approvals.hash")}: <Hash value={plan.hash} />
      </Text>
      <Textarea
        data-autofocus
        label={t(refuses ? "approvals.why" : "approvals.note")}
        description={t(refuses ? "approvals.whyHint" : "approvals.noteHint")}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={2000}
        required={refuses}
        {...form.getInputProps("note")}
      />
    </FormDialog>
  );
}
