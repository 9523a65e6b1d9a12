import { TextInput } from "@mantine/core";
import { useClient } from "urql";
import { useContentKey } from "../../frame/api/ContentKey";
import { useRequestForm } from "../../frame/form/useRequestForm";
import { useTranslation } from "../../frame/i18n";
import { FormDialog } from "../../frame/ui/dialogs/FormDialog";
import { CreateDomain } from "./documents";

interface Props {
  onClose: () => void;
  onAdded: (uuid: string) => void;
}

/** Adds a domain, whose page then shows the records to set. */
export function AddDomain({ onClose, onAdded }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  const keys = useContentKey();
  const form = useRequestForm({ initialValues: { name: "" } });

  const add = form.sends(async (values) => {
    const input = { name: values.name.trim() };
    const { data, error } = await client.mutation(CreateDomain, { input }, keys.of(input)).toPromise();
    if (!data?.createDomain) return error;
    keys.renew();
    onAdded(data.createDomain.uuid);
  });

  return (
    <FormDialog
      title={t("domains.addTitle")}
      form={form}
      onSubmit={add}
      action={t("domains.add")}
      disabled={!form.getValues().name.trim()}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label={t("domains.name")}
        withAsterisk
        description={t("domains.nameHint")}
        placeholder="example.com"
        maxLength={253}
        autoCapitalize="off"
        spellCheck={false}
        {...form.getInputProps("name")}
      />
    </FormDialog>
  );
}
