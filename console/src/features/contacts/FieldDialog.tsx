import { Button, Group, Modal, Select, Stack, TextInput } from "@mantine/core";
import { useClient } from "urql";
import { useContentKey } from "../../frame/api/ContentKey";
import { useRequestForm } from "../../frame/form/useRequestForm";
import { useTranslation } from "../../frame/i18n";
import { useFocusBack } from "../../frame/ui/dialogs/useFocusBack";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
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
  useFocusBack();
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
    <Modal
      opened
      onClose={onClose}
      title={t("contacts.addField")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <form onSubmit={add} noValidate>
        <Stack gap="sm">
          <TextInput
            data-autofocus
            label={t("contacts.key")}
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
          {form.problem && <ProblemNotice problem={form.problem} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t("common.cancel")}
            </Button>
            <Button type="submit" loading={form.busy} disabled={!form.getValues().key.trim()}>
              {t("contacts.addField")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
