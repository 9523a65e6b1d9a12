import { Button, Checkbox, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useState, type SubmitEvent } from "react";
import { elsewhere } from "../../../frame/api/errors";
import { useTranslation } from "../../../frame/i18n";
import { ProblemNotice } from "../../../frame/ui/page/ProblemNotice";
import { useFocusBack } from "../../../frame/ui/dialogs/useFocusBack";
import type { WebhookEvent } from "../../../gql/graphql";
import { AddMessengerWebhook } from "../webhookDocuments";
import { useAct } from "./useAct";

const EVENTS = [
  "message",
  "message_status",
  "add_message_reaction",
  "message_edited",
  "message_deleted",
  "state",
] as const satisfies readonly WebhookEvent[];
const USUAL: readonly string[] = EVENTS.filter(
  (event) => !event.endsWith("_edited") && !event.endsWith("_deleted"),
);

interface Props {
  account: string;
  onClose: () => void;
  onAdded: (secret: string | null, url: string) => void;
}

export function AddWebhook({ account, onClose, onAdded }: Props) {
  const { t } = useTranslation();
  const { act, busy, problem, forget } = useAct();
  useFocusBack();
  const [url, setUrl] = useState("");
  const [events, setEvents] = useState<string[]>([...USUAL]);

  async function add(event: SubmitEvent) {
    event.preventDefault();
    const chosen = EVENTS.filter((item) => events.includes(item));
    const done = await act(AddMessengerWebhook, {
      id: account,
      input: { webhookUrl: url.trim(), events: chosen },
    });
    if (done?.addWebhook) onAdded(done.addWebhook.secret ?? null, done.addWebhook.webhook.url);
  }
  const noticed = elsewhere(problem, ["webhookUrl"]);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("messengers.webhooks.add")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <form onSubmit={add} noValidate>
        <Stack gap="sm">
          <TextInput
            data-autofocus
            label={t("messengers.webhooks.url")}
            placeholder="https://example.com/postern"
            type="url"
            value={url}
            error={problem?.fields.webhookUrl}
            onChange={(event) => {
              setUrl(event.currentTarget.value);
              forget();
            }}
          />
          <Checkbox.Group label={t("messengers.webhooks.events")} value={events} onChange={setEvents}>
            <Stack gap={6} mt={6}>
              {EVENTS.map((event) => (
                <Checkbox key={event} value={event} label={t(`messengers.webhooks.event.${event}`)} />
              ))}
            </Stack>
          </Checkbox.Group>
          {noticed && <ProblemNotice problem={noticed} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t("common.cancel")}
            </Button>
            <Button type="submit" loading={busy} disabled={!url.trim() || events.length === 0}>
              {t("messengers.webhooks.addButton")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
