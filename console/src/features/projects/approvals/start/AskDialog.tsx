import { Text, Textarea } from "@mantine/core";
import { useClient } from "urql";
import { useContentKey } from "../../../../frame/api/ContentKey";
import { useRequestForm } from "../../../../frame/form/useRequestForm";
import { useTranslation } from "../../../../frame/i18n";
import { FormDialog } from "../../../../frame/ui/dialogs/FormDialog";
import { AskApproval } from "../documents";
import type { StoredPlan } from "./useProjectPlan";

interface Props {
  project: string;
  plan: StoredPlan;
  onClose: () => void;
  onAsked: () => void;
}

/** Asks another person to approve the plan. */
export function AskDialog({ project, plan, onClose, onAsked }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  const keys = useContentKey();
  const form = useRequestForm({ initialValues: { note: "" } });

  const ask = form.sends(async (values) => {
    const note = values.note.trim();
    const variables = { id: project, input: { planHash: plan.hash, ...(note && { note }) } };
    const { data, error } = await client.mutation(AskApproval, variables, keys.of(variables)).toPromise();
    if (!data?.askApproval) return error;
    keys.renew();
    onAsked();
  });

  return (
    <FormDialog
      title={t("approvals.askTitle", { number: plan.number })}
      form={form}
      onSubmit={ask}
      action={t("approvals.askAction")}
      onClose={onClose}
    >
      <Text size="sm">{t("approvals.askText")}</Text>
      <Textarea
        data-autofocus
        label={t("approvals.note")}
        description={t("approvals.askHint")}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={2000}
        {...form.getInputProps("note")}
      />
    </FormDialog>
  );
}
