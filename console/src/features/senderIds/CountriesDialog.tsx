import { useClient } from "urql";
import { useRequestForm } from "../../frame/form/useRequestForm";
import { useTranslation } from "../../frame/i18n";
import { FormDialog } from "../../frame/ui/dialogs/FormDialog";
import { countriesOf } from "./countries";
import { CountriesInput } from "./CountriesInput";
import { UpdateSender } from "./documents";
import type { SenderIdRow } from "./useSenderIds";

interface Props {
  row: SenderIdRow;
  onClose: () => void;
  onChanged: () => void;
}

/** Changes the countries that a sender serves. */
export function CountriesDialog({ row, onClose, onChanged }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  const form = useRequestForm({ initialValues: { countries: row.countries.join(", ") } });

  const change = form.sends(async (values) => {
    const countries = countriesOf(values.countries);
    const { data, error } = await client
      .mutation(UpdateSender, { id: row.uuid, input: { countries } })
      .toPromise();
    if (!data?.updateSender) return error;
    onChanged();
  });

  return (
    <FormDialog
      title={t("senderIds.countriesOf", { value: row.value })}
      form={form}
      onSubmit={change}
      action={t("common.save")}
      onClose={onClose}
    >
      <CountriesInput data-autofocus {...form.getInputProps("countries")} />
    </FormDialog>
  );
}
