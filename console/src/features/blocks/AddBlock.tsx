import { TextInput } from "@mantine/core";
import { useClient } from "urql";
import { useRequestForm } from "../../frame/form/useRequestForm";
import { useTranslation } from "../../frame/i18n";
import { FormDialog } from "../../frame/ui/dialogs/FormDialog";
import type { BlockScope } from "../../gql/graphql";
import { useContentKey } from "../../frame/api/ContentKey";
import { Block } from "./documents";
import { ScopeChoice } from "./ScopeChoice";

interface Props {
  onClose: () => void;
  onAdded: (address: string) => void;
}

export function AddBlock({ onClose, onAdded }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  const keys = useContentKey();
  const form = useRequestForm({ initialValues: { phone: "", scope: "all" as BlockScope } });
  const { phone, scope } = form.getValues();

  const add = form.sends(async (values) => {
    const block = { phone: values.phone.trim(), input: { scope: values.scope } };
    const { data, error } = await client.mutation(Block, block, keys.of(block)).toPromise();
    if (!data?.blockPhone) return error;
    keys.renew();
    onAdded(data.blockPhone.phone);
  });

  return (
    <FormDialog
      title={t("blocks.addTitle")}
      form={form}
      onSubmit={add}
      action={t("blocks.add")}
      disabled={!phone.trim()}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label={t("blocks.address")}
        withAsterisk
        placeholder="+14155550100"
        {...form.getInputProps("phone")}
      />
      <ScopeChoice value={scope} onChange={(value) => form.setFieldValue("scope", value)} />
    </FormDialog>
  );
}
