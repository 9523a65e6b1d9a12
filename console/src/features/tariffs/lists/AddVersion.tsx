import { Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useClient } from "urql";
import { useContentKey } from "../../../frame/api/ContentKey";
import { useRequestForm } from "../../../frame/form/useRequestForm";
import { useTranslation } from "../../../frame/i18n";
import { UploadFile } from "../../../frame/lists/UploadFile";
import { FormDialog } from "../../../frame/ui/dialogs/FormDialog";
import { AddPriceListVersion } from "./documents";

interface Props {
  uuid: string;
  onClose: () => void;
  onAdded: (size: number) => void;
}

/** New prices from a file: all of them, or none. */
export function AddVersion({ uuid, onClose, onAdded }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  const keys = useContentKey();
  const [file, setFile] = useState<{ uuid: string; name: string } | null>(null);
  const form = useRequestForm({ initialValues: { validFrom: "" } });

  const add = form.sends(async ({ validFrom }) => {
    const input = {
      fileUuid: file?.uuid ?? null,
      validFrom: validFrom ? new Date(validFrom).toISOString() : null,
    };
    const { data, error } = await client
      .mutation(AddPriceListVersion, { id: uuid, input }, keys.of(input))
      .toPromise();
    if (!data?.addPriceListVersion) return error;
    keys.renew();
    onAdded(data.addPriceListVersion.size);
  });

  return (
    <FormDialog
      title={t("priceLists.versionTitle")}
      form={form}
      onSubmit={add}
      action={t("priceLists.addVersion")}
      disabled={file === null && t("priceLists.needFile")}
      onClose={onClose}
    >
      <Text size="sm">{t("priceLists.fileText")}</Text>
      <UploadFile
        onUploaded={(uploaded, name) => {
          setFile({ uuid: uploaded, name });
          form.forget();
        }}
      />
      {file && (
        <Text size="sm" role="status">
          {t("priceLists.fileThere", { name: file.name })}
        </Text>
      )}
      <TextInput
        type="datetime-local"
        label={t("priceLists.validFrom")}
        description={t("priceLists.validFromHint", {
          zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        })}
        {...form.getInputProps("validFrom")}
      />
    </FormDialog>
  );
}
