import { Checkbox, NativeSelect, TextInput } from "@mantine/core";
import { useClient } from "urql";
import { useRequestForm } from "../../frame/form/useRequestForm";
import { useTranslation } from "../../frame/i18n";
import { FormDialog } from "../../frame/ui/dialogs/FormDialog";
import type { ProviderClass, ReceiversQuery } from "../../gql/graphql";
import { SetReceiverRule } from "./documents";

export type ReceiverRule = NonNullable<ReceiversQuery["receiverRules"]>[number];

interface Props {
  rule: ReceiverRule | null;
  onClose: () => void;
  onDone: () => void;
}

const PROVIDERS = ["gmail", "microsoft", "yahoo", "apple", "yandex", "mailru", "other"] as const;

const text = (value: number | null | undefined) => (value == null ? "" : String(value));
const count = (value: string) => (value.trim() ? Number(value) : null);

/** Says how fast the emails of a domain go to a class of providers. */
export function ReceiverRuleDialog({ rule, onClose, onDone }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  const form = useRequestForm({
    initialValues: {
      domain: rule?.domain ?? "",
      providerClass: rule?.providerClass ?? "",
      inFlight: text(rule?.inFlight),
      perMinute: text(rule?.perMinute),
      warmUp: rule?.warmUp?.join(" ") ?? "",
      pauses: rule?.pauses ?? true,
    },
  });
  const set = form.sends(async ({ domain, providerClass, inFlight, perMinute, warmUp, pauses }) => {
    const days = warmUp.split(/[\s,;]+/).filter(Boolean);
    const input = {
      domain: domain.trim(),
      providerClass: (providerClass || null) as ProviderClass | null,
      inFlight: count(inFlight),
      perMinute: count(perMinute),
      warmUp: days.length > 0 ? days.map(Number) : null,
      pauses,
    };
    const { error } = await client.mutation(SetReceiverRule, { input }).toPromise();
    if (error) return error;
    onDone();
  });
  return (
    <FormDialog
      title={t("deliverability.rules.set")}
      form={form}
      onSubmit={set}
      action={t("deliverability.rules.save")}
      disabled={!form.getValues().domain.trim()}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        required
        label={t("deliverability.rules.domain")}
        description={t("deliverability.rules.domainHint")}
        readOnly={rule !== null}
        {...form.getInputProps("domain")}
      />
      <NativeSelect
        label={t("deliverability.provider")}
        disabled={rule !== null}
        data={[
          { value: "", label: t("deliverability.rules.each") },
          ...PROVIDERS.map((value) => ({ value, label: t(`deliverability.providers.${value}`) })),
        ]}
        {...form.getInputProps("providerClass")}
      />
      <TextInput
        inputMode="numeric"
        label={t("deliverability.rules.inFlight")}
        {...form.getInputProps("inFlight")}
      />
      <TextInput
        inputMode="numeric"
        label={t("deliverability.rules.perMinute")}
        {...form.getInputProps("perMinute")}
      />
      <TextInput
        label={t("deliverability.rules.warmUp")}
        description={t("deliverability.rules.warmUpHint")}
        placeholder="500 1000 1000 2500"
        {...form.getInputProps("warmUp")}
      />
      <Checkbox
        label={t("deliverability.rules.pauses")}
        {...form.getInputProps("pauses", { type: "checkbox" })}
      />
    </FormDialog>
  );
}
