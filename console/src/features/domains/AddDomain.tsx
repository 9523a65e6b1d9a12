import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useClient } from "urql";
import { useContentKey } from "../../frame/api/ContentKey";
import { useRequestForm } from "../../frame/form/useRequestForm";
import { useTranslation } from "../../frame/i18n";
import { useFocusBack } from "../../frame/ui/dialogs/useFocusBack";
import { ProblemNotice } from "../../frame/ui/page/ProblemNotice";
import { CreateDomain } from "./documents";

interface Props {
  onClose: () => void;
  onAdded: (uuid: string) => void;
}

/** Adds a domain, whose page then shows the records to set. */
export function AddDomain({ onClose, onAdded }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  useFocusBack();
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
    <Modal
      opened
      onClose={onClose}
      title={t("domains.addTitle")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <form onSubmit={add} noValidate>
        <Stack gap="sm">
          <TextInput
            data-autofocus
            label={t("domains.name")}
            description={t("domains.nameHint")}
            placeholder="example.com"
            maxLength={253}
            autoCapitalize="off"
            spellCheck={false}
            {...form.getInputProps("name")}
          />
          {form.problem && <ProblemNotice problem={form.problem} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t("common.cancel")}
            </Button>
            <Button type="submit" loading={form.busy} disabled={!form.getValues().name.trim()}>
              {t("domains.add")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
