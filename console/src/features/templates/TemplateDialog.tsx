import { Select, TextInput } from "@mantine/core";
import { useClient } from "urql";
import { useContentKey } from "../../frame/api/ContentKey";
import { useRequestForm } from "../../frame/form/useRequestForm";
import { useTranslation } from "../../frame/i18n";
import { FormDialog } from "../../frame/ui/dialogs/FormDialog";
import { keyOf } from "../../frame/values/key";
import type { MessageCategory } from "../../gql/graphql";
import { CreateTemplate, UpdateTemplate } from "./documents";

const CATEGORIES = ["promotional", "transactional"] as const satisfies readonly MessageCategory[];

interface Props {
  /** absent for a new one */
  template?: { uuid: string; key: string; name: string; category: MessageCategory };
  onClose: () => void;
  onSaved: (uuid: string) => void;
}

/** Adds a template, or changes the name and the category of one. */
export function TemplateDialog({ template, onClose, onSaved }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  const keys = useContentKey();
  const form = useRequestForm<{ name: string; key: string; category: MessageCategory }>({
    initialValues: {
      name: template?.name ?? "",
      key: template?.key ?? "",
      category: template?.category ?? "promotional",
    },
  });
  const { name, key } = form.getValues();

  const save = form.sends(async ({ name, key, category }) => {
    if (template) {
      const input = { name: name.trim(), category };
      const { data, error } = await client.mutation(UpdateTemplate, { id: template.uuid, input }).toPromise();
      if (!data?.updateTemplate) return error;
      onSaved(template.uuid);
      return;
    }
    const input = { name: name.trim(), key: key.trim(), category };
    const { data, error } = await client.mutation(CreateTemplate, { input }, keys.of(input)).toPromise();
    if (!data?.createTemplate) return error;
    keys.renew();
    onSaved(data.createTemplate.uuid);
  });

  /** The key of a new template follows its name until somebody writes another one. */
  function rename(next: string) {
    form.setFieldValue("name", next);
    if (!template && key === keyOf(name)) form.setFieldValue("key", keyOf(next));
  }

  return (
    <FormDialog
      title={t(template ? "templates.editTitle" : "templates.add")}
      form={form}
      onSubmit={save}
      action={t("common.save")}
      disabled={!name.trim() || !key.trim()}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label={t("templates.name")}
        withAsterisk
        maxLength={200}
        {...form.getInputProps("name")}
        onChange={(event) => rename(event.currentTarget.value)}
      />
      {!template && (
        <TextInput
          label={t("templates.key")}
          withAsterisk
          description={t("templates.keyHint")}
          placeholder="welcome"
          maxLength={64}
          autoCapitalize="off"
          spellCheck={false}
          {...form.getInputProps("key")}
        />
      )}
      <Select
        label={t("templates.category")}
        description={t("templates.categoryHint")}
        allowDeselect={false}
        data={CATEGORIES.map((value) => ({ value, label: t(`templates.categories.${value}`) }))}
        {...form.getInputProps("category")}
      />
    </FormDialog>
  );
}
