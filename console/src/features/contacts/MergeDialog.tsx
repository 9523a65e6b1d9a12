import { Text, TextInput } from "@mantine/core";
import { useClient } from "urql";
import { useRequestForm } from "../../frame/form/useRequestForm";
import { useTranslation } from "../../frame/i18n";
import { FormDialog } from "../../frame/ui/dialogs/FormDialog";
import { FindContact, MergeContacts } from "./documents";

interface Props {
  uuid: string;
  onClose: () => void;
  onMerged: () => void;
}

/** Merges another contact, found by an address, into this one. */
export function MergeDialog({ uuid, onClose, onMerged }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  const form = useRequestForm({ initialValues: { address: "" } });

  const merge = form.sends(async ({ address }) => {
    const found = await client
      .query(FindContact, { address: address.trim() }, { requestPolicy: "network-only" })
      .toPromise();
    const other = found.data?.contacts?.nodes[0];
    if (found.error) return found.error;
    if (!other || other.uuid === uuid) {
      form.setErrors({ address: t("contacts.noOther") });
      return;
    }
    const input = { otherUuid: other.uuid };
    const { data, error } = await client.mutation(MergeContacts, { id: uuid, input }).toPromise();
    if (!data?.mergeContacts) return error;
    onMerged();
  });

  return (
    <FormDialog
      title={t("contacts.merge")}
      form={form}
      onSubmit={merge}
      action={t("contacts.merge")}
      disabled={!form.getValues().address.trim()}
      onClose={onClose}
    >
      <Text size="sm">{t("contacts.mergeText")}</Text>
      <TextInput
        data-autofocus
        label={t("contacts.otherAddress")}
        withAsterisk
        maxLength={1000}
        {...form.getInputProps("address")}
      />
    </FormDialog>
  );
}
