import { Checkbox, Stack } from "@mantine/core";
import { useTranslation } from "../../../frame/i18n";
import type { WebhookEvent } from "../../../gql/graphql";

export type AccountEvent = WebhookEvent;

const EVENTS = [
  "message",
  "message_status",
  "add_message_reaction",
  "message_edited",
  "message_deleted",
  "state",
] as const satisfies readonly WebhookEvent[];

interface Props {
  value: readonly AccountEvent[];
  onChange: (events: AccountEvent[]) => void;
}

/** What a webhook of a messenger account receives; nothing chosen: all but edited and deleted messages. */
export function AccountEvents({ value, onChange }: Props) {
  const { t } = useTranslation();
  return (
    <Checkbox.Group
      label={t("feed.type")}
      description={t("hooks.accountEventsHint")}
      value={[...value]}
      onChange={(next) => onChange(EVENTS.filter((item) => next.includes(item)))}
    >
      <Stack gap={6} mt={6}>
        {EVENTS.map((event) => (
          <Checkbox key={event} value={event} label={t(`hooks.accountEvents.${event}`)} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
