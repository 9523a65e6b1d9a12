import { Checkbox, Stack } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "../../frame/i18n";
import { Question } from "../../frame/ui/dialogs/Question";
import type { MemberRowFragment } from "../../gql/graphql";
import { RemoveMember } from "./documents";

interface Props {
  member: MemberRowFragment;
  onClose: () => void;
  onRemoved: () => void;
}

/** Asks before a member is removed, and what becomes of the tokens and webhooks that the member has made. */
export function RemoveDialog({ member, onClose, onRemoved }: Props) {
  const { t } = useTranslation();
  const [keepTokens, setKeepTokens] = useState(false);
  const [keepWebhooks, setKeepWebhooks] = useState(true);
  const { uuid, email, joinedAt } = member;
  if (!joinedAt)
    return (
      <Question
        title={t("members.withdrawTitle", { email })}
        question={t("members.withdrawText")}
        action={t("members.withdraw")}
        mutation={RemoveMember}
        variables={{ id: uuid, input: null }}
        onDone={onRemoved}
        onClose={onClose}
      />
    );
  return (
    <Question
      title={t("members.removeTitle", { email })}
      question={t("members.removeText")}
      action={t("members.remove")}
      mutation={RemoveMember}
      variables={{ id: uuid, input: { keepTokens, keepWebhooks } }}
      onDone={onRemoved}
      onClose={onClose}
    >
      <Stack gap="xs">
        <Checkbox
          label={t("members.keepTokens")}
          description={t("members.keepTokensHint")}
          checked={keepTokens}
          onChange={(event) => setKeepTokens(event.currentTarget.checked)}
        />
        <Checkbox
          label={t("members.keepWebhooks")}
          description={t("members.keepWebhooksHint")}
          checked={keepWebhooks}
          onChange={(event) => setKeepWebhooks(event.currentTarget.checked)}
        />
      </Stack>
    </Question>
  );
}
