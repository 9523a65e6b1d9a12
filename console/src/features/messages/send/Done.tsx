import { Alert, Anchor, Button, Group, Modal, Stack } from "@mantine/core";
import { Link } from "react-router";
import { useBilling } from "../../../frame/billing";
import { useTranslation } from "../../../frame/i18n";
import { SandboxNotice } from "../../../frame/sandbox/SandboxNotice";
import { useFormat } from "../../../frame/values/format";
import type { SendMessageMutation } from "../../../gql/graphql";

export type Sent = NonNullable<SendMessageMutation["sendMessage"]>;

interface Props {
  message: Sent;
  onClose: () => void;
  onAnother: () => void;
}

/** Says what became of the message, and leads to it. */
export function Done({ message, onClose, onAnother }: Props) {
  const { t } = useTranslation();
  const format = useFormat();
  const isFree = useBilling() === "off";
  const price = message.account ? format.money(message.price, message.account.currency) : "";
  const scheduled = message.deliveryState === "scheduled" && message.sendAt;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("send.title")}
      size="lg"
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Stack>
        <Alert
          color="teal"
          role="status"
          title={t(message.deliveryState === "scheduled" ? "send.scheduled" : "send.accepted")}
        >
          {isFree ? t("send.goesTo", { to: message.to }) : t("send.charged", { price, to: message.to })}
          {message.channel === "sms" && ` ${t("send.segments", { count: message.segments })}.`}
          {scheduled && ` ${t("send.scheduledFor", { time: format.fullTime(scheduled) })}`}
        </Alert>
        <SandboxNotice channel={message.channel} when="after" />
        <Group justify="space-between">
          <Anchor component={Link} to={`/messages/${message.uuid}`} size="sm">
            {t("send.open")}
          </Anchor>
          <Group gap="xs">
            <Button variant="default" onClick={onAnother}>
              {t("send.another")}
            </Button>
            <Button onClick={onClose}>{t("common.close")}</Button>
          </Group>
        </Group>
      </Stack>
    </Modal>
  );
}
