import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useClient } from "urql";
import { useRequestForm } from "../../frame/form/useRequestForm";
import { useTranslation } from "../../frame/i18n";
import { useFocusBack } from "../../frame/ui/dialogs/useFocusBack";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
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
  useFocusBack();
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
    <Modal
      opened
      onClose={onClose}
      title={t("contacts.merge")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <form onSubmit={merge} noValidate>
        <Stack gap="sm">
          <Text size="sm">{t("contacts.mergeText")}</Text>
          <TextInput
            data-autofocus
            label={t("contacts.otherAddress")}
            maxLength={1000}
            {...form.getInputProps("address")}
          />
          {form.problem && <ProblemNotice problem={form.problem} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t("common.cancel")}
            </Button>
            <Button type="submit" loading={form.busy} disabled={!form.getValues().address.trim()}>
              {t("contacts.merge")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
