import "@mantine/core/styles/Checkbox.css";
import "@mantine/core/styles/NumberInput.css";
import "@mantine/core/styles/Radio.css";
import { Checkbox, Group, NumberInput, Radio, Stack } from "@mantine/core";
import { useClient } from "urql";
import { useBilling } from "../../../frame/billing";
import { useRequestForm } from "../../../frame/form/useRequestForm";
import { useTranslation } from "../../../frame/i18n";
import { FormDialog } from "../../../frame/ui/dialogs/FormDialog";
import { SetApprovalRule } from "../documents";
import { CATEGORIES, CHANNELS, draftOf, inputOf, isIncomplete, MODES, type Rule } from "./rule";

interface Props {
  rule: Rule;
  onClose: () => void;
  onSaved: () => void;
}

/** Sets the rule. The server asks for a fresh code of the second factor, as for every change of who may. */
export function RuleDialog({ rule, onClose, onSaved }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  const isFree = useBilling() === "off";
  const form = useRequestForm({ initialValues: draftOf(rule) });
  const draft = form.getValues();

  const save = form.sends(async (values) => {
    const { data, error } = await client.mutation(SetApprovalRule, { input: inputOf(values) }).toPromise();
    if (!data?.setApprovalRule) return error;
    onSaved();
  });

  return (
    <FormDialog
      size="lg"
      title={t("approvalRule.title")}
      form={form}
      onSubmit={save}
      action={t("common.save")}
      disabled={isIncomplete(draft, isFree) && t("approvalRule.incomplete")}
      onClose={onClose}
    >
      <Radio.Group label={t("approvalRule.mode")} {...form.getInputProps("mode")}>
        <Stack gap={8} mt={6}>
          {MODES.map((mode) => (
            <Radio
              key={mode}
              value={mode}
              label={t(`approvalRule.modes.${mode}.name`)}
              description={t(`approvalRule.modes.${mode}.hint`)}
            />
          ))}
        </Stack>
      </Radio.Group>
      {draft.mode === "above" && (
        <Group gap="sm" grow align="flex-start">
          <NumberInput
            label={t("approvalRule.aboveRecipients")}
            description={t("approvalRule.aboveHint")}
            min={0}
            max={100_000_000}
            allowDecimal={false}
            {...form.getInputProps("aboveRecipients")}
          />
          {!isFree && (
            <NumberInput
              label={t("approvalRule.aboveAmount")}
              description={t("approvalRule.amountHint")}
              min={0}
              {...form.getInputProps("aboveAmount")}
            />
          )}
        </Group>
      )}
      {draft.mode !== "off" && (
        <>
          <Checkbox.Group
            label={t("approvalRule.channels")}
            description={t("approvalRule.allHint")}
            {...form.getInputProps("channels")}
          >
            <Group gap="md" mt={6}>
              {CHANNELS.map((channel) => (
                <Checkbox key={channel} value={channel} label={t(`channels.${channel}`)} />
              ))}
            </Group>
          </Checkbox.Group>
          <Checkbox.Group
            label={t("approvalRule.categories")}
            description={t("approvalRule.allHint")}
            {...form.getInputProps("categories")}
          >
            <Group gap="md" mt={6}>
              {CATEGORIES.map((category) => (
                <Checkbox key={category} value={category} label={t(`message.categories.${category}`)} />
              ))}
            </Group>
          </Checkbox.Group>
          <Checkbox
            label={t("approvalRule.self")}
            description={t("approvalRule.selfHint")}
            {...form.getInputProps("selfApproval", { type: "checkbox" })}
          />
        </>
      )}
    </FormDialog>
  );
}
