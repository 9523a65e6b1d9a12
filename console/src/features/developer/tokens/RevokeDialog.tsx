import { Checkbox } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "../../../frame/i18n";
import { Question } from "../../../frame/ui/dialogs/Question";
import { RevokeToken } from "./documents";

interface Props {
  token: { uuid: string; name: string };
  onClose: () => void;
  onRevoked: () => void;
}

/** Asks before a token is revoked, and what becomes of the webhooks that it has made. */
export function RevokeDialog({ token, onClose, onRevoked }: Props) {
  const { t } = useTranslation();
  const [keepWebhooks, setKeepWebhooks] = useState(false);
  return (
    <Question
      title={t("tokens.revokeTitle", { name: token.name })}
      question={t("tokens.revokeText")}
      action={t("tokens.revoke")}
      mutation={RevokeToken}
      variables={{ id: token.uuid, keepWebhooks }}
      onDone={onRevoked}
      onClose={onClose}
    >
      <Checkbox
        label={t("tokens.keepWebhooks")}
        description={t("tokens.keepWebhooksHint")}
        checked={keepWebhooks}
        onChange={(event) => setKeepWebhooks(event.currentTarget.checked)}
      />
    </Question>
  );
}
