import { Select, TextInput } from "@mantine/core";
import { useClient } from "urql";
import { useContentKey } from "../../frame/api/ContentKey";
import { useRequestForm } from "../../frame/form/useRequestForm";
import { useTranslation } from "../../frame/i18n";
import { FormDialog } from "../../frame/ui/dialogs/FormDialog";
import type { SenderKind, SenderState } from "../../gql/graphql";
import { countriesOf } from "./countries";
import { CountriesInput } from "./CountriesInput";
import { RequestSender } from "./documents";
import { KINDS } from "./search";

interface Props {
  onClose: () => void;
  onAsked: (value: string, state: SenderState) => void;
}

const EXAMPLES = {
  alpha: "Acme",
  number: "+14155550100",
  short: "12345",
  email: "News <news@example.com>",
} as const;

interface Draft extends Record<string, unknown> {
  kind: SenderKind;
  value: string;
  countries: string;
}

/** Asks for a sender. */
export function AskDialog({ onClose, onAsked }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  const keys = useContentKey();
  const form = useRequestForm<Draft>({
    initialValues: { kind: "alpha", value: "", countries: "" },
    shown: ({ kind }) => (kind === "email" ? ["kind", "value"] : ["kind", "value", "countries"]),
  });
  const { kind, value } = form.getValues();

  const ask = form.sends(async (values) => {
    const countries = values.kind === "email" ? [] : countriesOf(values.countries);
    const input = { kind: values.kind, value: values.value.trim(), countries };
    const { data, error } = await client.mutation(RequestSender, { input }, keys.of(input)).toPromise();
    if (!data?.requestSender) return error;
    keys.renew();
    onAsked(data.requestSender.value, data.requestSender.state);
  });

  return (
    <FormDialog
      title={t("senderIds.ask")}
      form={form}
      onSubmit={ask}
      action={t("senderIds.ask")}
      disabled={!value.trim()}
      onClose={onClose}
    >
      <Select
        label={t("senderIds.kind")}
        allowDeselect={false}
        {...form.getInputProps("kind")}
        data={KINDS.map((item) => ({ value: item, label: t(`senderIds.kinds.${item}`) }))}
      />
      <TextInput
        data-autofocus
        label={t("senderIds.value")}
        withAsterisk
        description={t(`senderIds.hints.${kind}`)}
        placeholder={EXAMPLES[kind]}
        maxLength={320}
        autoCapitalize="off"
        spellCheck={false}
        {...form.getInputProps("value")}
      />
      {kind !== "email" && <CountriesInput {...form.getInputProps("countries")} />}
    </FormDialog>
  );
}
