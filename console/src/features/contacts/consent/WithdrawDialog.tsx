import { TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "../../../frame/i18n";
import { Question } from "../../../frame/ui/dialogs/Question";
import { UnsubscribeContacts } from "./documents";
import type { OwnSubscription } from "./model";

interface Props {
  /** uuid of the contact */
  contact: string;
  subscription: OwnSubscription;
  onClose: () => void;
  onDone: (message: string) => void;
}

/** Withdraws a subscription of a person, with what the person has said. */
export function WithdrawDialog({ contact, subscription, onClose, onDone }: Props) {
  const { t } = useTranslation();
  const [reason, setReason] = useState("");
  const { topic, channel } = subscription;
  const name = topic?.name ?? "";
  return (
    <Question
      title={t("subscriptions.withdrawTitle", { name })}
      question={t("subscriptions.withdrawText")}
      action={t("subscriptions.withdraw")}
      mutation={UnsubscribeContacts}
      variables={{
        input: {
          contactUuids: [contact],
          topicUuids: topic ? [topic.uuid] : [],
          channel,
          reason: reason.trim() || null,
        },
      }}
      onDone={() => onDone(t("subscriptions.withdrawn", { name }))}
      onClose={onClose}
    >
      <TextInput
        label={t("subscriptions.reason")}
        description={t("subscriptions.reasonHint")}
        maxLength={1000}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </Question>
  );
}
