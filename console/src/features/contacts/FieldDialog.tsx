import { Select, TextInput } from "@mantine/core";
import { useClient } from "urql";
import { useContentKey } from "../../frame/api/ContentKey";
import { useRequestForm } from "../../frame/form/useRequestForm";
import { useTranslation } from "../../frame/i18n";
import { FormDialog } from "../../frame/ui/dialogs/FormDialog";
import type { ContactFieldType } from "../../gql/graphql";
import { CreateContactField } from "./documents";

const TYPES: readonly ContactFieldType[] = ["text", "number", "date", "bool", "list"];

interface Props {
  onClose: () => void;
  onAdded: () => void;
}

/** Adds a field that contacts may have. */
export function FieldDialog({ onClose, onAdded }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  const keys = useContentKey();
  const form = useRequestForm({ initialValues: { key: "", label: "", type: "text" as ContactFieldType } });

  const add = form.sends(async ({ key, label, type }) => {
    const input = { key: key.trim(), label: label.trim() || null, type };
    const { data, error } = await client.mutation(CreateContactField, { input }, keys.of(input)).toPromise();
    if (!data?.createContactField) return error;
    keys.renew();
    onAdded();
  });

  return (
    <FormDialog
      title={t("contacts.addField")}
      form={form}
      onSubmit={add}
      action={t("contacts.addField")}
      disabled={!form.getValues().key.trim()}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label={t("contacts.key")}
        withAsterisk
        description={t("contacts.keyHint")}
        placeholder="birthday"
        maxLength={64}
        autoCapitalize="off"
        spellCheck={false}
        {...form.getInputProps("key")}
      />
      <TextInput label={t("contacts.label")} maxLength={100} {...form.getInputProps("label")} />
      <Select
        label={t("contacts.type")}
        allowDeselect={false}
        data={TYPES.map((value) => ({ value, label: t(`contacts.types.${value}`) }))}
        {...form.getInputProps("type")}
      />
    </FormDialog>
  );
}
