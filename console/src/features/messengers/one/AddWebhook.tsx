import { Checkbox, Stack, TextInput } from "@mantine/core";
import { useClient } from "urql";
import { useRequestForm } from "../../../frame/form/useRequestForm";
import { useTranslation } from "../../../frame/i18n";
import { FormDialog } from "../../../frame/ui/dialogs/FormDialog";
import type { WebhookEvent } from "../../../gql/graphql";
import { AddMessengerWebhook } from "../webhookDocuments";

const EVENTS = [
  "message",
  "message_status",
  "add_message_reaction",
  "message_edited",
  "message_deleted",
  "state",
] as const satisfies readonly WebhookEvent[];
const USUAL: string[] = EVENTS.filter((event) => !event.endsWith("_edited") && !event.endsWith("_deleted"));

interface Props {
  account: string;
  onClose: () => void;
  onAdded: (secret: string | null, url: string) => void;
}

export function AddWebhook({ account, onClose, onAdded }: Props) {
  const { t } = useTranslation();
  const client = useClient();
  const form = useRequestForm({ initialValues: { webhookUrl: "", events: USUAL } });
  const { webhookUrl, events } = form.getValues();

  const add = form.sends(async ({ webhookUrl, events }) => {
    const input = {
      webhookUrl: webhookUrl.trim(),
      events: EVENTS.filter((event) => events.includes(event)),
    };
    const { data, error } = await client.mutation(AddMessengerWebhook, { id: account, input }).toPromise();
    if (!data?.addWebhook) return error;
    onAdded(data.addWebhook.secret ?? null, data.addWebhook.webhook.url);
  });
  return (
    <FormDialog
      title={t("messengers.webhooks.add")}
      form={form}
      onSubmit={add}
      action={t("messengers.webhooks.addButton")}
      disabled={!webhookUrl.trim() || (events.length === 0 && t("messengers.webhooks.needEvent"))}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label={t("messengers.webhooks.url")}
        withAsterisk
        placeholder="https://example.com/postern"
        type="url"
        {...form.getInputProps("webhookUrl")}
      />
      <Checkbox.Group label={t("messengers.webhooks.events")} {...form.getInputProps("events")}>
        <Stack gap={6} mt={6}>
          {EVENTS.map((event) => (
            <Checkbox key={event} value={event} label={t(`messengers.webhooks.event.${event}`)} />
          ))}
        </Stack>
      </Checkbox.Group>
    </FormDialog>
  );
}
