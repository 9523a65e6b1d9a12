import { NativeSelect, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useClient } from "urql";
import { useContentKey } from "../../frame/api/ContentKey";
import { useRequestForm } from "../../frame/form/useRequestForm";
import { useTranslation } from "../../frame/i18n";
import { UploadFile } from "../../frame/lists/UploadFile";
import { FormDialog } from "../../frame/ui/dialogs/FormDialog";
import { CreateInvoice } from "./documents";
import { mappingOf, monthOf, PARTS } from "./invoice";
import classes from "./costs.module.css";

interface Props {
  routes: readonly string[];
  onClose: () => void;
  onDone: () => void;
}

/** Uploads a provider's invoice. Columns without a name are found by their usual names. */
export function NewInvoiceDialog({ routes, onClose, onDone }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  const keys = useContentKey();
  const [file, setFile] = useState<{ uuid: string; name: string } | null>(null);
  const form = useRequestForm({
    initialValues: {
      route: routes[0] ?? "",
      month: monthOf(new Date()),
      messageId: "",
      phone: "",
      at: "",
      parts: "",
      price: "",
    },
  });
  const add = form.sends(async ({ route, month, ...columns }) => {
    const begin = new Date(`${month}-01T00:00:00Z`);
    const end = new Date(Date.UTC(begin.getUTCFullYear(), begin.getUTCMonth() + 1, 1));
    const input = {
      route,
      fileUuid: file?.uuid ?? "",
      periodFrom: begin.toISOString(),
      periodTo: end.toISOString(),
      mapping: mappingOf(columns),
    };
    const { error } = await client.mutation(CreateInvoice, { input }, keys.of(input)).toPromise();
    if (error) return error;
    keys.renew();
    onDone();
  });
  return (
    <FormDialog
      title={t("costs.addInvoice")}
      form={form}
      onSubmit={add}
      action={t("costs.compare")}
      disabled={(file === null && t("costs.needFile")) || !form.getValues().month}
      onClose={onClose}
    >
      <UploadFile
        onUploaded={(uuid, name) => {
          setFile({ uuid, name });
          form.forget();
        }}
      />
      {file && (
        <Text size="sm" role="status">
          {t("costs.fileThere", { name: file.name })}
        </Text>
      )}
      <div className={classes.fields}>
        <NativeSelect label={t("costs.groups.route")} data={[...routes]} {...form.getInputProps("route")} />
        <TextInput type="month" label={t("costs.month")} {...form.getInputProps("month")} />
      </div>
      <Text size="sm" c="dimmed">
        {t("costs.columnsHint")}
      </Text>
      <div className={classes.fields}>
        {PARTS.map((part) => (
          <TextInput
            key={part}
            label={t(`costs.columns.${part}`)}
            autoComplete="off"
            maxLength={128}
            {...form.getInputProps(part)}
          />
        ))}
      </div>
    </FormDialog>
  );
}
