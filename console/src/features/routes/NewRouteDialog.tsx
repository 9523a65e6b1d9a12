import { PasswordInput, Text, TextInput } from "@mantine/core";
import { useClient } from "urql";
import { useContentKey } from "../../frame/api/ContentKey";
import { useRequestForm } from "../../frame/form/useRequestForm";
import { useTranslation } from "../../frame/i18n";
import { FormDialog } from "../../frame/ui/dialogs/FormDialog";
import { CreateRoute } from "./documents";

interface Props {
  onClose: () => void;
  /** receives the name of the route */
  onDone: (name: string) => void;
}

/** Makes a route for SMS. Its DSN has credentials, so it is hidden like a password. */
export function NewRouteDialog({ onClose, onDone }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  const keys = useContentKey();
  const form = useRequestForm({ initialValues: { name: "", dsn: "" } });
  const { name, dsn } = form.getValues();
  const input = { name: name.trim(), dsn: dsn.trim() };

  const add = form.sends(async () => {
    const { error } = await client.mutation(CreateRoute, { input }, keys.of(input)).toPromise();
    if (error) return error;
    keys.renew();
    onDone(input.name);
  });

  return (
    <FormDialog
      title={t("routes.made.add")}
      form={form}
      onSubmit={add}
      action={t("routes.made.add")}
      disabled={!input.name || !input.dsn}
      onClose={onClose}
    >
      <Text size="sm" c="dimmed">
        {t("routes.made.hint")}
      </Text>
      <TextInput
        data-autofocus
        label={t("routes.made.name")}
        withAsterisk
        description={t("routes.made.nameHint")}
        autoComplete="off"
        maxLength={32}
        {...form.getInputProps("name")}
      />
      <PasswordInput
        label="DSN"
        withAsterisk
        description={t("routes.made.dsnHint")}
        autoComplete="off"
        maxLength={2000}
        visibilityToggleButtonProps={{ "aria-label": t("routes.made.showDsn") }}
        {...form.getInputProps("dsn")}
      />
    </FormDialog>
  );
}
