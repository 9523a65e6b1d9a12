import "@mantine/core/styles/Checkbox.css";
import { Checkbox, TextInput } from "@mantine/core";
import { useClient } from "urql";
import { useContentKey } from "../../../frame/api/ContentKey";
import { useRequestForm } from "../../../frame/form/useRequestForm";
import { useTranslation } from "../../../frame/i18n";
import { FormDialog } from "../../../frame/ui/dialogs/FormDialog";
import type { PriceListRowFragment } from "../../../gql/graphql";
import { CreatePriceList, UpdatePriceList } from "./documents";

interface Props {
  /** absent for a new one */
  list?: PriceListRowFragment;
  onClose: () => void;
  onSaved: (uuid: string) => void;
}

/** A new price list, or the name of one and what holds for numbers that it lacks. */
export function PriceListDialog({ list, onClose, onSaved }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  const keys = useContentKey();
  const form = useRequestForm({
    initialValues: {
      name: list?.name ?? "",
      currency: list?.currency ?? "USD",
      strict: list?.strict ?? false,
    },
  });
  const { name, currency } = form.getValues();

  const save = form.sends(async (values) => {
    const input = { name: values.name.trim(), strict: values.strict };
    if (list) {
      const { error } = await client.mutation(UpdatePriceList, { id: list.uuid, input }).toPromise();
      if (!error) onSaved(list.uuid);
      return error;
    }
    const made = { ...input, currency: values.currency };
    const { data, error } = await client
      .mutation(CreatePriceList, { input: made }, keys.of(made))
      .toPromise();
    if (!data?.createPriceList) return error;
    keys.renew();
    onSaved(data.createPriceList.uuid);
  });

  return (
    <FormDialog
      title={t(list ? "priceLists.editTitle" : "priceLists.addTitle")}
      form={form}
      onSubmit={save}
      action={t(list ? "common.save" : "priceLists.add")}
      disabled={!name.trim() || currency.length !== 3}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label={t("priceLists.name")}
        withAsterisk
        maxLength={128}
        {...form.getInputProps("name")}
      />
      {!list && (
        <TextInput
          label={t("tariffs.currency")}
          withAsterisk
          description={t("priceLists.currencyHint")}
          maxLength={3}
          {...form.getInputProps("currency")}
          onChange={(event) => form.setFieldValue("currency", event.currentTarget.value.toUpperCase())}
        />
      )}
      <Checkbox
        label={t("priceLists.strict")}
        description={t("priceLists.strictHint")}
        {...form.getInputProps("strict", { type: "checkbox" })}
      />
    </FormDialog>
  );
}
